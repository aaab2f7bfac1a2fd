// Any sequence of calls of the C interface, with any arrays, must end in a status: handles that are alive, destroyed or
// not handles at all, counts that do not fit, numbers that are not numbers, structs of any size.
#include <array>
#include <cstring>
#include <string>
#include <vector>

#include "fuzz/c_interface_files.h"
#include "fuzz/c_interface_reports.h"
#include "fuzz/fuzz_input.h"
#include "sinew/sinew_c.h"

namespace sinew::fuzz {
namespace {

class Player {
 public:
  explicit Player(Input& input) : input_(input) {
    results_[0] = sinew_result_create();
    results_[1] = sinew_result_create();
    characters_[0] = reinterpret_cast<sinew_character*>(std::uintptr_t{0x5a5a});  // never was a handle
  }
  ~Player() {
    for (sinew_character* character : characters_) sinew_character_destroy(character);
    for (sinew_painter* painter : painters_) sinew_painter_destroy(painter);
    for (sinew_result* result : results_) sinew_result_destroy(result);
  }
  Player(const Player&) = delete;
  Player& operator=(const Player&) = delete;

  void call() {
    switch (input_.below(38)) {
      case 0:
        return make();
      case 1:
        return sinew_character_destroy(character());
      case 2:
        return copy();
      case 3:
      case 4:
        return set_mesh();
      case 5:
      case 6:
        return set_skeleton();
      case 7:
        return set_weights();
      case 8:
        return add_motion();
      case 9:
        return read_back();
      case 10:
        return pose();
      case 11:
      case 12:
        return bind();
      case 13:
        return write_and_read();
      case 14:
        return levels();
      case 15:
        return look_at_result();
      case 16:
        return paint();
      case 17:
        return render();
      case 18:
        return retarget();
      case 19:
        return evaluate();
      case 20:
        return read_bytes();
      case 21:
        return sinew_painter_destroy(painter());
      case 22:
        return fit();
      case 23:
        return reports_.check();
      case 24:
        return reports_.fix();
      case 25:
        return reports_.look_at_check();
      case 26:
        return reports_.weights_from_others();
      case 27:
        return reports_.weights_as_text();
      case 28:
        return reports_.generate();
      case 29:
        return reports_.recognise();
      case 30:
        return reports_.edit_weights();
      case 31:
        return reports_.train();
      case 32:
        return rig();
      case 33:
        return name();
      case 34:
        return files_.load_and_save();
      case 35:
        return files_.correctives();
      case 36:
        return files_.made_by_name();
      default:
        sinew_use_skeleton(character(), character(), result());
    }
  }

 private:
  // Characters made here stay small, so that a run takes milliseconds.
  static constexpr std::size_t most = 12;

  // Mostly the second, so that calls build on each other.
  sinew_character*& character() {
    static constexpr std::size_t slots[] = {1, 1, 1, 1, 1, 2, 3, 0};
    return characters_[slots[input_.below(std::size(slots))]];
  }
  sinew_painter*& painter() { return painters_[input_.below(painters_.size())]; }
  sinew_result* result() { return input_.below(16) == 0 ? nullptr : results_[input_.below(results_.size())]; }

  void make() {
    sinew_character* made = nullptr;
    if (sinew_character_create("made", &made, result()) == SINEW_OK) give(made);
  }
  void give(sinew_character* made) {
    sinew_character*& slot = character();
    sinew_character_destroy(slot);
    slot = made;
  }
  void copy() {
    sinew_character* copied = nullptr;
    if (sinew_character_copy(character(), &copied, result()) == SINEW_OK) give(copied);
  }

  template <typename Struct>
  void size_of(Struct& arrays) {
    arrays.struct_size = input_.below(32) == 0 ? input_.take<std::uint8_t>() : sizeof arrays;
  }

  void set_mesh() {
    sinew_mesh_arrays mesh{};
    size_of(mesh);
    mesh.vertex_count = input_.below(most);
    mesh.triangle_count = input_.below(most);
    const std::vector<float> positions = input_.coordinates(3 * mesh.vertex_count);
    const std::vector<float> normals = input_.coordinates(3 * mesh.vertex_count);
    std::vector<std::uint32_t> corners(3 * mesh.triangle_count);
    const std::size_t corner_limit = mesh.vertex_count + (mesh.vertex_count == 0 || input_.below(16) == 0);
    for (std::uint32_t& corner : corners) corner = static_cast<std::uint32_t>(input_.below(corner_limit));
    mesh.positions = maybe(input_, positions);
    mesh.triangles = maybe(input_, corners);
    if (input_.below(2) == 0) mesh.normals = normals.data();
    std::array<sinew_part, 2> parts{};
    std::size_t vertex = 0, triangle = 0;
    for (sinew_part& part : parts) {
      part = {
          "part", nullptr, vertex, input_.below(most), triangle, input_.below(most), static_cast<int>(input_.below(4))};
      vertex += part.vertex_count;
      triangle += part.triangle_count;
    }
    mesh.part_count = input_.below(3);
    mesh.parts = parts.data();
    sinew_set_mesh(character(), &mesh, result());
  }

