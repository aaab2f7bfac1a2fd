// .sinewc files: whatever opens must be safe to evaluate on every level.
#include <cstdlib>
#include <cstring>

#include "sinew/correctives/corrective_model.h"
#include "sinew/runtime/correctives.h"
#include "sinew/runtime/hash_words.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace sinew;
  std::vector<std::byte> bytes(reinterpret_cast<const std::byte*>(data),
                               reinterpret_cast<const std::byte*>(data) + size);
  bytes.resize((size + 63) / 64 * 64);
  if (bytes.size() >= 64) {  // a hash and a length that fit, or nothing would get past them
    const std::uint64_t length = bytes.size(), hash = hash_words(std::span(bytes).subspan(64));
    std::memcpy(bytes.data() + 32, &length, 8);
    std::memcpy(bytes.data() + 40, &hash, 8);
  }
  const CorrectiveFile file(bytes);
  Correctives set;
  if (open_correctives(file.bytes(), set) != RuntimeStatus::ok) return 0;
  if (set.workspace_bytes() > (std::size_t{1} << 28)) return 0;
  std::vector<CacheLine> storage((set.workspace_bytes() + 63) / 64);
  const auto workspace = std::as_writable_bytes(std::span(storage));
  const auto must = [](RuntimeStatus status) {
    if (status != RuntimeStatus::ok) std::abort();
  };
  must(prepare_workspace(set, workspace));
  std::vector<float> rotations(4 * static_cast<std::size_t>(set.joint_count()), 0.5f);
  must(evaluate_correctives(set, rotations, 0, workspace).status);
  for (int level = 0; level < set.level_count(); ++level) {
    std::vector<float> positions(3 * set.vertex_count(level)), normals(positions.size());
    must(corrected_positions(set, level, workspace, positions));
    must(posed_normals(set, level, positions, normals));
  }
  return 0;
}
