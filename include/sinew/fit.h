// Moving any skeleton into any mesh.
//
//   Character hero = load_character("hero.obj"), rig = load_character("rig.fbx");
//   FitResult fit = fit_character(hero, rig);          // hero now holds the rig's joints, in their places
//
// The joints are told by name, or else by structure; the parts of the body by the inside of the mesh. Limb joints take
// the place anatomy gives them in the mesh; chains with more joints, or of animals, keep their own proportions along
// the limb; everything else (fingers, faces, ends) is carried along by the bone it hangs on, scaled and turned like it.
// Then every joint that has room inside is brought inside.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/body_frame.h"
#include "sinew/character.h"
#include "sinew/export.h"
#include "sinew/progress.h"
#include "sinew/recognise.h"

namespace sinew {

// Trained networks that see bodies. The shipped ones know people, realistic and stylised (docs/neural.md).
class FitModel;
SINEW_API const FitModel& shipped_fit_model();
// From the bytes of a .sinewfit file. Throws Error(bad_input).
SINEW_API std::shared_ptr<const FitModel> read_fit_model(std::span<const std::byte> bytes);

// What a skeleton is fitted into.
enum class BodyKind { person, four_legs };

// A joint that stays where a person put it.
struct HeldJoint {
  int joint = 0;
  Vec3d position = Vec3d::Zero();  // in the mesh's space
};

// A place of the body that a person pointed at. `name`: one of marker_names(), with ".L" or ".R" where there are two
// ("wrist.L"; the body's own left), or the name of a joint of the skeleton.
struct FitMarker {
  std::string name;
  Vec3d position = Vec3d::Zero();  // in the mesh's space
  // false: the joint belongs exactly here. true: this is a place on the skin, as a click gives it, and the joint belongs
  // in the middle of the limb behind it (middle_of_limb).
  bool on_surface = false;

