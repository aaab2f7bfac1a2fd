#include "train_fit.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ctime>

#include "apps/torch/training_data/bone_pairs.h"
#include "apps/torch/training_data/training_example.h"
#include "learner.h"
#include "sinew/error.h"

namespace sinew::torch_program {
namespace {

using namespace fit_network_size;

// Of the layers that give weights. Only training has them: the skin that a skeleton moves is part of what it is judged by.
constexpr int pair_hidden = 16, match = 32;

void add_attention(Learner& net, const std::string& name) {
  for (const char* part : {".query", ".key", ".value", ".out"}) net.add_linear(name + part, code, code);
  net.add_linear(name + ".wide", code, wide);
  net.add_linear(name + ".narrow", wide, code);
  net.add_norm(name + ".norm1", code);
  net.add_norm(name + ".norm2", code);
}

void add_networks(Learner& net, int features) {
  net.add_linear("fit.mesh0", 6 + features, hidden);
  net.add_linear("fit.mesh1", hidden, hidden);
  net.add_linear("fit.mesh2", hidden, local);
  net.add_linear("fit.mesh3", 2 * local, hidden);
  net.add_linear("fit.mesh4", hidden, code);
  net.add_linear("fit.joint", joint_inputs, code);
  for (int i = 0; i < skeleton_layers; ++i) {
    const std::string name = "fit.skeleton" + std::to_string(i);
    add_attention(net, name);
    net.add(name + ".hops", {heads, hop_kinds}, 0.5);
  }
  for (int i = 0; i < decoder_layers; ++i) {
    const std::string name = "fit.decoder" + std::to_string(i);
    add_attention(net, name);
    net.add_linear(name + ".seen", 3 * looks, code);
    net.add_linear(name + ".place", 3, code);
    net.add_linear(name + ".mix", code, looks);
    net.add_linear(name + ".offset", code, 3);
  }
  net.add("fit.nearness", {looks}, 0.5, 0);
  net.add_linear("fit.match_place", code, match);
  net.add_linear("fit.match_joint", code, match);
  net.add_linear("fit.pair1", bone_pair_inputs, pair_hidden);
  net.add_linear("fit.pair2", pair_hidden, 1);
}

// One lesson as tensors.
struct Lesson {
  at::Tensor inputs, source, target, hops, places, normals, pairs, weights, turns, chain, posed;
  at::Tensor partners, neighbours, target_places;
  bool symmetric, weights_known;
};

at::Tensor hops_of(const SkeletonGraph& graph) {
  const std::vector<std::uint8_t> kinds = hop_relations(graph);
  return to_tensor(std::vector<int>(kinds.begin(), kinds.end())).view({graph.count(), graph.count()});
}

Lesson to_lesson(const TrainingExample& example) {
  Lesson lesson;
  lesson.inputs = to_tensor(example.inputs);
  lesson.places = lesson.inputs.narrow(1, 0, 3);
  lesson.normals = lesson.inputs.narrow(1, 3, 3);
  lesson.source = to_tensor(graph_inputs(example.source));
  lesson.target = to_tensor(graph_inputs(example.target));
  lesson.hops = hops_of(example.source);
  NetMatrix places(example.target.count(), 3);
  for (int j = 0; j < example.target.count(); ++j) {
    places.row(j) = example.target.positions[j].transpose().cast<float>();
  }
  lesson.target_places = to_tensor(places);
  lesson.pairs = to_tensor(example.pairs);
  lesson.weights_known = example.weights.size() > 0;
  if (lesson.weights_known) lesson.weights = to_tensor(example.weights);
  lesson.turns = to_tensor(example.turns);
  lesson.chain = to_tensor(example.chain);
  lesson.posed = to_tensor(example.posed);
  lesson.neighbours = to_tensor(example.neighbours);
  lesson.symmetric = !example.partners.empty();
  if (lesson.symmetric) lesson.partners = to_tensor(example.partners);
  return lesson;
}

class Networks {
 public:
  explicit Networks(const Learner& net) : net_(net) {}

