// Painting weights of the C interface.
#include "bindings/c/part_bindings.h"
#include "bindings/c/pipeline_options.h"
#include "sinew/paint.h"
#include "sinew/pipeline_c.h"

namespace sinew::binding {
namespace {

constexpr std::size_t least_stroke = SINEW_SIZE_UP_TO(sinew_stroke, amounts);

// Uses a painter alone: also reading its pins while they change would be a race.
class Painting {
 public:
  explicit Painting(const sinew_painter* handle) : object_(object_of(handle, "painter")) {
    if (!object_->use.begin_writing()) throw Error(ErrorCode::not_now, "painter is in use by another call");
  }
  ~Painting() { object_->use.end_writing(); }
  Painting(const Painting&) = delete;
  Painting& operator=(const Painting&) = delete;
  PainterObject* operator->() const { return object_.get(); }

 private:
  std::shared_ptr<PainterObject> object_;
};

BrushStroke stroke_of(const sinew_stroke* given) {
  const auto taken = arrays_of(given, least_stroke, "sinew_stroke");
  const auto vertices = array_of(taken.vertices, taken.vertex_count, "vertices");
  const auto amounts = array_of(taken.amounts, taken.vertex_count, "amounts");
  return {taken.joint, taken.target, {vertices.begin(), vertices.end()}, {amounts.begin(), amounts.end()}};
}

void require_same_rig(const Character& own, const Character& other) {
  if (own.mesh.vertex_count() == other.mesh.vertex_count() && own.skeleton.names == other.skeleton.names) return;
  throw Error(ErrorCode::characters_differ, "the painter was made for another character");
}

}  // namespace
}  // namespace sinew::binding

using namespace sinew;
using namespace sinew::binding;

extern "C" {

sinew_status sinew_painter_create(const sinew_character* character, const sinew_bind_options* options,
                                  const sinew_progress* progress, sinew_painter** painter, sinew_result* result) {
  if (painter != nullptr) *painter = nullptr;
  return run_call(result, [&](ResultObject& report) {
    require(painter, "painter");
    const Reading read(character, "character");
    BindChoice choice(options, *read, "biharmonic");
    Character own = *read;
    own.motions.clear();
    WeightPainter made(own, choice.options, progress_of(progress));
    add_warnings(report, choice.warnings);
    add_warnings(report, made.warnings());
    auto object = std::make_shared<PainterObject>(std::move(made), std::move(own), choice.options.pins);
    *painter = painters().add(std::move(object));
  });
}

void sinew_painter_destroy(sinew_painter* painter) { painters().remove(painter); }

sinew_status sinew_painter_brush(sinew_painter* painter, const sinew_character* before, const sinew_stroke* stroke,
                                 sinew_result* result) {
  return run_call(result, [&](ResultObject&) {
    const Painting painting(painter);
    const Reading read(before, "before");
    require_same_rig(painting->character, *read);
    if (!read->has_skin()) throw Error(ErrorCode::weights_missing, "a stroke counts from weights, and there are none");
    BrushEdit edit;
    edit.strokes.push_back(stroke_of(stroke));
    painting->pins = painting->painter.brush(read->weights, painting->pins, edit);
  });
}

sinew_status sinew_painter_free(sinew_painter* painter, const uint32_t* vertices, size_t vertex_count,
                                sinew_result* result) {
  return run_call(result, [&](ResultObject&) {
    const Painting painting(painter);
    BrushEdit edit;
    edit.free_all = vertices == nullptr;
    if (vertices != nullptr) edit.free.assign(vertices, vertices + vertex_count);
    const SkinWeights nothing = make_skin_weights(painting->character.mesh.vertex_count(), 1);
    painting->pins = painting->painter.brush(nothing, painting->pins, edit);
  });
}

sinew_status sinew_painter_get_pins(const sinew_painter* painter, sinew_result* result) {
  return run_call(result, [&](ResultObject& report) {
    const Painting painting(painter);
    set_report(report, {{"pins", painting->pins.size()}});
    add_file(report, "pins.json", write_pins(painting->pins, painting->character.skeleton));
  });
}

sinew_status sinew_painter_set_pins(sinew_painter* painter, const char* pins, sinew_result* result) {
  return run_call(result, [&](ResultObject& report) {
    require(pins, "pins");
    const Painting painting(painter);
    painting->pins = read_pins(pins, painting->character, report.warnings);
  });
}

sinew_status sinew_painter_solve(sinew_painter* painter, sinew_character* character, int everywhere,
                                 const sinew_progress* progress, sinew_result* result) {
  return run_call(result, [&](ResultObject&) {
    const Painting painting(painter);
    const Writing written(character, "character");
    require_same_rig(painting->character, *written);
    const Progress told = progress_of(progress);
    SkinWeights solved =
        everywhere != 0 ? painting->painter.settle(painting->pins, told) : painting->painter.near(painting->pins, told);
    written->weights = std::move(solved);
    bind_parts(written->parts, written->weights);
    written.done();
  });
}

}  // extern "C"
