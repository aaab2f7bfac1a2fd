// The project's own image network: from a picture of a body (feature_views.h) to where on a body each pixel lies.
//
// A small U-Net, deep enough that every pixel knows of the whole body: a hand alone does not tell left from right.
// Trained on renders of characters whose dense body coordinates are known (body_coordinates.h). Gives four channels:
// the three coordinates, and the logarithm of how far off they may be.
#pragma once

#include "sinew/learn/dense_layers.h"
#include "sinew/learn/feature_views.h"

namespace sinew {

inline constexpr int image_network_channels = 4;
inline constexpr int image_certainty_channel = 3;

class ImageNetwork {
 public:
  // Arrays image.down1 … image.out of the file. Throws Error(bad_input) when they are missing.
  explicit ImageNetwork(const NetworkFile& file);

  FeatureMap run(const FeatureMap& picture) const;
  std::vector<FeatureMap> run(const std::vector<FeatureView>& views) const;

  // Sizes of the layers, for whoever trains them: name, inputs, outputs, all 3×3.
  struct Shape {
    const char* name;
    int inputs, outputs;
  };
  static const std::vector<Shape>& shapes();

 private:
  std::vector<ConvLayer> layers_;  // in the order of shapes()
};

}  // namespace sinew
