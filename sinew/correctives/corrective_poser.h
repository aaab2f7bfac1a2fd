// Posing with correctives, the convenient way: owns the file and the workspace; allocates.
#pragma once

#include <memory>
#include <vector>

#include "sinew/correctives/corrective_model.h"
#include "sinew/runtime/correctives.h"

namespace sinew {

class CorrectivePoser {
 public:
  // Throws Error(bad_input) when the bytes are no valid .sinewc.
  explicit CorrectivePoser(CorrectiveFile file);
  CorrectivePoser(CorrectivePoser&&) = default;
  CorrectivePoser(const CorrectivePoser&) = delete;

  const Correctives& set() const { return set_; }

  // Whether the file was trained for this character: same joints, same rest positions within 1e-4 of the diagonal on
  // level 0. Throws Error(bad_input) saying what differs otherwise.
  void check_fits(const Character& character) const;

  struct Posed {
    std::vector<Vec3f> positions, normals;  // one per vertex of the level
    CorrectiveResult result;
  };
  // `level`: 0 is the finest. `budget_microseconds`: for the correctives alone, 0 for none.
  Posed pose(const Skeleton& skeleton, const Pose& pose, int level = 0, double budget_microseconds = 0);
  // The corrected shape before skinning.
  std::vector<Vec3f> corrected_rest(const Pose& pose, int level = 0, double budget_microseconds = 0,
                                    CorrectiveResult* result = nullptr);

 private:
  std::span<std::byte> workspace() { return std::as_writable_bytes(std::span(workspace_)); }

  CorrectiveFile file_;
  Correctives set_;
  std::vector<CacheLine> workspace_;
};

}  // namespace sinew
