#include "apps/torch/training_data/makehuman.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <sstream>

#include "sinew/base/file_bytes.h"
#include "sinew/error.h"
#include "sinew/mesh/submesh.h"

namespace sinew {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

std::string text_of(const fs::path& file) {
  const std::vector<std::byte> bytes = read_file_bytes(file, std::uint64_t{256} << 20);
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

json json_of(const fs::path& file, const char* part) {
  json document = json::parse(text_of(file), nullptr, false);
  if (!document.is_object() || !document.contains(part) || !document[part].is_object()) {
    throw Error(ErrorCode::training_data_invalid, "'" + file.string() + "' is not a MakeHuman file with " + part);
  }
  return document[part];
}

std::uint32_t vertex_index(const json& value, std::size_t count, const fs::path& file) {
  if (!value.is_number_unsigned() || value.get<std::uint64_t>() >= count) {
    throw Error(ErrorCode::training_data_invalid,
                "'" + file.string() + "' names a vertex that the base mesh does not have");
  }
  return value.get<std::uint32_t>();
}

// Two neighbouring steps of a slider and how they mix.
struct Between {
  std::size_t low;
  double share;  // of the one above

  Between(double value, std::size_t steps)
      : low(std::min(static_cast<std::size_t>(value * static_cast<double>(steps - 1)), steps - 2)),
        share(value * static_cast<double>(steps - 1) - static_cast<double>(low)) {}
  double weight(std::size_t step) const { return step == low ? 1 - share : step == low + 1 ? share : 0.0; }
};

}  // namespace

MakeHuman::MakeHuman(const fs::path& folder) {
  read_mesh(folder / "base.obj");
  read_rig(folder / "rigs_makehuman" / "default.mhskel");
  read_weights(folder / "rigs_makehuman" / "default_weights.mhw");
  read_targets(folder / "targets");
}

void MakeHuman::read_mesh(const fs::path& file) {
  std::istringstream lines(text_of(file));
  bool in_body = false;
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string kind, word;
    words >> kind;
    if (kind == "v") {
      Vec3f p;
      if (!(words >> p.x() >> p.y() >> p.z())) {
        throw Error(ErrorCode::training_data_invalid, "'" + file.string() + "' has a vertex without a position");
      }
      positions_.push_back(p);
    } else if (kind == "g") {
      words >> word;
      in_body = word == "body";
    } else if (kind == "f" && in_body) {
      std::vector<std::uint32_t> corners;
      while (words >> word) {
        const unsigned long corner = std::strtoul(word.c_str(), nullptr, 10);
        if (corner < 1 || corner > positions_.size()) {
          throw Error(ErrorCode::training_data_invalid, "'" + file.string() + "' has a broken face");
        }
        corners.push_back(static_cast<std::uint32_t>(corner - 1));
      }
      for (std::size_t k = 2; k < corners.size(); ++k) body_.push_back({corners[0], corners[k - 1], corners[k]});
    }
  }
  if (body_.empty()) throw Error(ErrorCode::training_data_invalid, "'" + file.string() + "' has no group 'body'");
}

void MakeHuman::read_rig(const fs::path& file) {
  const json bones = json_of(file, "bones"), joints = json_of(file, "joints");
  std::map<std::string, Bone> unordered;
  for (const auto& [name, bone] : bones.items()) {
    const auto text = [&bone = bone](const char* key) {
      return bone.is_object() && bone.contains(key) && bone[key].is_string() ? bone[key].get<std::string>() : "";
    };
    Bone own{name, text("parent"), {}};
    const std::string head = text("head");
    if (!joints.contains(head) || !joints[head].is_array() || joints[head].empty()) {
      throw Error(ErrorCode::training_data_invalid,
                  "'" + file.string() + "' does not give the position of '" + name + "'");
    }
    for (const json& vertex : joints[head]) own.head.push_back(vertex_index(vertex, positions_.size(), file));
    unordered[name] = std::move(own);
  }
  std::map<std::string, char> done;
  for (bool more = true; more;) {
    more = false;
    for (const auto& [name, bone] : unordered) {
      if (done[name] || (!bone.parent.empty() && !done[bone.parent])) continue;
      bones_.push_back(bone);
      done[name] = 1;
      more = true;
    }
  }
  if (bones_.size() != unordered.size()) {
    throw Error(ErrorCode::training_data_invalid, "'" + file.string() + "' has bones without a parent");
  }
}

void MakeHuman::read_weights(const fs::path& file) {
  const json weights = json_of(file, "weights");
  weights_.resize(positions_.size());
  for (std::size_t b = 0; b < bones_.size(); ++b) {
    if (!weights.contains(bones_[b].name)) continue;
    for (const json& entry : weights[bones_[b].name]) {
      if (!entry.is_array() || entry.size() != 2 || !entry[1].is_number()) {
        throw Error(ErrorCode::training_data_invalid, "'" + file.string() + "' has a weight that is not a number");
      }
      const std::uint32_t vertex = vertex_index(entry[0], positions_.size(), file);
      const double weight = entry[1].get<double>();
      if (weight > 0) weights_[vertex].push_back({static_cast<std::uint16_t>(b), weight});
    }
  }
}