  void set_skeleton() {
    sinew_skeleton_arrays skeleton{};
    size_of(skeleton);
    skeleton.joint_count = input_.below(most);
    std::vector<const char*> names(skeleton.joint_count, "joint");
    if (!names.empty() && input_.below(8) == 0) names[0] = nullptr;
    std::vector<std::int32_t> parents(skeleton.joint_count);
    const bool any_parent = input_.below(16) == 0;
    for (std::size_t joint = 0; joint < parents.size(); ++joint) {
      parents[joint] = static_cast<std::int32_t>(input_.below(any_parent ? most : joint + 1)) - 1;
    }
    std::vector<double> rest(16 * skeleton.joint_count);
    for (std::size_t i = 0; i < rest.size(); i += 16) {
      for (const std::size_t at : {0u, 5u, 10u, 15u}) rest[i + at] = 1;
      for (const std::size_t at : {12u, 13u, 14u}) rest[i + at] = static_cast<double>(input_.take<std::int8_t>()) / 32;
    }
    if (!rest.empty() && input_.below(8) == 0) rest[input_.below(rest.size())] = input_.take<double>();
    const std::vector<std::uint8_t> kinds = input_.array<std::uint8_t>(skeleton.joint_count);
    skeleton.names = maybe(input_, names);
    skeleton.parents = maybe(input_, parents);
    skeleton.rest = maybe(input_, rest);
    if (input_.below(4) == 0) skeleton.kinds = kinds.data();
    sinew_set_skeleton(character(), &skeleton, result());
  }

  void set_weights() {
    sinew_weight_arrays weights{};
    size_of(weights);
    weights.vertex_count = input_.below(most);
    weights.influences = static_cast<int>(input_.below(4));
    const std::size_t slots = weights.vertex_count * static_cast<std::size_t>(weights.influences);
    std::vector<std::uint16_t> joints(slots);
    for (std::uint16_t& joint : joints) joint = static_cast<std::uint16_t>(input_.below(4));
    std::vector<float> numbers(slots);
    for (float& number : numbers) number = static_cast<float>(input_.take<std::uint8_t>()) / 128.0f;
    if (!numbers.empty() && input_.below(8) == 0) numbers[0] = input_.take<float>();
    weights.joints = maybe(input_, joints);
    weights.weights = maybe(input_, numbers);
    sinew_set_weights(character(), input_.below(8) == 0 ? nullptr : &weights, result());
  }

  std::vector<sinew_joint_transform> transforms(std::size_t count) {
    std::vector<sinew_joint_transform> list(count);
    for (sinew_joint_transform& transform : list) {
      for (double& number : transform.translation) number = static_cast<double>(input_.take<std::int8_t>()) / 32;
      for (double& number : transform.rotation) number = static_cast<double>(input_.take<std::int8_t>()) / 64;
      for (double& number : transform.scale) number = input_.below(8) == 0 ? input_.take<double>() : 1.0;
    }
    return list;
  }

  void add_motion() {
    sinew_motion_arrays motion{};
    size_of(motion);
    motion.name = input_.below(4) == 0 ? nullptr : "motion";
    motion.frames_per_second = input_.below(8) == 0 ? input_.take<double>() : 30;
    motion.frame_count = input_.below(4);
    motion.joint_count = input_.below(most);
    const auto list = transforms(motion.frame_count * motion.joint_count);
    motion.transforms = maybe(input_, list);
    sinew_add_motion(character(), &motion, result());
    if (input_.below(8) == 0) sinew_remove_motion(character(), input_.below(4), result());
  }

