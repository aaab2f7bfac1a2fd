// People made from MakeHuman's own data: a base mesh, a rig, weights, and shapes to mix. The data is CC0 and not part
// of this project; the folder holds base.obj, rigs_makehuman/default.mhskel,
// rigs_makehuman/default_weights.mhw and targets/.
//
//   const MakeHuman people("makehuman");
//   Random random(7);
//   Character someone = people.draw(random);
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "sinew/base/random.h"
#include "sinew/character.h"

namespace sinew {

class MakeHuman {
 public:
  // Throws Error(bad_input) when a file is missing or makes no sense.
  explicit MakeHuman(const std::filesystem::path& folder);

  // Sex, age, origin, muscles, weight and height at random, and some local shapes (limbs, trunk, head), left and right
  // alike. The naked body, arms lowered a little.
  Character draw(Random& random) const;

 private:
  // A shape: vertices that move.
  struct Target {
    std::vector<std::uint32_t> vertices;
    std::vector<Vec3f> offsets;
  };
  struct Bone {
    std::string name, parent;
    std::vector<std::uint32_t> head;  // stands in the middle of these vertices
  };

  void read_mesh(const std::filesystem::path& file);
  void read_rig(const std::filesystem::path& file);
  void read_weights(const std::filesystem::path& file);
  void read_targets(const std::filesystem::path& folder);
  void add_target(const std::string& name, double amount, std::vector<Vec3f>& positions) const;

  std::vector<Vec3f> positions_;  // of the whole base, helpers too
  std::vector<Triangle> body_;
  std::vector<Bone> bones_;  // parents first
  std::vector<std::vector<Influence>> weights_;
  std::map<std::string, Target> targets_;  // by path below targets/, without extension
};

}  // namespace sinew
