// Optimiser states as bytes: a header, then the numbers as they lie in memory of a little-endian machine.
#include <bit>
#include <cmath>
#include <cstring>

#include "sinew/error.h"
#include "sinew/weights/skincells/skincells_optimiser.h"

namespace sinew::skincells {
namespace {

static_assert(std::endian::native == std::endian::little);

struct Header {
  char magic[8];
  std::uint64_t fingerprint;
  std::uint64_t parameters;
  std::int32_t step;
  std::uint8_t stage, converged, padding[2];
  float relaxation;
  std::int32_t last_step;
  double window, window_before, first_loss, last_loss;
};
constexpr char magic[8] = {'S', 'K', 'C', 'S', 'T', 'A', 'T', '2'};

std::size_t file_size(std::size_t parameters) {
  return sizeof(Header) + parameters * (sizeof(float) + 3 * sizeof(double));
}

}  // namespace

std::vector<std::byte> write_checkpoint(const OptimiserState& state, std::uint64_t fingerprint) {
  Header header{};
  std::memcpy(header.magic, magic, sizeof magic);
  header.fingerprint = fingerprint;
  header.parameters = state.field.parameters.size();
  header.step = state.step;
  header.stage = static_cast<std::uint8_t>(state.stage);
  header.converged = state.converged;
  header.last_step = state.last_step;
  header.relaxation = state.field.relaxation;
  header.window = state.window;
  header.window_before = state.window_before;
  header.first_loss = state.first_loss;
  header.last_loss = state.last_loss;
  const std::span<const std::byte> pieces[] = {
      std::as_bytes(std::span(&header, 1)), std::as_bytes(std::span(state.field.parameters)),
      std::as_bytes(std::span(state.rates)), std::as_bytes(std::span(state.adam.mean)),
      std::as_bytes(std::span(state.adam.square))};
  std::vector<std::byte> bytes;
  for (const std::span<const std::byte> piece : pieces) bytes.insert(bytes.end(), piece.begin(), piece.end());
  return bytes;
}

void read_checkpoint(std::span<const std::byte> bytes, std::uint64_t fingerprint, OptimiserState& state) {
  const std::size_t count = state.field.parameters.size();
  const auto refuse = [](const char* what, ErrorCode code = ErrorCode::file_damaged) {
    return Error(code, std::string("the saved state ") + what, "start again without it");
  };
  Header header;
  if (bytes.size() < sizeof header) throw refuse("is not a SkinCells checkpoint");
  std::memcpy(&header, bytes.data(), sizeof header);
  if (std::memcmp(header.magic, magic, sizeof magic) != 0) throw refuse("is not a SkinCells checkpoint");
  if (header.fingerprint != fingerprint) {
    throw refuse("belongs to another mesh, skeleton or set of options", ErrorCode::characters_differ);
  }
  if (header.parameters != count || bytes.size() != file_size(count) || header.step < 0 ||
      header.stage > static_cast<std::uint8_t>(Stage::done)) {
    throw refuse("is damaged");
  }
  OptimiserState loaded = state;
  loaded.step = loaded.adam.steps = header.step;
  loaded.stage = static_cast<Stage>(header.stage);
  loaded.converged = header.converged != 0;
  loaded.last_step = header.last_step;
  loaded.field.relaxation = header.relaxation;
  loaded.window = header.window;
  loaded.window_before = header.window_before;
  loaded.first_loss = header.first_loss;
  loaded.last_loss = header.last_loss;
  const std::byte* from = bytes.data() + sizeof header;
  std::memcpy(loaded.field.parameters.data(), from, count * sizeof(float));
  from += count * sizeof(float);
  for (std::vector<double>* values : {&loaded.rates, &loaded.adam.mean, &loaded.adam.square}) {
    values->resize(count);
    std::memcpy(values->data(), from, count * sizeof(double));
    from += count * sizeof(double);
  }
  check_field(loaded.field);
  for (const std::vector<double>* values : {&loaded.rates, &loaded.adam.mean, &loaded.adam.square}) {
    for (double value : *values) {
      if (!std::isfinite(value)) throw refuse("is damaged");
    }
  }
  state = std::move(loaded);
}

}  // namespace sinew::skincells
