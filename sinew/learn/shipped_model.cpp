// The trained networks.
#include "sinew/base/shipped_file.h"
#include "sinew/learn/fit_model.h"

SINEW_SHIP_FILE(sinew_fit_model, SINEW_FIT_MODEL)  // path of models/people.sinewfit, given by the build

namespace sinew {

const FitModel& FitModel::shipped() {
  static const FitModel model(parse_network_file(sinew_fit_model()));
  return model;
}

}  // namespace sinew
