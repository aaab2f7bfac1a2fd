#include "apps/viewer/paint.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <tuple>

#include "apps/viewer/packet.h"
#include "apps/viewer/refusal.h"
#include "sinew/anatomy/joint_roles.h"

namespace sinew::viewer {
namespace {

using nlohmann::json;
using PinWeights = std::vector<std::pair<int, double>>;

Stroke parse_stroke(const json& header, const ReceivedPacket& packet, std::size_t index, const Character& character) {
  Stroke stroke;
  const std::string number = std::to_string(index);
  if (!header.is_object() || !header.contains("joint") || !header["joint"].is_number_integer()) {
    throw refused("stroke " + number + " names no joint");
  }
  stroke.joint = header["joint"].get<int>();
  if (stroke.joint < 0 || stroke.joint >= character.skeleton.joint_count()) {
    throw refused("stroke " + number + " names no joint of the skeleton");
  }
  const json target = header.value("target", json(1.0));
  if (!target.is_number() || !(target.get<double>() >= 0 && target.get<double>() <= 1)) {
    throw refused("the target of stroke " + number + " is not within 0 … 1");
  }
  stroke.target = target.get<double>();
  stroke.vertices = packet.array<std::uint32_t>("vertices" + number);
  stroke.amounts = packet.array<float>("amounts" + number);
  if (stroke.vertices.size() != stroke.amounts.size()) throw refused("a stroke needs one amount per vertex");
  for (const float amount : stroke.amounts) {
    if (!(amount >= 0.0f && amount <= 1.0f)) throw refused("an amount of a stroke is not within 0 … 1");
  }
  return stroke;
}

void check_vertices(const std::vector<std::uint32_t>& vertices, const Character& character) {
  for (const std::uint32_t vertex : vertices) {
    if (vertex >= character.mesh.vertex_count()) throw refused("there is no vertex " + std::to_string(vertex));
  }
}

// The weights of a vertex with one joint's moved towards the target; the others keep their proportions.
PinWeights painted(const SkinWeights& weights, std::size_t vertex, const Stroke& stroke, double amount) {
  const double old = weights.weight_of(vertex, stroke.joint);
  const double wanted = old + amount * (stroke.target - old);
  PinWeights pin{{stroke.joint, wanted}};
  for (int slot = 0; slot < weights.influences; ++slot) {
    const std::size_t at = vertex * weights.influences + slot;
    const int joint = weights.joints[at];
    if (joint == stroke.joint || weights.weights[at] <= 0.0f) continue;
    pin.emplace_back(joint, weights.weights[at] * (1.0 - wanted) / (1.0 - old));
  }
  // A vertex that follows one joint alone has nobody to give the rest to: it stays with it.
  if (pin.size() == 1) pin[0].second = 1.0;
  return pin;
}

// At most so many, none of zero, sum one, in order of joint.
PinWeights tidy(PinWeights pin, int max_influences) {
  std::stable_sort(pin.begin(), pin.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
  if (static_cast<int>(pin.size()) > max_influences) pin.resize(max_influences);
  std::erase_if(pin, [](const auto& w) { return w.second <= 1e-6; });
  double sum = 0;
  for (const auto& w : pin) sum += w.second;
  for (auto& w : pin) w.second /= sum;
  std::sort(pin.begin(), pin.end());
  return pin;
}

// The pins after a request, by vertex of the character: of the copies along a seam, the first that was touched.
std::vector<WeightPin> pins_after(const Entry& base, const PaintRequest& request, const BindInput& input,
                                  const std::vector<int>& handle_of) {
  std::map<std::uint32_t, WeightPin> by_welded;
  if (!request.free_all) {
    for (const WeightPin& pin : base.pins) by_welded[input.welded_of[pin.vertex]] = pin;
  }
  for (const std::uint32_t vertex : request.free) by_welded.erase(input.welded_of[vertex]);
  bool touched = request.strokes.empty();
  for (const Stroke& stroke : request.strokes) {
    if (handle_of[stroke.joint] < 0) {
      throw bad_input("joint '" + input.skeleton.names[stroke.joint] + "' takes no weight",
                      "paint another joint, or bind with it named under Joints");
    }
    std::map<std::uint32_t, std::pair<std::uint32_t, double>> strongest;  // welded → vertex and amount
    for (std::size_t i = 0; i < stroke.vertices.size(); ++i) {
      const std::uint32_t welded = input.welded_of[stroke.vertices[i]];
      if (welded == BindInput::not_bound || stroke.amounts[i] <= 0.0f) continue;
      auto [at, fresh] = strongest.try_emplace(welded, stroke.vertices[i], stroke.amounts[i]);
      if (!fresh && at->second.second < stroke.amounts[i]) at->second.second = stroke.amounts[i];
      touched = true;
    }
    for (const auto& [welded, place] : strongest) {
      const auto& [vertex, amount] = place;
      by_welded[welded] = {vertex, tidy(painted(base.weights, vertex, stroke, amount), base.max_influences)};
    }
  }
  if (!touched) throw bad_input("the brush touched nothing that is bound by weights");
  std::vector<WeightPin> pins;
  for (auto& [welded, pin] : by_welded) pins.push_back(std::move(pin));
  return pins;
}

SkinWeights to_skin_weights(const Eigen::MatrixXd& dense, const std::vector<int>& joint_of, int influences) {
  SkinWeights weights = make_skin_weights(static_cast<std::size_t>(dense.rows()), influences);
  std::vector<Influence> found;
  for (Eigen::Index v = 0; v < dense.rows(); ++v) {
    found.clear();
    for (Eigen::Index h = 0; h < dense.cols(); ++h) {
      if (dense(v, h) > 0.0) found.push_back({static_cast<std::uint16_t>(joint_of[h]), dense(v, h)});
    }
    set_influences(weights, static_cast<std::size_t>(v), found);
  }
  return weights;
}

}  // namespace

PaintRequest parse_paint_request(const std::string& body, const Character& character) {
  const ReceivedPacket packet(body);
  PaintRequest request;
  const json& header = packet.header();
  const json gesture = header.value("gesture", json("")), free_all = header.value("free_all", json(false));
  if (!gesture.is_string() || !free_all.is_boolean()) throw refused("the header of the packet is not a stroke's");
  request.gesture = gesture.get<std::string>();
  request.free_all = free_all.get<bool>();
  const json answer = header.value("answer", json("all"));
  if (answer == "none")
    request.answer = PaintAnswer::none;
  else if (answer == "near")
    request.answer = PaintAnswer::near;
  else if (answer != "all")
    throw refused("an answer is none, near or all");
  const json strokes = header.value("strokes", json::array());
  if (!strokes.is_array() || strokes.size() > 2) throw refused("there may be two strokes, one the mirror of the other");
  for (std::size_t i = 0; i < strokes.size(); ++i) {
    request.strokes.push_back(parse_stroke(strokes[i], packet, i, character));
    check_vertices(request.strokes.back().vertices, character);
  }
  if (packet.has("free")) request.free = packet.array<std::uint32_t>("free");
  check_vertices(request.free, character);
  return request;
}

Painter::Ready& Painter::prepare(const Entry& base, std::uint64_t seed, const Progress& progress, Warnings& warnings) {
  const auto resolution = option<int>(base.options, "resolution");
  const auto& boundary = option<std::string>(base.options, "boundary");
  const std::string key = std::to_string(base.opened->rig) + ' ' + std::to_string(base.max_influences) + ' ' +
                          base.joints + ' ' + std::to_string(resolution) + ' ' + boundary;
  if (ready_ && key == key_) return *ready_;
  ready_.reset();
  BindInputOptions input_options;
  input_options.max_influences = base.max_influences;
  input_options.joints = base.joints;
  input_options.seed = seed;
  BindInput input = make_bind_input(base.opened->character, input_options, warnings);
  JointHandles handles = joint_handles(input);
  std::vector<int> handle_of(input.joint_count(), -1);
  for (std::size_t h = 0; h < handles.joint_of.size(); ++h) handle_of[handles.joint_of[h]] = static_cast<int>(h);
  BiharmonicOptions options;
  options.resolution = resolution;
  options.boundary = boundary == "natural" ? BiharmonicBoundary::natural : BiharmonicBoundary::neumann;
  options.max_influences = base.max_influences;
  options.seed = seed;
  BiharmonicSolver solver(input.mesh, std::move(handles.handles), options, progress);
  ready_.emplace(Ready{std::move(input), std::move(handle_of), std::move(handles.joint_of), std::move(solver)});
  key_ = key;
  return *ready_;
}

std::vector<BiharmonicPin> Painter::solver_pins(const std::vector<WeightPin>& pins, const Ready& ready) {
  std::vector<BiharmonicPin> result;
  for (const WeightPin& pin : pins) {
    result.push_back({ready.input.welded_of[pin.vertex], pin.weights});
    for (auto& [joint, weight] : result.back().weights) joint = ready.handle_of[joint];
  }
  return result;
}

void Painter::paint(Document& document, const PaintRequest& request, std::uint64_t seed, const Progress& progress) {
  const EntryPointer base = document.before(request.gesture);
  if (base->method != "biharmonic") {
    throw bad_input("painting needs biharmonic weights", "bind with the method biharmonic first");
  }
  const auto start = std::chrono::steady_clock::now();
  Entry entry = *base;
  entry.report = {};
  Ready& ready = prepare(*base, seed, progress.part(0, 0.5), entry.report.warnings);
  if (request.answer != PaintAnswer::all && !ready.solved) {
    ready.solver.solve(solver_pins(base->pins, ready), progress.part(0.5, 1));
    ready.solved = true;
  }
  if (request.answer == PaintAnswer::none) return;
  entry.pins = pins_after(*base, request, ready.input, ready.handle_of);
  const std::vector<BiharmonicPin> pins = solver_pins(entry.pins, ready);
  if (request.answer == PaintAnswer::near) {
    ready.solver.settle_near(pins, progress);
  } else {
    ready.solver.solve(pins, progress.part(0.5, 1));
    ready.solved = true;
  }
  const SkinWeights welded = to_skin_weights(ready.solver.vertex_weights(), ready.joint_of, base->max_influences);
  entry.weights = to_character_weights(base->opened->character, ready.input, welded);
  entry.gesture = request.gesture;
  entry.label =
      entry.pins.empty() ? "biharmonic, no pins" : "biharmonic, " + std::to_string(entry.pins.size()) + " pins";
  entry.report.solve_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  document.add(std::move(entry));
}

Mirror mirror_of(const Skeleton& skeleton) {
  const std::vector<JointIdentity> joints = identify_joints(skeleton);
  const std::size_t count = joints.size();
  Mirror mirror;
  mirror.joints.assign(count, -1);
  Vec3d across = Vec3d::Zero(), middle = Vec3d::Zero();
  int pairs = 0;
  for (std::size_t j = 0; j < count; ++j) {
    if (joints[j].side == BodySide::centre) {
      mirror.joints[j] = static_cast<int>(j);
      continue;
    }
    for (std::size_t other = 0; other < count && mirror.joints[j] < 0; ++other) {
      const bool opposite = joints[other].side != BodySide::centre && joints[other].side != joints[j].side;
      const bool same_kind =
          std::tie(joints[other].role, joints[other].index) == std::tie(joints[j].role, joints[j].index);
      // Several joints may be of one kind (twists): they pair up in order.
      const bool taken = std::find(mirror.joints.begin(), mirror.joints.begin() + static_cast<std::ptrdiff_t>(j),
                                   static_cast<int>(other)) != mirror.joints.begin() + static_cast<std::ptrdiff_t>(j);
      if (opposite && same_kind && !taken) mirror.joints[j] = static_cast<int>(other);
    }
    const int found = mirror.joints[j];
    if (joints[j].side != BodySide::left || found < 0) continue;
    across += skeleton.position(static_cast<int>(j)) - skeleton.position(found);
    middle += 0.5 * (skeleton.position(static_cast<int>(j)) + skeleton.position(found));
    ++pairs;
  }
  if (pairs > 0 && across.norm() > 0) {
    mirror.normal = across.normalized();
    mirror.offset = mirror.normal.dot(middle / pairs);
  }
  return mirror;
}

}  // namespace sinew::viewer
