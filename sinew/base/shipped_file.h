// Puts a file into the library as it is, so that there is none to look for at run time.
//
//   SINEW_SHIP_FILE(sinew_fit_judge, SINEW_FIT_JUDGE)   // outside every namespace; the second is a path in quotes
//   std::span<const std::byte> bytes = sinew_fit_judge();
#pragma once

#include <cstddef>
#include <span>

#define SINEW_SHIP_FILE(name, path)          \
  asm(".section .rodata\n"                   \
      ".balign 16\n" #name                   \
      "_begin:\n"                            \
      ".incbin \"" path "\"\n" #name         \
      "_end:\n"                              \
      ".byte 0\n"                            \
      ".previous\n");                        \
  extern "C" const std::byte name##_begin[]; \
  extern "C" const std::byte name##_end[];   \
  static std::span<const std::byte> name() { return {name##_begin, name##_end}; }