  at::Tensor linear(const std::string& name, const at::Tensor& x) const {
    return at::addmm(net_[name + ".b"], x, net_[name + ".w"]);
  }
  at::Tensor norm(const std::string& name, const at::Tensor& x) const {
    return at::layer_norm(x, {x.size(1)}, net_[name + ".w"], net_[name + ".b"]);
  }
  at::Tensor mlp(const std::string& name, const at::Tensor& x) const {
    return norm(name + ".norm2", x + linear(name + ".narrow", linear(name + ".wide", x).relu()));
  }
  // rows × (heads · width) → heads × rows × width.
  static at::Tensor split(const at::Tensor& x, int count) {
    return x.view({x.size(0), count, x.size(1) / count}).transpose(0, 1);
  }
  static at::Tensor joined(const at::Tensor& x) { return x.transpose(0, 1).reshape({x.size(1), -1}); }

  at::Tensor encode_mesh(const at::Tensor& inputs) const {
    at::Tensor x = linear("fit.mesh0", inputs).relu();
    x = linear("fit.mesh2", linear("fit.mesh1", x).relu());
    const at::Tensor global = std::get<0>(x.max(0, true)).expand({x.size(0), x.size(1)});
    return linear("fit.mesh4", linear("fit.mesh3", at::cat({x, global}, 1)).relu());
  }

  at::Tensor encode_skeleton(const at::Tensor& joints, const at::Tensor& hops) const {
    at::Tensor x = linear("fit.joint", joints);
    for (int layer = 0; layer < skeleton_layers; ++layer) {
      const std::string name = "fit.skeleton" + std::to_string(layer);
      const at::Tensor query = split(linear(name + ".query", x), heads), key = split(linear(name + ".key", x), heads),
                       value = split(linear(name + ".value", x), heads);
      const at::Tensor bias =
          net_[name + ".hops"].index_select(1, hops.flatten()).view({heads, hops.size(0), hops.size(1)});
      const at::Tensor shares =
          (at::bmm(query, key.transpose(1, 2)) / std::sqrt(static_cast<double>(code / heads)) + bias).softmax(-1);
      x = norm(name + ".norm1", x + linear(name + ".out", joined(at::bmm(shares, value))));
      x = mlp(name, x);
    }
    return x;
  }

  // Places after each decoder layer.
  std::vector<at::Tensor> place(const at::Tensor& mesh, const Lesson& lesson) const {
    at::Tensor x = encode_skeleton(lesson.source, lesson.hops);
    at::Tensor at_place = at::zeros({x.size(0), 3});
    std::vector<at::Tensor> result;
    for (int layer = 0; layer < decoder_layers; ++layer) {
      const std::string name = "fit.decoder" + std::to_string(layer);
      const at::Tensor query = split(linear(name + ".query", x + linear(name + ".place", at_place)), looks),
                       key = split(linear(name + ".key", mesh), looks),
                       value = split(linear(name + ".value", mesh), looks);
      at::Tensor logits = at::bmm(query, key.transpose(1, 2)) / std::sqrt(static_cast<double>(code / looks));
      if (layer > 0) {
        const at::Tensor away = at::cdist(at_place, lesson.places).square();
        logits = logits - 100 * at::softplus(net_["fit.nearness"]).view({looks, 1, 1}) * away;
      }
      const at::Tensor shares = logits.softmax(-1);
      const at::Tensor seen = at::matmul(shares, lesson.places);  // looks × joints × 3
      x = norm(name + ".norm1",
               x + linear(name + ".out", joined(at::bmm(shares, value))) + linear(name + ".seen", joined(seen)));
      x = mlp(name, x);
      const at::Tensor mix = linear(name + ".mix", x).softmax(-1).t().unsqueeze(2);
      at_place = (mix * seen).sum(0) + 0.1 * linear(name + ".offset", x);
      result.push_back(symmetrised(at_place, lesson));
    }
    return result;
  }