  bool operator==(const FitMarker&) const = default;
};

// "chin", "wrist", …: sides left out.
SINEW_API std::vector<std::string> marker_names();
// Whether there is one on either side of the body. False for what is not a marker.
SINEW_API bool marker_has_sides(std::string_view name);
// Markers from JSON: {"chin": [0, 1.5, 0.1], "wrist.L": [0.7, 1.4, 0]}. Throws Error(bad_input) that names the entry.
SINEW_API std::vector<FitMarker> read_markers(std::string_view json);

// The middle of the limb behind a place on the skin. Throws Error(usage) when the place is further than a twentieth of
// the bounding diagonal from the surface, or nothing is behind it.
SINEW_API Vec3d middle_of_limb(const TriangleMesh& mesh, const Vec3d& on_surface);

// One way in which fitting read the mesh: for those who ask why it was taken or refused.
struct FitReadingSummary {
  std::string what;                         // "a person, as the inside of the mesh shows it (96 voxels)"
  double probability = 0;                   // that it is right, 0 … 1
  std::string objection;                    // what speaks most against it
  BodyFrame frame;                          // which way is up and forward in it
  std::vector<std::array<Vec3d, 2>> bones;  // of legs, arms, trunk and head, in the mesh's space
};

// Fits that are less probably right than this are refused unless FitOptions::least_confidence says otherwise.
inline constexpr double default_least_confidence = 0.7;

struct FitOptions {
  int cells = 96;        // of the voxel grid along the longest side, 48 … 256; more finds thinner gaps between limbs
  bool y_is_up = false;  // do not look for another up axis
  Vec3d up = Vec3d::Zero();       // which way is up in the mesh, any length; zero: look for it (or y_is_up)
  Vec3d forward = Vec3d::Zero();  // which way the body faces, any length, not along `up`; zero: look for it
  // What the mesh is, from those who know: a skeleton of another kind is refused, and a fit that is less probable than
  // `least_confidence` gives a warning instead of a refusal. Nothing: the judge decides.
  std::optional<BodyKind> kind{};
  // A fit that is less probably right (FitResult::probability) is refused: 0 … 1, 0 takes any.
  double least_confidence = default_least_confidence;
  bool keep_axes = false;  // leave a body that stands along another axis as it lies; otherwise it is turned, y up
  bool symmetric = true;   // mirror left and right joints where the mesh is its own mirror image
  // A second opinion about people, and the only one where the inside of the mesh does not tell arms and legs apart.
  // Null: none.
  const FitModel* networks = nullptr;
  bool networks_alone = false;  // do not read the inside of the mesh; needs `networks`, and a person's skeleton
  // Joints that are not looked for: they keep these places, their mirror images follow (with `symmetric`), and what
  // hangs on them is carried along.
  std::vector<HeldJoint> held{};
  // Places that a person pointed at. Joints stand exactly on them; where the mesh is its own mirror image, so do those of
  // the other side (with `symmetric`). They define how the mesh is read: the mesh only tells what no marker does, and an
  // unsure fit gives a warning instead of a refusal. Markers that contradict each other are Error(usage).
  std::vector<FitMarker> markers{};
  // Of fit_character: parts of the mesh that say nothing about the body, by name or material ('*' stands for any run of
  // characters), or "#N" for the Nth piece, counted from 1.
  std::vector<std::string> ignore{};
  // Receives the ways in which the mesh was read, the most probable first, also when the fit is refused. Null: nobody
  // asks.
  std::vector<FitReadingSummary>* readings = nullptr;
  int threads = 0;  // 0: all cores
};

struct SINEW_API FitResult {
  Skeleton skeleton;  // same joints, names and hierarchy; rest transforms in the mesh's space
  // That the fit is right: limb joints within 0.03 of the bounding diagonal of where an artist puts them, on average
  // (four-legged bodies: 0.1), and left and right not swapped. A calibrated probability (docs/fit.md).
  // Of other creatures and generated skeletons, which no judge knows, it is the mean confidence of the joints.
  double probability = 0;
  std::vector<double> confidence;  // per joint, 0 … 1: how surely the mesh told where it belongs
  std::vector<char> inside;        // per joint: whether it lies inside the surface
  // Which skeleton it is where the library chose: "adult", "quadruped" or "generated". Empty: the caller's.
  std::string chosen{};
  BodyFrame frame;  // of the mesh
  bool on_all_fours = false;
  double symmetry = 0;  // of the mesh, 0 … 1
  // What the mesh shows as a whole. Nothing where a skeleton was generated or matched by structure alone.
  std::optional<RecognisedBody> recognised;
  bool by_networks = false;    // the networks placed it alone
  double network_seconds = 0;  // spent in the networks
  Warnings warnings;

  // Over the joints that may deform the skin.
  double mean_confidence() const;
  double share_inside() const;
};

// Throws Error(usage) for markers or parts that do not exist, or contradict each other or the mesh; Error(bad_input) when the skeleton's limbs cannot be told, the mesh's limbs cannot be told, they do not belong
// together (an animal's skeleton in a person), or the best fit is not probable enough.
SINEW_API FitResult fit_skeleton(const TriangleMesh& mesh, const Skeleton& skeleton, const FitOptions& options = {},
                                 const Progress& progress = {});

// Gives the character the skeleton of `source`, fitted into its mesh without what hangs on single joints (weapons).
// Weights and motions of the character go. A body that stands along another axis, in a file of a format that does not
// say which way is up, is turned (FitOptions::keep_axes). Throws as fit_skeleton does; the character is then unchanged.
SINEW_API FitResult fit_character(Character& character, const Character& source, const FitOptions& options = {},
                                  const Progress& progress = {});

// Skeletons that come with the library: "adult", "mitten" (the same with one finger) and "quadruped". Throws
// Error(usage) for other names.
SINEW_API Character builtin_skeleton(std::string_view name);

}  // namespace sinew
