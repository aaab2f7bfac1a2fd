// The trained networks of the method auto, put into the library as they are: no file to look for at run time.
#include <cstddef>
#include <span>

#include "sinew/weights/auto/weight_model.h"

// SINEW_WEIGHT_MODEL: path of models/artists.sinewweights, given by the build.
asm(".section .rodata\n"
    ".balign 16\n"
    "sinew_weight_model_begin:\n"
    ".incbin \"" SINEW_WEIGHT_MODEL
    "\"\n"
    "sinew_weight_model_end:\n"
    ".byte 0\n"
    ".previous\n");

extern "C" const std::byte sinew_weight_model_begin[];
extern "C" const std::byte sinew_weight_model_end[];

namespace sinew {

const WeightModel& WeightModel::shipped() {
  static const WeightModel model =
      parse_weight_model(std::span<const std::byte>(sinew_weight_model_begin, sinew_weight_model_end));
  return model;
}

}  // namespace sinew
