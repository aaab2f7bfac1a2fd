// glTF is read from a path, because it may name files beside it: every input goes through a file in memory.
#include <sys/mman.h>
#include <unistd.h>

#include <cstdlib>

#include "sinew/asset/gltf/gltf.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const int file = memfd_create("fuzz", 0);
  if (file < 0 || write(file, data, size) != static_cast<ssize_t>(size)) std::abort();
  sinew::LoadOptions options;
  options.max_elements = 100'000;
  try {
    sinew::read_gltf("/proc/self/fd/" + std::to_string(file), options);
  } catch (const sinew::Error& error) {
    if (error.kind() != sinew::ErrorKind::bad_input) throw;
  }
  close(file);
  return 0;
}
