// Feeds a reader arbitrary bytes. SINEW_FUZZ_FORMAT is the enumerator of FileFormat.
// FBX and COLLADA are left out: assimp is known to crash, which is why it can run in a process of its own.
#include "sinew/io.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  sinew::LoadOptions options;
  options.max_elements = 100'000;
  options.format = sinew::FileFormat::SINEW_FUZZ_FORMAT;
  try {
    sinew::read_character(std::as_bytes(std::span(data, size)), options);
  } catch (const sinew::Error& error) {
    if (error.kind() != sinew::ErrorKind::bad_input) throw;
  }
  return 0;
}
