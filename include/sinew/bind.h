// Skin weights for a character in one call, by any method.
//
//   Character hero = load_character("hero.glb");
//   BindReport report = bind_character(hero, {.method = "heat", .max_influences = 4});
//   save_character(hero, "hero_bound.glb");
//
// weight_methods() lists the methods with their options, so that a program can offer them without knowing them. What a
// method takes beside numbers (painted vertices, a body under a garment, a trained model) are members of BindOptions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "sinew/character.h"
#include "sinew/export.h"
#include "sinew/progress.h"

namespace sinew {

class WeightModel;  // what the method auto learned, see train_weights.h

using OptionValue = std::variant<bool, int, double, std::string>;

struct MethodOption {
  std::string name;  // kebab-case
  OptionValue default_value;
  std::string help;                        // one line, with the unit
  double minimum = -1e30, maximum = 1e30;  // for numbers, both allowed
  std::vector<std::string> choices;        // for texts: one of these
};

// Values by option name. Missing ones mean the default.
using OptionValues = std::map<std::string, OptionValue>;

// What a method may take beside numbers: the members of BindOptions with these names.
enum class MethodInput : std::uint8_t { pins, body, poses, reference, joint_softness, weight_model, checkpoint };

// An option that Binder answers in milliseconds when only it changes.
struct LiveOption {
  std::string name;
  double minimum = 0, maximum = 1;  // of a slider: the range in which people look for their value
};

struct SINEW_API MethodInfo {
  std::string name;
  std::string summary;  // one line
  std::vector<MethodOption> options;
  std::vector<MethodInput> inputs;  // that it takes; any other is Error(usage)
  bool makes_field = false;         // BindReport::field
  std::vector<LiveOption> live_options;

  bool takes(MethodInput input) const;
};

// Every method, in the order in which to offer them.
SINEW_API std::vector<MethodInfo> weight_method_list();
// Throws Error(usage) that lists the names there are.
SINEW_API MethodInfo weight_method_info(std::string_view name);

// Text ("0.5", "true", "geodesic") to a value of the option's type, and back. Throws Error(usage).
SINEW_API OptionValue parse_option(const MethodOption& option, const std::string& text);
SINEW_API std::string format_option(const OptionValue& value);
// `given` completed by defaults. Throws Error(usage) for an unknown option, a wrong type, a value out of range.
SINEW_API OptionValues checked_options(const MethodInfo& method, const OptionValues& given);

// The weights of one vertex, given by a person.
struct WeightPin {
  std::uint32_t vertex = 0;                     // of the character; copies of it along a seam follow
  std::vector<std::pair<int, double>> weights;  // joint → weight, not negative, sum one

  bool operator==(const WeightPin&) const = default;
};

// Pins from JSON (docs/methods/biharmonic.md): by vertex, by place or by painted colour. At most one per vertex, in
// order of vertex. Throws Error(bad_input) that names the entry for what is not of this form, a joint or vertex that
// does not exist, or weights that are negative or all zero. Entries that pin nothing are told in `warnings`.
SINEW_API std::vector<WeightPin> read_pins(std::string_view json, const Character& character, Warnings& warnings);
SINEW_API std::string write_pins(const std::vector<WeightPin>& pins, const Skeleton& skeleton);

// {"default": 0.5, "LeftForeArm": 0.2, …} for BindOptions::joint_softness. Throws Error(bad_input).
SINEW_API std::map<std::string, double> read_joint_softness(std::string_view json);

// What a person decides about a part of the mesh, whatever the method.
enum class PartRuleKind : std::uint8_t {
  rigid,   // all of it follows one joint; without a joint, the one that the method gives most of it
  attach,  // hung on a joint as a prop is: not skinned, and not looked at when the rest is bound
  ignore,  // not bound, and not looked at when the rest is bound
  keep,    // the weights it has stay
};
struct PartRule {
  PartRuleKind kind = PartRuleKind::rigid;
  // Name of parts or of their material, '*' stands for any run of characters; or "#N" for the Nth piece of the mesh,
  // counted from 1, which can be rigid or kept.
  std::string part;
  std::string joint{};  // of rigid and attach

  bool operator==(const PartRule&) const = default;
};

struct BindOptions {
  std::string method = "auto";
  OptionValues values{};   // of the method; missing ones mean its defaults
  int max_influences = 4;  // joints per vertex, 1 … 16
  // Which joints take weights: "auto" (not controls, end markers, roots on the floor), "all" (every joint and no end
  // marker), "weighted" (those that the character's present weights use), or names separated by commas; '*' stands for
  // any run of characters, and a name with '-' before it takes a joint away ("auto,-Jaw").
  std::string joints = "auto";
  std::vector<PartRule> parts{};  // a later rule overrules an earlier one
  std::uint64_t seed = 1;
  int threads = 0;  // 0: all cores

  // What some methods take beside numbers. Pointers must stay valid during the call.
  std::vector<WeightPin> pins{};                   // weights that stay as they are; the others follow
  const Character* body = nullptr;                 // skinned, with the garment's skeleton: the garment stays outside it
  const Character* poses = nullptr;                // its motions are what the skin is optimised over
  const SkinWeights* reference = nullptr;          // per vertex of the character: what a field is first fitted to
  std::map<std::string, double> joint_softness{};  // by joint name; "default" for all others
  const WeightModel* weight_model = nullptr;       // instead of the shipped one
  std::span<const std::byte> resume{};             // a state that save_state was given: go on from it
  std::function<void(std::span<const std::byte> state)> save_state{};  // called now and then, from the calling thread
};

struct BindReport {
  Warnings warnings;
  double prepare_seconds = 0;  // welding, choosing bones, checking
  double solve_seconds = 0;    // the method itself
  std::size_t vertices = 0;    // bound, as stored in the file
  std::size_t welded_vertices = 0;
  std::size_t pieces = 0;        // connected components of the welded mesh
  std::vector<int> joints;       // that take weights
  std::size_t unweighted = 0;    // bound vertices without weight: 0 unless a method is broken
  double mean_influences = 0;    // per bound vertex
  int max_influences = 0;        // most that any bound vertex has
  std::vector<std::byte> field;  // a .skincells file, of a method that makes one
};

// Replaces the character's weights; bound parts become skinned, attached parts keep theirs. A skeleton in another unit
// is scaled first. Throws Error(bad_input) when there is nothing to bind or the skeleton lies nowhere near the mesh,
// Error(usage) for options that do not exist or do not fit together; the character is then unchanged.
SINEW_API BindReport bind_character(Character& character, const BindOptions& options = {},
                                    const Progress& progress = {});

// The same, again and again: keeps what the method needs and a live option does not change, so that a slider answers in
// milliseconds. For one thread at a time.
class SINEW_API Binder {
 public:
  Binder();
  ~Binder();
  Binder(Binder&&) noexcept;
  Binder& operator=(Binder&&) noexcept;

  BindReport bind(Character& character, const BindOptions& options = {}, const Progress& progress = {});

 private:
  struct Memory;
  std::unique_ptr<Memory> memory_;
};

// Gives the character another skeleton and its motions (from a GLB, FBX or BVH). Old weights and motions go; attached
// parts follow the joint of the same name, or are bound like the rest when there is none (said in `warnings`).
// Throws Error(bad_input) when `source` has no skeleton.
SINEW_API void use_skeleton_of(const Character& source, Character& character, Warnings& warnings);

}  // namespace sinew
