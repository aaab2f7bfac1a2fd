#include "bind_inputs.h"

#include <filesystem>

#include "files.h"
#include "sinew/asset/gltf/gltf_extras.h"
#include "sinew/base/file_bytes.h"
#include "sinew/train_weights.h"
#include "sinew/weights/skincells/skincells_file.h"

namespace sinew::cli {

struct BindInputFiles::Loaded {
  Character body, poses, reference;
  std::shared_ptr<const WeightModel> weight_model;
  std::vector<std::byte> state;
};

std::vector<std::string> method_names() {
  std::vector<std::string> names;
  for (const MethodInfo& method : weight_method_list()) names.push_back(method.name);
  return names;
}

BindInputFiles::BindInputFiles() : loaded_(std::make_unique<Loaded>()) {}
BindInputFiles::~BindInputFiles() = default;

void BindInputFiles::add_options(Command* command, Session& session) {
  constexpr const char* heading = "files that some methods read or write";
  const auto add = [&](const char* name, std::string& file, const char* help) {
    return command->add_option(name, file, help)->group(heading);
  };
  add("--pins", pins_, "biharmonic, skincells: vertices whose weights are given (JSON, also for painted colours)");
  add("--body", body_, "skincells: keep a garment outside this skinned body (.glb), which shares its rig");
  add("--poses", poses_, "skincells: take poses from the motions of this file instead of random ones");
  add("--reference", reference_, "skincells: fit to the weights of this file (same vertices) instead of bone heat");
  add("--softness-file", softness_, "atlas: JSON with a K per joint: {\"default\": 0.5, \"LeftForeArm\": 0.2}");
  add("--model", model_, "auto: a .sinewweights file of train-weights")->default_is("the shipped one");
  add("--checkpoint", checkpoint_, "skincells: save the state here now and then, and continue from it");
  Option* field = session.add_output(command, "--field", field_, "skincells: also write the field itself (.skincells)",
                                     Session::Formats::one);
  field->group(heading);
  command->add_flag("--embed-field", embed_field_, "store the field in the output's extras too (.glb, .gltf)")
      ->needs(field)
      ->group(heading);
}

void BindInputFiles::check(const std::string& name) const {
  const MethodInfo method = weight_method_info(name);
  const auto refuse = [&](bool given, bool taken, const char* flag) {
    if (given && !taken) throw Error(ErrorCode::options_conflict, "method '" + method.name + "' does not take " + flag);
  };
  refuse(!pins_.empty(), method.takes(MethodInput::pins), "--pins");
  refuse(!body_.empty(), method.takes(MethodInput::body), "--body");
  refuse(!poses_.empty(), method.takes(MethodInput::poses), "--poses");
  refuse(!reference_.empty(), method.takes(MethodInput::reference), "--reference");
  refuse(!softness_.empty(), method.takes(MethodInput::joint_softness), "--softness-file");
  refuse(!model_.empty(), method.takes(MethodInput::weight_model), "--model");
  refuse(!checkpoint_.empty(), method.takes(MethodInput::checkpoint), "--checkpoint");
  refuse(!field_.empty(), method.makes_field, "--field");
}

void BindInputFiles::load(const Character& character, BindOptions& options, Session& session) {
  if (!pins_.empty()) {
    Warnings warnings;
    options.pins =
        parse_input(pins_, session, [&](auto bytes) { return read_pins(as_text(bytes), character, warnings); });
    session.warn(warnings);
  }
  if (!softness_.empty()) {
    options.joint_softness =
        parse_input(softness_, session, [](auto bytes) { return read_joint_softness(as_text(bytes)); });
  }
  if (!body_.empty()) options.body = &(loaded_->body = load_file(body_, session));
  if (!poses_.empty()) options.poses = &(loaded_->poses = load_file(poses_, session));
  if (!reference_.empty()) {
    loaded_->reference = load_file(reference_, session);
    if (!loaded_->reference.has_skin()) throw Error(ErrorCode::weights_missing, "'" + reference_ + "' has no weights");
    options.reference = &loaded_->reference.weights;
  }
  if (!model_.empty()) {
    loaded_->weight_model = parse_input(model_, session, [](auto bytes) { return read_weight_model(bytes); });
    options.weight_model = loaded_->weight_model.get();
  }
  if (!checkpoint_.empty()) {
    if (std::filesystem::exists(checkpoint_)) loaded_->state = read_file_bytes(checkpoint_, std::uint64_t{1} << 30);
    options.resume = loaded_->state;
    options.save_state = [this](std::span<const std::byte> state) { write_file_bytes(checkpoint_, state); };
  }
}

Warnings BindInputFiles::save(const Character& character, const BindReport& report, const std::string& output,
                              const SaveOptions& options, const Session& session) const {
  if (!field_.empty()) write_output(report.field, field_);
  if (!embed_field_) return save_file(character, output, session, options);
  const auto with_field = [&](FileFormat format, const SaveOptions& there) {
    WrittenCharacter written = write_character(character, format, there);
    written.bytes = with_gltf_extra(written.bytes, field_extra, field_to_text(read_field(report.field)));
    return written;
  };
  return save_file(with_field, output, session, options);
}

}  // namespace sinew::cli