void MakeHuman::read_targets(const fs::path& folder) {
  std::error_code problem;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder, problem)) {
    if (!entry.is_regular_file() || entry.path().extension() != ".target") continue;
    Target target;
    std::istringstream lines(text_of(entry.path()));
    for (std::string line; std::getline(lines, line);) {
      if (line.empty() || line[0] == '#') continue;
      std::istringstream words(line);
      std::uint32_t vertex = 0;
      Vec3f offset;
      if (!(words >> vertex >> offset.x() >> offset.y() >> offset.z()) || vertex >= positions_.size()) {
        throw Error(ErrorCode::training_data_invalid,
                    "'" + entry.path().string() + "' is not a shape of this base mesh");
      }
      target.vertices.push_back(vertex);
      target.offsets.push_back(offset);
    }
    const fs::path name = fs::relative(entry.path(), folder).replace_extension();
    targets_[name.generic_string()] = std::move(target);
  }
  if (targets_.empty()) {
    throw Error(ErrorCode::training_data_invalid, "there are no shapes in '" + folder.string() + "'");
  }
}

void MakeHuman::add_target(const std::string& name, double amount, std::vector<Vec3f>& positions) const {
  const auto found = targets_.find(name);
  if (found == targets_.end() || amount == 0) return;
  for (std::size_t i = 0; i < found->second.vertices.size(); ++i) {
    positions[found->second.vertices[i]] += static_cast<float>(amount) * found->second.offsets[i];
  }
}

Character MakeHuman::draw(Random& random) const {
  static constexpr std::array<const char*, 3> origins = {"african", "asian", "caucasian"};
  static constexpr std::array<const char*, 3> ages = {"child", "young", "old"};
  static constexpr std::array<const char*, 3> muscles = {"minmuscle", "averagemuscle", "maxmuscle"};
  static constexpr std::array<const char*, 3> weights = {"minweight", "averageweight", "maxweight"};
  std::vector<Vec3f> positions = positions_;
  const double female = random.uniform() < 0.2 ? random.uniform() : random.uniform() < 0.5 ? 0.0 : 1.0;
  const Between age(random.uniform(), ages.size()), muscle(random.uniform(), muscles.size()),
      weight(random.uniform(), weights.size());
  const std::string origin = origins[random.below(origins.size())];
  const double height = random.uniform(-0.7, 0.7);
  for (const auto& [sex, share] :
       {std::pair{std::string("female"), female}, std::pair{std::string("male"), 1 - female}}) {
    for (std::size_t a = 0; a < ages.size(); ++a) {
      const double aged = share * age.weight(a);
      const std::string person = sex + "-" + ages[a];
      add_target("macrodetails/" + origin + "-" + person, aged, positions);
      for (std::size_t m = 0; m < muscles.size(); ++m) {
        for (std::size_t w = 0; w < weights.size(); ++w) {
          add_target("macrodetails/universal-" + person + "-" + muscles[m] + "-" + weights[w],
                     aged * muscle.weight(m) * weight.weight(w), positions);
        }
      }
      add_target(
          "macrodetails/height/" + person + "-averagemuscle-averageweight-" + (height > 0 ? "maxheight" : "minheight"),
          aged * std::abs(height), positions);
    }
  }
  // Local shapes: one in four, those of the right side as those of the left.
  std::map<std::string, double> amounts;
  for (const auto& [name, target] : targets_) {
    if (name.starts_with("macrodetails/") || name.starts_with("measure/")) continue;
    std::string key = name;
    if (const std::size_t right = key.find("/r-"); right != std::string::npos) key[right + 1] = 'l';
    if (!amounts.contains(key)) amounts[key] = random.uniform() < 0.25 ? 0.7 * random.uniform() : 0.0;
    add_target(name, amounts[key], positions);
  }

  Character character;
  character.name = "makehuman";
  std::map<std::string, int> joint_of;
  for (const Bone& bone : bones_) {
    Vec3d head = Vec3d::Zero();
    for (const std::uint32_t v : bone.head) head += positions[v].cast<double>() / static_cast<double>(bone.head.size());
    const int parent = bone.parent.empty() ? -1 : joint_of.at(bone.parent);
    joint_of[bone.name] =
        add_joint(character.skeleton, bone.name, parent, Affine3d(Eigen::Translation3d(0.1 * head)));  // decimetres
  }
  std::vector<std::uint32_t> vertices;
  character.mesh = submesh(positions, body_, vertices);
  for (Vec3f& p : character.mesh.positions) p *= 0.1f;
  character.weights = make_skin_weights(vertices.size(), 8);
  for (std::size_t v = 0; v < vertices.size(); ++v) {
    if (!set_influences(character.weights, v, weights_[vertices[v]])) set_influences(character.weights, v, {{0, 1.0}});
  }
  return character;
}

}  // namespace sinew