  at::Tensor weights(const at::Tensor& mesh, const Lesson& lesson) const {
    const at::Tensor joints = linear("fit.match_joint", encode_skeleton(lesson.target, lesson.hops));
    const at::Tensor places = linear("fit.match_place", mesh);
    const at::Tensor pairs = linear("fit.pair2", linear("fit.pair1", lesson.pairs).relu());
    return at::matmul(places, joints.t()) / std::sqrt(static_cast<double>(match)) +
           pairs.view({places.size(0), joints.size(0)});
  }

 private:
  static at::Tensor symmetrised(const at::Tensor& place, const Lesson& lesson) {
    if (!lesson.symmetric) return place;
    static const at::Tensor mirror = at::tensor({-1.0f, 1.0f, 1.0f});
    const at::Tensor other = place.index_select(0, lesson.partners.clamp_min(0)) * mirror;
    return at::where(lesson.partners.ge(0).unsqueeze(1), 0.5 * (place + other), place);
  }

  const Learner& net_;
};

struct Losses {
  at::Tensor sum, joints;
};

at::Tensor chamfer(const at::Tensor& a, const at::Tensor& b) {
  const at::Tensor away = at::cdist(a, b);
  return 0.5 * (std::get<0>(away.min(0)).mean() + std::get<0>(away.min(1)).mean());
}

// How far joints stand outside the surface, by the nearest place and its normal.
at::Tensor outside(const at::Tensor& joints, const Lesson& lesson) {
  at::Tensor nearest;
  {
    at::NoGradGuard guard;
    nearest = at::cdist(joints, lesson.places).argmin(1);
  }
  const at::Tensor above =
      ((joints - lesson.places.index_select(0, nearest)) * lesson.normals.index_select(0, nearest)).sum(1);
  return (above + 0.005).relu().mean();
}

// The skin moved by the predicted skeleton and weights.
at::Tensor moved(const at::Tensor& weights, const at::Tensor& joints, const Lesson& lesson) {
  const std::int64_t count = joints.size(0);
  const at::Tensor posed = at::mv(lesson.chain, joints.reshape({3 * count})).view({count, 3});
  const at::Tensor turns = lesson.turns.view({count, 3, 3});
  const at::Tensor shift = posed - at::bmm(turns, joints.unsqueeze(2)).squeeze(2);
  const at::Tensor blended = at::matmul(weights, lesson.turns).view({-1, 3, 3});
  return at::bmm(blended, lesson.places.unsqueeze(2)).squeeze(2) + at::matmul(weights, shift);
}

Losses losses_of(const Networks& networks, const Lesson& lesson, bool all) {
  const at::Tensor mesh = networks.encode_mesh(lesson.inputs);
  const std::vector<at::Tensor> places = networks.place(mesh, lesson);
  Losses losses;
  losses.joints = (places.back() - lesson.target_places).square().sum(1).add(1e-8).sqrt().mean();
  if (!all) return losses;
  const at::Tensor first = (places.front() - lesson.target_places).square().sum(1).add(1e-8).sqrt().mean();
  const at::Tensor logits = networks.weights(mesh, lesson);
  const at::Tensor weights = logits.softmax(-1);
  const at::Tensor skin = moved(weights, places.back(), lesson);
  const at::Tensor vertex = (skin - lesson.posed).square().sum(1).add(1e-8).sqrt().mean();
  const auto edges = [&](const at::Tensor& x) {
    return (x - x.index_select(0, lesson.neighbours)).square().sum(1).add(1e-8).sqrt();
  };
  const at::Tensor edge = (edges(skin) - edges(lesson.posed)).abs().mean();
  losses.sum = 10 * losses.joints + 4 * first + 2 * chamfer(places.back(), lesson.target_places) +
               4 * outside(places.back(), lesson) + 5 * vertex + 5 * edge;
  if (lesson.weights_known) {
    losses.sum = losses.sum - 0.15 * (lesson.weights * logits.log_softmax(-1)).sum(1).mean();
  }
  return losses;
}

double validate(Learner& net, const std::vector<TrainingBody>& bodies, std::uint64_t seed) {
  if (bodies.empty()) return 0;
  at::NoGradGuard guard;
  net.swap_means();
  const Networks networks(net);
  double sum = 0;
  constexpr int count = 48;
  for (int i = 0; i < count; ++i) {
    Random random = Random::stream(seed + 99, static_cast<std::uint64_t>(i));
    const TrainingBody& body = bodies[static_cast<std::size_t>(i) % bodies.size()];
    sum += losses_of(networks, to_lesson(make_example(body, {}, random)), false).joints.item<double>() / count;
  }
  net.swap_means();
  return sum;
}

// What was trained here and what the library runs without libtorch must be the same networks.
void check_against_library(Learner& net, const TrainingBody& body, const NetworkFile& file) {
  at::NoGradGuard guard;
  Random random(5);
  TrainingExample example = make_example(body, {}, random);
  example.partners.clear();
  const Lesson lesson = to_lesson(example);
  net.swap_means();
  const Networks networks(net);
  const at::Tensor mesh = networks.encode_mesh(lesson.inputs);
  const at::Tensor places = networks.place(mesh, lesson).back();
  net.swap_means();
  const FitNetwork library(file);
  const std::vector<Vec3d> own = library.place_joints(library.encode(example.inputs), example.source);
  double apart = 0;
  for (std::size_t j = 0; j < own.size(); ++j) {
    for (int c = 0; c < 3; ++c) {
      const auto row = static_cast<std::int64_t>(j);
      apart = std::max(apart, std::abs(own[j][c] - places[row][c].item<double>()));
    }
  }
  if (!(apart < 1e-3)) {
    throw Error(ErrorCode::internal, "the library runs the trained networks differently, by " + std::to_string(apart));
  }
}

}  // namespace

std::vector<LossPoint> train_fit_network(const std::vector<TrainingBody>& bodies,
                                         const std::vector<TrainingBody>& held_out, const FitTraining& options,
                                         NetworkFile& checkpoint, const std::function<void()>& save) {
  Learner net(options.seed);
  add_networks(net, static_cast<int>(bodies.front().features.cols()));
  net.read_checkpoint(checkpoint, "fit/");
  std::vector<LossPoint> curve = read_curve(checkpoint, "fit/curve");
  double running = 0;
  int counted = 0;
  while (net.steps() < options.steps) {
    const Networks networks(net);
    for (int b = 0; b < options.batch; ++b) {
      Random random = Random::stream(options.seed, static_cast<std::uint64_t>(net.steps() * options.batch + b));
      const TrainingBody& body = bodies[random.below(bodies.size())];
      const Losses losses = losses_of(networks, to_lesson(make_example(body, {}, random)), true);
      losses.sum.backward();
      running += losses.joints.item<double>() / options.batch;
    }
    ++counted;
    const double left = 1 - static_cast<double>(net.steps()) / options.steps;
    net.step(options.rate * std::min({1.0, 3 * left + 0.03, (1.0 + static_cast<double>(net.steps())) / 100}),
             options.batch);
    if (net.steps() % 100 == 0 || net.steps() == options.steps) {
      curve.push_back({net.steps(), running / counted, validate(net, held_out, options.seed)});
      std::fprintf(stderr, "fit step %lld: joints %.4f, held out %.4f, %.0f s of processor\n",
                   static_cast<long long>(net.steps()), curve.back().training, curve.back().validation,
                   static_cast<double>(std::clock()) / CLOCKS_PER_SEC);
      running = counted = 0;
      net.write(checkpoint);
      net.write_checkpoint(checkpoint, "fit/");
      write_curve(curve, checkpoint, "fit/curve");
      save();
    }
  }
  net.write(checkpoint);
  check_against_library(net, bodies.front(), checkpoint);
  return curve;
}

}  // namespace sinew::torch_program
