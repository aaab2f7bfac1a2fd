#include "sinew/learn/image_network.h"

#include "sinew/base/parallel.h"

namespace sinew {

const std::vector<ImageNetwork::Shape>& ImageNetwork::shapes() {
  static const std::vector<Shape> list = {{"image.down1", feature_view_channels, 12},
                                          {"image.down2", 12, 24},
                                          {"image.down3", 24, 48},
                                          {"image.down4", 48, 64},
                                          {"image.down5", 64, 96},
                                          {"image.deep", 96, 96},
                                          {"image.up4", 96 + 64, 64},
                                          {"image.up3", 64 + 48, 48},
                                          {"image.up2", 48 + 24, 24},
                                          {"image.up1", 24 + 12, 12},
                                          {"image.out", 12, image_network_channels}};
  return list;
}

ImageNetwork::ImageNetwork(const NetworkFile& file) {
  for (const Shape& shape : shapes()) layers_.push_back(ConvLayer::read(file, shape.name, shape.inputs, shape.outputs));
}

FeatureMap ImageNetwork::run(const FeatureMap& picture) const {
  const auto step = [&](int layer, const FeatureMap& x, int stride) {
    FeatureMap y = layers_[layer](x, stride);
    rectify(y.values);
    return y;
  };
  const FeatureMap full = step(0, picture, 1);
  const FeatureMap half = step(1, full, 2);
  const FeatureMap quarter = step(2, half, 2);
  const FeatureMap eighth = step(3, quarter, 2);
  const FeatureMap deep = step(5, step(4, eighth, 2), 1);
  const FeatureMap up4 = step(6, enlarge_and_join(deep, eighth), 1);
  const FeatureMap up3 = step(7, enlarge_and_join(up4, quarter), 1);
  const FeatureMap up2 = step(8, enlarge_and_join(up3, half), 1);
  const FeatureMap up1 = step(9, enlarge_and_join(up2, full), 1);
  return layers_[10](up1);
}

std::vector<FeatureMap> ImageNetwork::run(const std::vector<FeatureView>& views) const {
  std::vector<FeatureMap> maps(views.size());
  parallel_for(views.size(), 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) maps[i] = run(views[i].picture);
  });
  return maps;
}

}  // namespace sinew
