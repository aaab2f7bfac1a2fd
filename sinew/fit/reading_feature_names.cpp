#include <algorithm>

#include "sinew/fit/reading_features.h"

namespace sinew {

std::span<const FeatureInfo> reading_feature_infos() {
  using enum FeatureGroup;
  static constexpr FeatureInfo infos[reading_feature_count] = {
      {"width", proportions},
      {"depth", proportions},
      {"leg length", proportions},
      {"arm length", proportions},
      {"arm over leg", proportions},
      {"hip height", proportions},
      {"shoulder height", proportions},
      {"hips apart", proportions},
      {"shoulders apart", proportions},
      {"trunk length", proportions},
      {"head length", proportions},
      {"tail length", proportions},
      {"leg straightness", proportions},
      {"arm straightness", proportions},
      {"hand height", proportions},
      {"hand out", proportions},
      {"hand ahead", proportions},
      {"foot out", proportions},
      {"foot height", proportions},
      {"trunk leaning", proportions},
      {"front to back feet", proportions},
      {"head ahead of trunk", proportions},
      {"leg thickness 1", thickness},
      {"leg thickness 2", thickness},
      {"leg thickness 3", thickness},
      {"arm thickness 1", thickness},
      {"arm thickness 2", thickness},
      {"arm thickness 3", thickness},
      {"trunk thickness 1", thickness},
      {"trunk thickness 2", thickness},
      {"trunk thickness 3", thickness},
      {"head thickness", thickness},
      {"arm over trunk thickness", thickness},
      {"arm over leg thickness", thickness},
      {"leg certainty", thickness},
      {"arm certainty", thickness},
      {"symmetry", symmetry},
      {"leg length difference", symmetry},
      {"arm length difference", symmetry},
      {"hand height difference", symmetry},
      {"joint mirror distance", symmetry},
      {"inside: mean distance", inside},
      {"inside: mean of thickness", inside},
      {"inside: far", inside},
      {"inside: unexplained", inside},
      {"inside: far unexplained", inside},
      {"inside: above the head bone", inside},
      {"volume of legs", inside},
      {"volume of arms", inside},
      {"volume of trunk", inside},
      {"volume of head", inside},
      {"joints inside", inside},
      {"volume in box", inside},
      {"tips", loose_ends},
      {"loose ends", loose_ends},
      {"longest loose end", loose_ends},
      {"loose ends together", loose_ends},
      {"its height", loose_ends},
      {"its place ahead", loose_ends},
      {"its place aside", loose_ends},
      {"hands stand out", loose_ends},
      {"feet stand out", loose_ends},
      {"longest loose end over hands", loose_ends},
      {"better hands", loose_ends},
      {"better feet", loose_ends},
      {"feet ahead", facing},
      {"foot tips ahead", facing},
      {"knees ahead", facing},
      {"elbows ahead", facing},
      {"head ahead", facing},
      {"belly ahead", facing},
      {"usual facing", facing},
      {"y up", facing},
      {"networks: facing", facing},
      {"networks: misfit, best", networks},
      {"networks: misfit", networks},
      {"networks: seen", networks},
      {"networks: wrist out", networks},
      {"networks: wrist up", networks},
      {"networks: elbow out", networks},
      {"networks: elbow up", networks},
      {"networks: shoulder up", networks},
      {"networks: hip up", networks},
      {"networks: knee up", networks},
      {"networks: ankle up", networks},
      {"networks: ankle out", networks},
      {"networks: toe ahead", networks},
      {"networks: crown up", networks},
      {"networks: joints off", networks},
      {"kind: person", kind},
      {"kind: four legs", kind},
      {"kind: not a creature", kind},
      {"kind: most probable other", kind},
  };
  return infos;
}

std::array<float, reading_kind_features> kind_part_of_features(std::span<const double> probabilities) {
  std::array<float, reading_kind_features> result{};
  for (std::size_t k = 0; k < probabilities.size(); ++k) {
    const auto kind = static_cast<CreatureKind>(k);
    const std::size_t at = kind == CreatureKind::person           ? 0
                           : kind == CreatureKind::four_legs      ? 1
                           : kind == CreatureKind::not_a_creature ? 2
                                                                  : 3;
    result[at] = std::max(result[at], static_cast<float>(probabilities[k]));
  }
  return result;
}

}  // namespace sinew
