// Means to repair a finding: each gives new weights for some vertices of a CheckedSkin. fix_skin.cpp tries them in order
// and keeps the one that helps.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "sinew/check/checked_skin.h"
#include "sinew/check/mirrored_skin.h"

namespace sinew {

struct Cure {
  std::string how;                              // "took 'hand.L' away from 12 vertices"
  std::map<std::uint32_t, WeightList> weights;  // by vertex of the skin; normalised, none empty
};
using Cures = std::vector<Cure>;

// What the means have to work with.
struct Patient {
  const CheckedSkin& skin;
  const std::optional<MirroredSkin>& mirrored;
  const Finding& finding;
  std::vector<std::uint32_t> vertices;  // of the skin, in rising order
  const std::vector<char>& suspected;   // per vertex of the skin: part of any finding
  // Bone heat at the skin's vertices, of the joints that have weight and of this one (-1: of none besides); made when
  // first asked for, null where it cannot be had.
  std::function<const SkinWeights*(int joint)> heat;
  int max_influences = 8;
};

// --- Of a region and what is around it (region_cures.cpp).

// Weights that are as smooth over the free vertices as those around them allow: squared Laplacian (`rounded`, goes on in
// the direction in which weights change) or gradient (shortest, never leaves their range). Vertices that no weighted
// one can be reached from get the weights of the nearest in space. With a guide (weights of the skin's vertices), what
// is smooth is the difference from it: the guide's own weights where those around are the guide's.
Cure fill(const CheckedSkin& skin, const std::vector<std::uint32_t>& free, bool rounded,
          const SkinWeights* guide = nullptr);
// Takes one joint away from the region and from the faint rest of it around.
Cure without_joint(const CheckedSkin& skin, const std::vector<std::uint32_t>& region, int joint);
// The middle of the weights around each vertex, joint by joint: outliers do not count.
Cure median(const CheckedSkin& skin, const std::vector<std::uint32_t>& region);
// Single weights that are above or below those of all neighbours brought within them, again and again; all others stay.
Cure within_neighbours(const CheckedSkin& skin, const std::vector<std::uint32_t>& region);
// One set of weights for each place of a torn seam: that of the copy that is nearest to what is expected there.
Cure closed_seam(const CheckedSkin& skin, const std::vector<std::uint32_t>& region, const Cure& expected);
// One set of weights for a whole piece.
Cure rigid(const CheckedSkin& skin, const std::vector<std::uint32_t>& piece);

// --- Of a joint and its neighbours (joint_cures.cpp).

// The weights of the counterpart; vertices without one, or whose counterpart is suspected too, stay.
Cure mirrored_weights(const Patient& patient, const std::vector<std::uint32_t>& region);
// A blend that is steeper by a factor.
Cure steeper(const CheckedSkin& skin, const std::vector<std::uint32_t>& region, int joint, double factor);
// All weights of the region as bone heat has them.
Cure bone_heat(const Patient& patient, const std::vector<std::uint32_t>& region);

// --- Of joints that move nothing (idle_cures.cpp) and of too many influences (influence_cures.cpp).

// The weight that `holder` has, shared with the joint as bone heat would.
Cure shared_by_heat(const Patient& patient, int joint, int holder);
Cures idle_cures(const Patient& patient);
Cures influence_cures(const Patient& patient);

// --- Choice (fill_choice.cpp, second_opinion.cpp).

// A means to give a region new weights, and how wrong it was about the known weights around the region.
struct RankedCure {
  Cure cure;
  double error = 1;  // half L1 distance, mean over the known vertices that were hidden from it
};
// The other side's weights, fills with and without a guide: those first that tell best what weights the places around
// the region have.
std::vector<RankedCure> ranked_fills(const Patient& patient, const std::vector<std::uint32_t>& region);
Cures fills(const Patient& patient, const std::vector<std::uint32_t>& region);

// The cure without the regions (what hangs together of the vertices it changes) that it takes farther from bone heat than
// they are now, in poses. Bone heat is no truth, but it knows nothing of the damage: two ways that agree are seldom wrong.
Cure where_heat_does_not_object(const Patient& patient, Cure cure);

// Vertices within a distance along the edges of the given ones, and these; in rising order.
std::vector<std::uint32_t> grown(const CheckedSkin& skin, const std::vector<std::uint32_t>& from, double distance);

// All that may help, cheapest and surest first.
Cures cures_for(const Patient& patient);

}  // namespace sinew