  // Reads every borrowed array to its end.
  void read_back() {
    const sinew_character* from = character();
    double sum = 0;
    mesh_ = {};
    size_of(mesh_);
    if (sinew_get_mesh(from, &mesh_, result()) == SINEW_OK && mesh_.struct_size == sizeof mesh_) {
      for (std::size_t i = 0; i < 3 * mesh_.vertex_count; ++i) sum += mesh_.positions[i];
      for (std::size_t i = 0; i < 3 * mesh_.triangle_count; ++i) sum += mesh_.triangles[i];
      for (std::size_t i = 0; i < mesh_.part_count; ++i) sum += static_cast<double>(std::strlen(mesh_.parts[i].name));
    }
    sinew_skeleton_arrays skeleton{};
    skeleton.struct_size = sizeof skeleton;
    if (sinew_get_skeleton(from, &skeleton, nullptr) == SINEW_OK) {
      for (std::size_t j = 0; j < skeleton.joint_count; ++j) {
        sum += static_cast<double>(std::strlen(skeleton.names[j])) + skeleton.parents[j] + skeleton.rest[16 * j + 15];
      }
    }
    sinew_weight_arrays weights{};
    weights.struct_size = sizeof weights;
    if (sinew_get_weights(from, &weights, nullptr) == SINEW_OK && weights.vertex_count > 0) {
      sum += weights.weights[weights.vertex_count * static_cast<std::size_t>(weights.influences) - 1];
    }
    sinew_character_info info{};
    size_of(info);
    sinew_get_info(from, &info, result());
    keep_ = sum;
  }

  void pose() {
    const sinew_character* from = character();
    const std::size_t joints = input_.below(most);
    auto list = transforms(joints);
    std::vector<double> globals(16 * most);
    std::vector<float> matrices(16 * most), positions(3 * most), normals(3 * most);
    std::vector<std::int32_t> mirror(most);
    double plane[4];
    sinew_rest_pose(from, list.data(), joints, result());
    sinew_sample_motion(from, input_.below(3), input_.take<double>(), static_cast<int>(input_.below(2)), list.data(),
                        joints, result());
    sinew_pose_joints(from, list.data(), joints, globals.data(), result());
    sinew_pose_matrices(from, list.data(), joints, matrices.data(), result());
    sinew_pose_vertices(from, list.data(), joints, static_cast<int>(input_.below(3)), positions.data(),
                        input_.below(2) == 0 ? nullptr : normals.data(), input_.below(most), result());
    sinew_mirror_joints(from, mirror.data(), joints, plane, result());
  }

  static int tell(void* user, double, const char*) { return --*static_cast<int*>(user) < 0; }

  sinew_bind_options bind_options() {
    static constexpr const char* methods[] = {"heat", "proximity", "atlas", "no such"};
    static constexpr const char* joints[] = {"auto", "all", "weighted", "joint", "*,-joint", ""};
    sinew_bind_options options;
    sinew_bind_options_defaults(&options, sizeof options);
    size_of(options);
    options.method = methods[input_.below(std::size(methods))];
    options.joints = joints[input_.below(std::size(joints))];
    options.max_influences = static_cast<int>(input_.below(20));
    options.threads = 1;
    if (input_.below(8) == 0) options.body = character();
    if (input_.below(8) == 0) options.reference = character();
    rule_ = {input_.below(4) == 0 ? "#1" : "part", input_.below(2) == 0 ? "joint" : nullptr,
             static_cast<int>(input_.below(5))};
    options.part_count = input_.below(2);
    options.parts = input_.below(16) == 0 ? nullptr : &rule_;
    if (input_.below(8) == 0) options.pins = "[{\"vertex\": 1, \"weights\": {\"joint\": 1}}]";
    return options;
  }

  void bind() {
    const sinew_bind_options options = bind_options();
    int calls = static_cast<int>(input_.below(64));
    const sinew_progress progress{tell, &calls};
    sinew_bind(character(), &options, &progress, result());
  }

  void write_and_read() {
    static constexpr const char* formats[] = {"glb", "gltf", "obj", "ply", "stl", "off", "bvh", "fbx", "no such"};
    if (sinew_write(character(), formats[input_.below(std::size(formats))], nullptr, results_[0]) != SINEW_OK) return;
    const void* bytes = nullptr;
    std::size_t size = 0;
    if (sinew_result_file(results_[0], 0, nullptr, &bytes, &size) != SINEW_OK) return;
    sinew_character* read = nullptr;
    if (sinew_read(bytes, size, nullptr, &read, results_[1]) == SINEW_OK) give(read);
  }

  void read_bytes() {
    const std::vector<std::uint8_t> bytes = input_.array<std::uint8_t>(input_.below(64));
    sinew_character* read = nullptr;
    if (sinew_read(bytes.data(), bytes.size(), nullptr, &read, result()) == SINEW_OK) give(read);
    sinew_apply_field(character(), bytes.data(), bytes.size(), result());
  }

  void levels() {
    sinew_lod_options options;
    sinew_lod_options_defaults(&options, sizeof options);
    options.levels = static_cast<int>(input_.below(5));
    options.ratio = input_.take<float>();
    std::array<sinew_character*, 3> made{};
    std::size_t count = 0;
    sinew_make_lods(character(), &options, nullptr, made.data(), made.size(), &count, result());
    for (sinew_character* level : made) sinew_character_destroy(level);
  }

