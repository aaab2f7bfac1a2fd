// The trained networks, put into the library as they are: no file to look for at run time.
#include <cstddef>
#include <span>

#include "sinew/learn/fit_model.h"

// SINEW_FIT_MODEL: path of models/people.sinewfit, given by the build.
asm(".section .rodata\n"
    ".balign 16\n"
    "sinew_fit_model_begin:\n"
    ".incbin \"" SINEW_FIT_MODEL
    "\"\n"
    "sinew_fit_model_end:\n"
    ".byte 0\n"
    ".previous\n");

extern "C" const std::byte sinew_fit_model_begin[];
extern "C" const std::byte sinew_fit_model_end[];

namespace sinew {

const FitModel& FitModel::shipped() {
  static const FitModel model(
      parse_network_file(std::span<const std::byte>(sinew_fit_model_begin, sinew_fit_model_end)));
  return model;
}

}  // namespace sinew
