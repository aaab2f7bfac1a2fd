// Recognising a format must cope with any bytes.
#include "sinew/asset/file_format.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  sinew::format_of_content(std::as_bytes(std::span(data, size)));
  return 0;
}