  void look_at_result() {
    sinew_result* looked = result();
    const std::size_t index = input_.below(4);
    const char *text = nullptr, *other = nullptr;
    const void* bytes = nullptr;
    std::size_t size = 0;
    double number = 0;
    if (sinew_result_warning(looked, index, &text, &other) == SINEW_OK) keep_ = static_cast<double>(std::strlen(other));
    keep_ = static_cast<double>(sinew_result_warning_count(looked) + sinew_result_file_count(looked) +
                                std::strlen(sinew_status_name(sinew_result_status(looked))) +
                                std::strlen(sinew_result_advice(looked)) + std::strlen(sinew_result_option(looked)));
    sinew_result_file(looked, index, &text, &bytes, &size);
    sinew_result_number(looked, "vertices", &number);
    sinew_result_values(looked, &size);
    keep_ = static_cast<double>(std::strlen(sinew_result_json(looked)) + std::strlen(sinew_result_message(looked)));
    if (input_.below(32) == 0) sinew_result_destroy(looked);
  }

  void paint() {
    sinew_bind_options options = bind_options();
    static constexpr const char* few_points[] = {"resolution=100"};  // otherwise it takes a second
    options.method = "biharmonic";
    options.values = few_points;
    options.value_count = 1;
    int calls = 16;
    const sinew_progress progress{tell, &calls};
    sinew_painter* made = nullptr;
    sinew_character* painted = character();
    if (sinew_painter_create(painted, &options, &progress, &made, result()) == SINEW_OK) {
      sinew_painter_destroy(painters_[0]);
      painters_[0] = made;
    }
    const std::array<std::uint32_t, 2> vertices{static_cast<std::uint32_t>(input_.below(most)), 1};
    const std::array<float, 2> amounts{input_.take<float>(), 1};
    sinew_stroke stroke{};
    size_of(stroke);
    stroke.joint = static_cast<int>(input_.below(most)) - 1;
    stroke.target = input_.take<double>();
    stroke.vertex_count = 2;
    stroke.vertices = vertices.data();
    stroke.amounts = amounts.data();
    sinew_painter_brush(painter(), painted, &stroke, result());
    sinew_painter_free(painter(), vertices.data(), input_.below(3), result());
    sinew_painter_solve(painter(), character(), static_cast<int>(input_.below(2)), &progress, result());
    sinew_painter_get_pins(painter(), result());
    sinew_painter_set_pins(painter(), "[]", result());
  }

  void render() {
    static constexpr const char* modes[] = {"shaded", "weights", "dominant", "influences", "parts", "no such"};
    sinew_render_options options;
    sinew_render_options_defaults(&options, sizeof options);
    options.mode = modes[input_.below(std::size(modes))];
    options.joint = input_.below(2) == 0 ? "joint" : nullptr;
    options.width = static_cast<int>(input_.below(9)) - 1;
    options.height = 4;
    options.samples = static_cast<int>(input_.below(3));
    options.motion = static_cast<int>(input_.below(3)) - 1;
    options.seconds = input_.take<double>();
    options.threads = 1;
    sinew_render(character(), &options, nullptr, result());
  }

  void retarget() {
    sinew_retarget_options options;
    sinew_retarget_options_defaults(&options, sizeof options);
    options.scale = input_.below(4) == 0 ? input_.take<double>() : 0;
    if (input_.below(4) == 0) options.rest = character();
    for (double* number : {&options.begin, &options.end, &options.speed, &options.frames_per_second}) {
      if (input_.below(4) == 0) *number = input_.take<double>();
    }
    options.mirror = input_.below(4) == 0;
    options.in_place = input_.below(4) == 0;
    static constexpr const char* rests[] = {"auto", "none", "frame", "no such", nullptr};
    options.rest_pose = rests[input_.below(std::size(rests))];
    options.rest_frame = static_cast<int>(input_.below(6)) - 1;
    size_of(options);
    options.threads = 1;
    sinew_map_retargeting(character(), character(), &options, result());
    sinew_retarget(character(), character(), &options, nullptr, result());
  }

  void evaluate() {
    sinew_evaluate_options options;
    sinew_evaluate_options_defaults(&options, sizeof options);
    options.random_poses = static_cast<int>(input_.below(3)) - 1;
    options.poses_per_motion = static_cast<int>(input_.below(3)) - 1;
    options.max_influences = static_cast<int>(input_.below(4)) - 1;
    options.threads = 1;
    sinew_evaluate(character(), input_.below(2) == 0 ? nullptr : character(), &options, nullptr, result());
  }

