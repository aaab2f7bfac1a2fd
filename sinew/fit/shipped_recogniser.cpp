// The trained recogniser of bodies, put into the library as it is: no file to look for at run time.
#include <cstddef>
#include <span>

#include "sinew/fit/recogniser.h"

// SINEW_RECOGNISER: path of models/bodies.sinewkinds, given by the build.
asm(".section .rodata\n"
    ".balign 16\n"
    "sinew_recogniser_begin:\n"
    ".incbin \"" SINEW_RECOGNISER
    "\"\n"
    "sinew_recogniser_end:\n"
    ".byte 0\n"
    ".previous\n");

extern "C" const std::byte sinew_recogniser_begin[];
extern "C" const std::byte sinew_recogniser_end[];

namespace sinew {

const Recogniser& Recogniser::shipped() {
  static const Recogniser recogniser(
      parse_network_file(std::span<const std::byte>(sinew_recogniser_begin, sinew_recogniser_end)));
  return recogniser;
}

}  // namespace sinew
