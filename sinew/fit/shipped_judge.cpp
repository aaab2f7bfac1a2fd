// The trained judge of fits.
#include "sinew/base/shipped_file.h"
#include "sinew/fit/fit_judge.h"

SINEW_SHIP_FILE(sinew_fit_judge, SINEW_FIT_JUDGE)  // path of models/fits.sinewjudge, given by the build

namespace sinew {

const FitJudge& FitJudge::shipped() {
  static const FitJudge judge(parse_network_file(sinew_fit_judge()));
  return judge;
}

}  // namespace sinew