  void rig() {
    sinew_fit_options fit_options;
    sinew_fit_options_defaults(&fit_options, sizeof fit_options);
    fit_options.cells = 48;
    fit_options.least_confidence = 0;
    sinew_generate_options generate;
    sinew_generate_options_defaults(&generate, sizeof generate);
    generate.cells = 48;
    const sinew_bind_options bound = bind_options();
    sinew_rig_options options;
    sinew_rig_options_defaults(&options, sizeof options);
    size_of(options);
    options.fit = &fit_options;
    options.bind = input_.below(2) == 0 ? nullptr : &bound;
    if (input_.below(2) == 0) options.skeleton = character();
    if (input_.below(2) == 0) options.generate = &generate;
    options.threads = 1;
    sinew_rig(character(), character(), &options, nullptr, result());
  }

  void name() {
    static constexpr const char* names[] = {"", "new", "\xff\xfe", nullptr};
    sinew_set_name(character(), names[input_.below(std::size(names))], result());
    motion_ = {};
    size_of(motion_);
    if (sinew_get_motion(character(), input_.below(3), &motion_, result()) == SINEW_OK &&
        motion_.struct_size == sizeof motion_ && motion_.frame_count * motion_.joint_count > 0) {
      keep_ = motion_.transforms[motion_.frame_count * motion_.joint_count - 1].scale[2];
    }
    sinew_list_methods(result());
    sinew_list_finding_kinds(result());
  }

  void fit() {
    sinew_fit_options options;
    sinew_fit_options_defaults(&options, sizeof options);
    const std::array<std::int32_t, 1> held{static_cast<std::int32_t>(input_.take<std::int8_t>())};
    const std::array<double, 3> place{input_.take<double>(), 0, 0};
    options.held_count = input_.below(2);
    options.held_joints = held.data();
    options.held_positions = place.data();
    options.cells = static_cast<int>(input_.below(64));
    static constexpr const char* kinds[] = {nullptr, "person", "four-legs", "no such"};
    options.kind = kinds[input_.below(std::size(kinds))];
    if (input_.below(4) == 0) options.up[input_.below(3)] = input_.take<double>();
    if (input_.below(4) == 0) options.forward[input_.below(3)] = input_.take<double>();
    options.least_confidence = static_cast<double>(input_.below(5)) / 4;
    options.explain = input_.below(8) == 0;
    static constexpr const char* places[] = {"chin", "wrist.L", "ankle.R", "joint", "wrist", nullptr};
    const std::array<const char*, 2> names{places[input_.below(std::size(places))],
                                           places[input_.below(std::size(places))]};
    std::array<double, 6> markers{};
    for (double& coordinate : markers) coordinate = static_cast<double>(input_.take<std::int8_t>()) / 32;
    if (input_.below(8) == 0) markers[input_.below(markers.size())] = input_.take<double>();
    const std::array<std::uint8_t, 2> on_skin{static_cast<std::uint8_t>(input_.below(2)), 1};
    options.marker_count = input_.below(3);
    options.marker_names = names.data();
    options.marker_positions = input_.below(16) == 0 ? nullptr : markers.data();
    options.marker_on_skin = input_.below(2) == 0 ? nullptr : on_skin.data();
    const std::array<const char*, 1> ignored{input_.below(2) == 0 ? "#1" : "part"};
    options.ignore_count = input_.below(8) == 0;
    options.ignore = ignored.data();
    options.threads = 1;
    sinew_fit(character(), character(), &options, nullptr, result());
    double middle[3];
    sinew_middle_of_limb(character(), markers.data(), middle, result());
    sinew_list_markers(result());
  }

  Input& input_;
  ReportCalls reports_{input_, [this]() -> sinew_character* { return character(); }, [this] { return result(); }};
  FileCalls files_{input_, [this]() -> sinew_character* { return character(); }, [this] { return result(); },
                   [this](sinew_character* made) { give(made); }};
  std::array<sinew_character*, 4> characters_{};
  sinew_part_rule rule_{};
  std::array<sinew_painter*, 2> painters_{};
  std::array<sinew_result*, 2> results_{};
  sinew_mesh_arrays mesh_{};
  sinew_motion_arrays motion_{};
  volatile double keep_ = 0;
};

}  // namespace
}  // namespace sinew::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  sinew::fuzz::Input input(data, size);
  sinew::fuzz::Player player(input);
  for (int calls = 0; calls < 40 && !input.empty(); ++calls) player.call();
  return 0;
}
