// Feeds the reader of SkinCells fields arbitrary bytes; what it accepts must evaluate without harm.
//
// The bytes are tried as they are and once more with the right checksum at their end: without it nothing behind the
// checksum would ever be reached.
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <span>
#include <vector>

#include "sinew/error.h"
#include "sinew/weights/skincells/skincells_file.h"

namespace {

std::uint32_t checksum(std::span<const std::byte> bytes) {  // CRC-32
  std::uint32_t crc = ~0u;
  for (std::byte byte : bytes) {
    crc ^= static_cast<std::uint32_t>(byte);
    for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1) ^ (crc & 1 ? 0xedb88320u : 0u);
  }
  return ~crc;
}

void read_and_evaluate(std::span<const std::byte> bytes) {
  try {
    const sinew::SkinCellField field = sinew::read_field(bytes);
    if (field.cell_count() > 256) return;
    const sinew::SkinWeights weights =
        sinew::evaluate_field(field, {sinew::Vec3f(0, 0, 0), sinew::Vec3f(1, 2, 3), sinew::Vec3f(1e6f, 0, 0)});
    for (float weight : weights.weights) {
      if (!std::isfinite(weight)) std::abort();
    }
  } catch (const sinew::Error& error) {
    if (error.kind() != sinew::ErrorKind::bad_input) throw;
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto bytes = std::as_bytes(std::span(data, size));
  read_and_evaluate(bytes);
  std::vector<std::byte> mended(bytes.begin(), bytes.end());
  const std::uint32_t crc = checksum(mended);
  const auto* end = reinterpret_cast<const std::byte*>(&crc);
  mended.insert(mended.end(), end, end + sizeof crc);
  read_and_evaluate(mended);
  return 0;
}
