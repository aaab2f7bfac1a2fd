// The trained judge of fits, put into the library as it is: no file to look for at run time.
#include <cstddef>
#include <span>

#include "sinew/fit/fit_judge.h"

// SINEW_FIT_JUDGE: path of models/fits.sinewjudge, given by the build.
asm(".section .rodata\n"
    ".balign 16\n"
    "sinew_fit_judge_begin:\n"
    ".incbin \"" SINEW_FIT_JUDGE
    "\"\n"
    "sinew_fit_judge_end:\n"
    ".byte 0\n"
    ".previous\n");

extern "C" const std::byte sinew_fit_judge_begin[];
extern "C" const std::byte sinew_fit_judge_end[];

namespace sinew {

const FitJudge& FitJudge::shipped() {
  static const FitJudge judge(
      parse_network_file(std::span<const std::byte>(sinew_fit_judge_begin, sinew_fit_judge_end)));
  return judge;
}

}  // namespace sinew
