// Feeds the reader of trained networks arbitrary bytes: it refuses them, or the networks can be set up.
#include <cstdint>
#include <span>

#include "sinew/error.h"
#include "sinew/learn/fit_model.h"
#include "sinew/learn/network_file.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const sinew::FitModel model(sinew::parse_network_file(std::as_bytes(std::span(data, size))));
  } catch (const sinew::Error& error) {
    if (error.kind() != sinew::ErrorKind::bad_input) throw;
  }
  return 0;
}
