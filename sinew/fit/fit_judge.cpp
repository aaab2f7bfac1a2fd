#include "sinew/fit/fit_judge.h"

namespace sinew {

FitJudge::FitJudge(const NetworkFile& file) {
  const auto read = [&](const std::string& name) {
    Model model{BoostedTrees::read(file, name), {}};
    const int all = reading_feature_count, known = model.trees.features();
    if ((known != all && known != all - reading_kind_features) || model.trees.answers() != 2) {
      throw Error(ErrorCode::network_invalid, "the judge of fits was trained on other features");
    }
    model.typical = file.array(name + ".typical", {static_cast<std::uint32_t>(known)}).values;
    return model;
  };
  people_ = read("people");
  four_legs_ = read("four_legs");
}

double FitJudge::probability(bool four_legs, std::span<const float> features) const {
  const Model& model = four_legs ? four_legs_ : people_;
  return model.trees.probabilities(features.first(model.typical.size()))[1];
}

FeatureGroup FitJudge::main_objection(bool four_legs, std::span<const float> features) const {
  const Model& model = four_legs ? four_legs_ : people_;
  const std::span<const FeatureInfo> infos = reading_feature_infos();
  double best = -1;
  auto result = FeatureGroup::proportions;
  for (int g = 0; g < feature_group_count; ++g) {
    const auto group = static_cast<FeatureGroup>(g);
    std::vector<float> changed(features.begin(), features.begin() + static_cast<std::ptrdiff_t>(model.typical.size()));
    for (std::size_t i = 0; i < changed.size(); ++i) {
      if (infos[i].group == group) changed[i] = model.typical[i];
    }
    const double then = model.trees.probabilities(changed)[1];
    if (then > best) best = then, result = group;
  }
  return result;
}

std::string objection_text(FeatureGroup group, bool four_legs) {
  const std::string body = four_legs ? "a four-legged animal" : "a person";
  switch (group) {
    case FeatureGroup::proportions:
      return "the limbs do not have the proportions of " + body;
    case FeatureGroup::thickness:
      return "the limbs are not as thick as those of " + body;
    case FeatureGroup::symmetry:
      return "left and right differ too much";
    case FeatureGroup::inside:
      return "large parts of the mesh belong to no bone of the skeleton";
    case FeatureGroup::loose_ends:
      return "long parts of the mesh are not limbs of " + body + ": a tail, wings, antlers or something carried";
    case FeatureGroup::facing:
      return "it is not clear which way the body faces";
    case FeatureGroup::networks:
      return four_legs ? "the trained networks see another body" : "the trained networks do not see a person";
    case FeatureGroup::kind:
      return "as a whole it does not have the shape of " + body;
  }
  return {};
}

}  // namespace sinew
