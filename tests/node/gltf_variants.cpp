// gltf_variants INPUT.glb FOLDER   or   gltf_variants generated FOLDER
//
// Writes what the library makes of a character after typical changes, FOLDER/NAME.glb, and beside each one what it
// should look like to any other reader: NAME.json with joints, weights and posed positions. check_gltf.mjs compares.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <string>

#include "sinew/asset/gltf/gltf_targets.h"
#include "sinew/io.h"
#include "tests/asset/gltf_sample.h"

namespace sinew::test {
namespace {

void print_number(std::FILE* out, double value, bool first) { std::fprintf(out, first ? "%.7g" : ",%.7g", value); }

using Poser = std::function<std::vector<Vec3d>(const Motion& motion, int frame)>;

void dump(const Character& character, const std::filesystem::path& path, const Poser& posed_at) {
  std::FILE* out = std::fopen(path.c_str(), "w");
  if (!out) std::abort();
  std::fprintf(out, "{\"diagonal\":%.9g,\"joints\":[", bounding_diagonal(character.mesh));
  for (int joint = 0; joint < character.skeleton.joint_count(); ++joint) {
    std::fprintf(out, "%s\"%s\"", joint ? "," : "", character.skeleton.names[joint].c_str());
  }
  std::fprintf(out, "],\"parts\":[");
  for (std::size_t i = 0; i < character.parts.size(); ++i) {
    std::fprintf(out, "%s{\"name\":\"%s\",\"count\":%zu,\"skinned\":%s}", i ? "," : "", character.parts[i].name.c_str(),
                 character.parts[i].vertex_count,
                 character.parts[i].binding == PartBinding::skinned ? "true" : "false");
  }
  std::fprintf(out, "],\"influences\":%d,\"weight_joints\":[", character.weights.influences);
  for (std::size_t i = 0; i < character.weights.joints.size(); ++i) {
    print_number(out, character.weights.joints[i], i == 0);
  }
  std::fprintf(out, "],\"weights\":[");
  for (std::size_t i = 0; i < character.weights.weights.size(); ++i) {
    print_number(out, character.weights.weights[i], i == 0);
  }
  std::fprintf(out, "],\"poses\":[");
  bool first_pose = true;
  for (std::size_t m = 0; m < character.motions.size(); m += character.motions.size() / 4 + 1) {
    const Motion& motion = character.motions[m];
    for (const int frame : {0, motion.frame_count() / 3, motion.frame_count() * 2 / 3}) {
      std::fprintf(out, "%s{\"animation\":\"%s\",\"seconds\":%.9g,\"positions\":[", first_pose ? "" : ",",
                   motion.name.c_str(), frame / motion.frames_per_second);
      first_pose = false;
      const std::vector<Vec3d> posed = posed_at(motion, frame);
      for (std::size_t i = 0; i < posed.size(); ++i) {
        for (int axis = 0; axis < 3; ++axis) print_number(out, posed[i][axis], i == 0 && axis == 0);
      }
      std::fprintf(out, "]}");
    }
  }
  std::fprintf(out, "]}\n");
  std::fclose(out);
}

void write_variant(const Character& character, const std::filesystem::path& folder, const std::string& name,
                   const SaveOptions& options = {}) {
  save_character(character, folder / (name + ".glb"), options);
  dump(character, folder / (name + ".json"),
       [&](const Motion& motion, int frame) { return posed_positions(character, frame_pose(motion, frame)); });
}

// The first motion with a bulge that comes and goes, as morph targets.
void write_targets(const Character& character, const std::filesystem::path& folder) {
  Character one = character;
  one.motions.resize(1);
  const Motion& motion = one.motions[0];
  const double size = 0.02 * bounding_diagonal(one.mesh);
  std::vector<std::vector<Vec3f>> frames;
  for (int frame = 0; frame < motion.frame_count(); ++frame) {
    std::vector<Vec3f> offsets;
    for (const Vec3f& p : one.mesh.positions) {
      offsets.push_back((size * std::sin(0.7 * frame) * std::cos(p.y() / size) * Vec3d(1, 0.5, 0)).cast<float>());
    }
    frames.push_back(std::move(offsets));
  }
  MorphTargets targets = compress_to_targets(frames, 1e-7 * bounding_diagonal(one.mesh), 8);
  targets.motion = motion.name;
  for (int frame = 0; frame < motion.frame_count(); ++frame) targets.times.push_back(frame / motion.frames_per_second);
  save_written(write_gltf_targets(character, targets, FileFormat::glb), folder / "targets.glb");
  dump(one, folder / "targets.json", [&](const Motion& played, int frame) {
    Character moved = one;
    for (std::size_t v = 0; v < moved.mesh.positions.size(); ++v) moved.mesh.positions[v] += frames[frame][v];
    return posed_positions(moved, frame_pose(played, frame));
  });
}

// Every vertex of a skinned part to the nearest joint.
void bind_to_nearest(Character& character) {
  for (const Part& part : character.parts) {
    if (part.binding != PartBinding::skinned) continue;
    for (std::size_t v = part.first_vertex; v < part.first_vertex + part.vertex_count; ++v) {
      int nearest = -1;
      double best = 1e300;
      for (int joint = 0; joint < character.skeleton.joint_count(); ++joint) {
        const double distance =
            (character.skeleton.position(joint) - character.mesh.positions[v].cast<double>()).norm();
        if (character.skeleton.kinds[joint] != JointKind::joint || distance >= best) continue;
        best = distance;
        nearest = joint;
      }
      set_influences(character.weights, v, {{static_cast<std::uint16_t>(nearest), 1.0}});
    }
  }
}

void write_variants(const Character& character, const std::filesystem::path& folder) {
  write_variant(character, folder, "same");
  Character fresh = character;
  fresh.source.reset();
  write_variant(fresh, folder, "fresh");
  if (character.has_skin()) {
    Character nearest = character;
    bind_to_nearest(nearest);
    write_variant(nearest, folder, "weights");
  }
  const bool skinned = std::all_of(character.parts.begin(), character.parts.end(),
                                   [](const Part& part) { return part.binding == PartBinding::skinned; });
  if (skinned && !character.motions.empty()) write_targets(character, folder);
  Character moved = character;
  for (Vec3f& position : moved.mesh.positions) position.y() *= 1.05f;
  write_variant(moved, folder, "positions");
  Character halved = character;  // another topology: every other triangle, per part
  halved.mesh.triangles.clear();
  for (Part& part : halved.parts) {
    const std::size_t first = part.first_triangle, count = part.triangle_count;
    part.first_triangle = halved.mesh.triangles.size();
    for (std::size_t i = first; i < first + count; i += 2) halved.mesh.triangles.push_back(character.mesh.triangles[i]);
    part.triangle_count = halved.mesh.triangles.size() - part.first_triangle;
  }
  write_variant(halved, folder, "triangles");
  if (character.skeleton.empty()) return;
  Character animated = character;
  Motion nod;
  nod.name = "added nod";
  nod.joint_count = character.skeleton.joint_count();
  const Pose rest = rest_pose(character.skeleton);
  for (int frame = 0; frame < 12; ++frame) {
    for (std::size_t joint = 0; joint < rest.size(); ++joint) {
      Transform key = rest[joint];
      if (joint % 3 == 1) key.rotation = key.rotation * Quatd(Eigen::AngleAxisd(0.05 * frame, Vec3d::UnitZ()));
      nod.transforms.push_back(key);
    }
  }
  animated.motions.insert(animated.motions.begin(), nod);
  write_variant(animated, folder, "motion");
  Character stretched = character;  // the same joints elsewhere
  for (Affine3d& joint : stretched.skeleton.rest) joint.translation().y() *= 1.1;
  stretched.motions.assign(1, nod);
  write_variant(stretched, folder, "joints");
  Character renamed = character;  // another skeleton
  for (std::string& name : renamed.skeleton.names) name = "new " + name;
  renamed.motions.assign(1, nod);
  write_variant(renamed, folder, "skeleton");
  write_variant(with_other_skeleton(character), folder, "replaced");
  SaveOptions keep;
  keep.keep_old_skeleton = true;
  write_variant(with_other_skeleton(character), folder, "kept", keep);
  try {
    SaveOptions vrm;
    vrm.as_vrm = true;
    vrm.vrm.authors = {"somebody"};
    save_character(character, folder / "vrm.glb", vrm);
  } catch (const Error& error) {
    if (error.code() != ErrorCode::skeleton_not_understood) throw;  // not a person
  }
  for (const char* word : {"mixamo", "unreal"}) {
    Character named = character;
    use_names(named.skeleton, named.motions, *name_convention(word));
    write_variant(named, folder, word);
  }
}

}  // namespace
}  // namespace sinew::test

int main(int argc, char** argv) {
  using namespace sinew;
  if (argc != 3) {
    std::fprintf(stderr, "usage: gltf_variants INPUT.glb|generated FOLDER\n");
    return 2;
  }
  try {
    const std::filesystem::path folder = argv[2];
    if (std::string(argv[1]) == "generated") {
      save_character(test::sample_character(), folder / "input.glb");
      test::write_variants(load_character(folder / "input.glb"), folder);
      SaveOptions bytes;
      bytes.quantise_weights = true;
      save_character(test::sample_character(), folder / "quantised.glb", bytes);
      save_character(test::sample_character(7, 12), folder / "seven_influences.glb");
    } else {
      std::filesystem::copy_file(argv[1], folder / "input.glb");
      test::write_variants(load_character(argv[1]), folder);
    }
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s: %s\n", argv[1], error.what());
    return 1;
  }
  return 0;
}
