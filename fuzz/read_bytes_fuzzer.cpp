// Feeds a reader arbitrary bytes. SINEW_FUZZ_FORMAT is the enumerator of FileFormat.
// FBX and COLLADA are left out: assimp is known to crash, which is why it runs in a process of its own.
#include "sinew/asset/read_bytes.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  sinew::LoadOptions options;
  options.max_elements = 100'000;
  try {
    const std::span<const std::uint8_t> bytes(data, size);
    sinew::read_bytes(std::as_bytes(bytes), sinew::FileFormat::SINEW_FUZZ_FORMAT, options);
  } catch (const sinew::Error& error) {
    if (error.kind() != sinew::ErrorKind::bad_input) throw;
  }
  return 0;
}
