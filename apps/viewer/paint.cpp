#include "apps/viewer/paint.h"

#include <chrono>
#include <nlohmann/json.hpp>

#include "apps/viewer/packet.h"
#include "apps/viewer/refusal.h"

namespace sinew::viewer {
namespace {

using nlohmann::json;

BrushStroke parse_stroke(const json& header, const ReceivedPacket& packet, std::size_t index,
                         const Character& character) {
  BrushStroke stroke;
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

PaintAnswer parse_answer(const json& answer) {
  if (answer == "none") return PaintAnswer::none;
  if (answer == "near") return PaintAnswer::near;
  if (answer == "all") return PaintAnswer::all;
  throw refused("an answer is none, near or all");
}

}  // namespace

PaintRequest parse_paint_request(const std::string& body, const Character& character) {
  const ReceivedPacket packet(body);
  PaintRequest request;
  const json& header = packet.header();
  const json gesture = header.value("gesture", json("")), free_all = header.value("free_all", json(false));
  if (!gesture.is_string() || !free_all.is_boolean()) throw refused("the header of the packet is not a stroke's");
  request.gesture = gesture.get<std::string>();
  request.edit.free_all = free_all.get<bool>();
  request.answer = parse_answer(header.value("answer", json("all")));
  const json strokes = header.value("strokes", json::array());
  if (!strokes.is_array() || strokes.size() > 2) throw refused("there may be two strokes, one the mirror of the other");
  for (std::size_t i = 0; i < strokes.size(); ++i) {
    request.edit.strokes.push_back(parse_stroke(strokes[i], packet, i, character));
    check_vertices(request.edit.strokes.back().vertices, character);
  }
  if (packet.has("free")) request.edit.free = packet.array<std::uint32_t>("free");
  check_vertices(request.edit.free, character);
  return request;
}

WeightPainter& PaintJobs::painter_for(const Entry& base, std::uint64_t seed, const Progress& progress) {
  BindOptions options;
  options.method = base.method;
  options.values = base.options;
  options.max_influences = base.max_influences;
  options.joints = base.joints;
  options.seed = seed;
  std::string key = std::to_string(base.opened->rig) + ' ' + std::to_string(base.max_influences) + ' ' + base.joints;
  for (const auto& [name, value] : base.options) key += ' ' + name + '=' + format_option(value);
  if (!painter_ || key != key_) {
    painter_.reset();
    painter_.emplace(base.opened->character, options, progress);
    key_ = key;
  }
  return *painter_;
}

void PaintJobs::paint(Document& document, const PaintRequest& request, std::uint64_t seed, const Progress& progress) {
  const EntryPointer base = document.before(request.gesture);
  if (base->method != "biharmonic") {
    throw Error(ErrorCode::not_now, "painting needs biharmonic weights", "bind with the method biharmonic first");
  }
  const auto start = std::chrono::steady_clock::now();
  WeightPainter& painter = painter_for(*base, seed, progress.part(0, 0.5));
  if (request.answer == PaintAnswer::none) return painter.get_ready(base->pins, progress.part(0.5, 1));
  Entry entry = *base;
  entry.report = {};
  entry.report.warnings = painter.warnings();
  entry.pins = painter.brush(base->weights, base->pins, request.edit);
  if (request.answer == PaintAnswer::near) {
    painter.get_ready(base->pins, progress.part(0.5, 1));
    entry.weights = painter.near(entry.pins);
  } else {
    entry.weights = painter.settle(entry.pins, progress.part(0.5, 1));
  }
  entry.gesture = request.gesture;
  entry.label =
      entry.pins.empty() ? "biharmonic, no pins" : "biharmonic, " + std::to_string(entry.pins.size()) + " pins";
  entry.report.solve_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  document.add(std::move(entry));
}

}  // namespace sinew::viewer
