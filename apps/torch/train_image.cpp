#include "train_image.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ctime>

#include "learner.h"
#include "sinew/learn/image_network.h"

namespace sinew::torch_program {
namespace {

constexpr int size = 80;

// Pictures and true coordinates of one body, a byte each.
struct Album {
  std::vector<std::uint8_t> pictures;     // view, channel, pixel
  std::vector<std::uint8_t> coordinates;  // view, axis, pixel
};

std::uint8_t pack(float value) {
  return static_cast<std::uint8_t>(std::clamp(std::lround((value + 1.25f) * 100.0f), 0l, 255l));
}
float unpack(std::uint8_t value) { return static_cast<float>(value) / 100.0f - 1.25f; }

Album make_album(const TrainingBody& body) {
  const int pixels = size * size;
  Album album;
  album.pictures.resize(static_cast<std::size_t>(feature_view_count) * feature_view_channels * pixels);
  album.coordinates.resize(static_cast<std::size_t>(feature_view_count) * 3 * pixels);
  const std::vector<FeatureView> views = render_feature_views(body.mesh, size);
  for (int v = 0; v < feature_view_count; ++v) {
    for (int c = 0; c < feature_view_channels; ++c) {
      for (int i = 0; i < pixels; ++i) {
        album.pictures[(static_cast<std::size_t>(v) * feature_view_channels + c) * pixels + i] =
            pack(views[v].picture.values(c, i));
      }
    }
    for (int i = 0; i < pixels; ++i) {
      if (views[v].triangles[i] < 0) continue;
      const Triangle& t = body.mesh.triangles[static_cast<std::size_t>(views[v].triangles[i])];
      Vec3f at = Vec3f::Zero();
      for (int k = 0; k < 3; ++k) at += views[v].shares[i][k] * body.coordinates[t[k]];
      for (int c = 0; c < 3; ++c) {
        album.coordinates[(static_cast<std::size_t>(v) * 3 + c) * pixels + i] = pack(at[c]);
      }
    }
  }
  return album;
}

struct Batch {
  at::Tensor pictures, coordinates;
};

// The mirror image of a picture is a picture of the mirrored body: x of normals and of coordinates changes sign.
void mirror(at::Tensor batch_entry) {
  batch_entry.copy_(batch_entry.flip({2}));
  batch_entry.select(0, 0).neg_();
}

Batch take(const std::vector<Album>& albums, int count, Random& random) {
  const int pixels = size * size;
  Batch batch{at::zeros({count, feature_view_channels, size, size}), at::zeros({count, 3, size, size})};
  float* pictures = batch.pictures.data_ptr<float>();
  float* coordinates = batch.coordinates.data_ptr<float>();
  for (int b = 0; b < count; ++b) {
    const Album& album = albums[random.below(albums.size())];
    const auto view = static_cast<std::size_t>(random.below(feature_view_count));
    const std::uint8_t* from = album.pictures.data() + view * feature_view_channels * pixels;
    for (int i = 0; i < feature_view_channels * pixels; ++i) {
      pictures[static_cast<std::size_t>(b) * feature_view_channels * pixels + i] = unpack(from[i]);
    }
    const std::uint8_t* truth = album.coordinates.data() + view * 3 * pixels;
    for (int i = 0; i < 3 * pixels; ++i) coordinates[static_cast<std::size_t>(b) * 3 * pixels + i] = unpack(truth[i]);
    if (random.uniform() < 0.5) {
      mirror(batch.pictures.select(0, b));
      mirror(batch.coordinates.select(0, b));
    }
  }
  return batch;
}

at::Tensor forward(const Learner& net, const at::Tensor& picture) {
  const auto conv = [&](const std::string& name, const at::Tensor& x, int stride = 1) {
    return at::conv2d(x, net[name + ".w"], net[name + ".b"], stride, 1);
  };
  const auto join = [&](const at::Tensor& x, const at::Tensor& skip) {
    return at::cat({at::upsample_nearest2d(x, {skip.size(2), skip.size(3)}), skip}, 1);
  };
  const at::Tensor full = conv("image.down1", picture).relu();
  const at::Tensor half = conv("image.down2", full, 2).relu();
  const at::Tensor quarter = conv("image.down3", half, 2).relu();
  const at::Tensor eighth = conv("image.down4", quarter, 2).relu();
  const at::Tensor deep = conv("image.deep", conv("image.down5", eighth, 2).relu()).relu();
  const at::Tensor up4 = conv("image.up4", join(deep, eighth)).relu();
  const at::Tensor up3 = conv("image.up3", join(up4, quarter)).relu();
  const at::Tensor up2 = conv("image.up2", join(up3, half)).relu();
  const at::Tensor up1 = conv("image.up1", join(up2, full)).relu();
  return conv("image.out", up1);
}

// Mean distance, and the negative log likelihood of a Laplace distribution whose width the network gives itself.
struct Loss {
  at::Tensor training, distance;
};

Loss loss_of(const Learner& net, const Batch& batch) {
  const at::Tensor out = forward(net, batch.pictures);
  const at::Tensor mask = batch.pictures.select(1, 4).gt(0.5).to(at::kFloat);
  const at::Tensor off = (out.narrow(1, 0, 3) - batch.coordinates).square().sum(1).add(1e-8).sqrt();
  const at::Tensor width = out.select(1, 3).clamp(-6, 4);
  const at::Tensor area = mask.sum().clamp_min(1);
  return {((off * at::exp(-width) * 10 + width) * mask).sum() / area, (off * mask).sum() / area};
}

double validate(Learner& net, const std::vector<Album>& albums) {
  if (albums.empty()) return 0;
  at::NoGradGuard guard;
  net.swap_means();
  Random random(7);
  double sum = 0;
  for (int i = 0; i < 6; ++i) sum += loss_of(net, take(albums, 8, random)).distance.item<double>() / 6;
  net.swap_means();
  return sum;
}

}  // namespace

std::vector<LossPoint> read_curve(const NetworkFile& checkpoint, const std::string& name) {
  std::vector<LossPoint> curve;
  const auto found = checkpoint.arrays.find(name);
  if (found == checkpoint.arrays.end()) return curve;
  const std::vector<float>& values = found->second.values;
  for (std::size_t i = 0; i + 2 < values.size(); i += 3) {
    curve.push_back({static_cast<std::int64_t>(values[i]), values[i + 1], values[i + 2]});
  }
  return curve;
}

void write_curve(const std::vector<LossPoint>& curve, NetworkFile& checkpoint, const std::string& name) {
  NetworkArray& array = checkpoint.arrays[name];
  array = {{static_cast<std::uint32_t>(curve.size()), 3}, {}};
  for (const LossPoint& point : curve) {
    for (const double value : {static_cast<double>(point.step), point.training, point.validation}) {
      array.values.push_back(static_cast<float>(value));
    }
  }
}

std::vector<LossPoint> train_image_network(const std::vector<TrainingBody>& bodies,
                                           const std::vector<TrainingBody>& held_out, const ImageTraining& options,
                                           NetworkFile& checkpoint, const std::function<void()>& save) {
  Learner net(options.seed);
  for (const ImageNetwork::Shape& shape : ImageNetwork::shapes()) net.add_conv(shape.name, shape.inputs, shape.outputs);
  net.read_checkpoint(checkpoint, "image/");
  std::vector<LossPoint> curve = read_curve(checkpoint, "image/curve");
  if (net.steps() >= options.steps) {
    net.write(checkpoint);
    return curve;
  }
  std::vector<Album> albums, tests;
  for (const TrainingBody& body : bodies) albums.push_back(make_album(body));
  for (const TrainingBody& body : held_out) tests.push_back(make_album(body));
  double running = 0;
  int counted = 0;
  while (net.steps() < options.steps) {
    Random random = Random::stream(options.seed, static_cast<std::uint64_t>(net.steps()));
    const Loss loss = loss_of(net, take(albums, options.batch, random));
    loss.training.backward();
    const double left = 1 - static_cast<double>(net.steps()) / options.steps;
    net.step(options.rate * std::min(1.0, 4 * left + 0.05), 1);
    running += loss.distance.item<double>();
    ++counted;
    if (net.steps() % 50 == 0 || net.steps() == options.steps) {
      curve.push_back({net.steps(), running / counted, validate(net, tests)});
      std::fprintf(stderr, "image step %lld: training %.4f, held out %.4f, %.0f s of processor\n",
                   static_cast<long long>(net.steps()), curve.back().training, curve.back().validation,
                   static_cast<double>(std::clock()) / CLOCKS_PER_SEC);
      running = counted = 0;
      net.write(checkpoint);
      net.write_checkpoint(checkpoint, "image/");
      write_curve(curve, checkpoint, "image/curve");
      save();
    }
  }
  return curve;
}

}  // namespace sinew::torch_program
