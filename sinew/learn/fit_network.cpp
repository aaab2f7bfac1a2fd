#include "sinew/learn/fit_network.h"

#include <algorithm>
#include <cmath>

#include "sinew/base/parallel.h"
#include "sinew/error.h"

namespace sinew {
namespace {

using namespace fit_network_size;

// Columns of one head.
NetMatrix head_of(const NetMatrix& x, int head, int count) {
  const Eigen::Index width = x.cols() / count;
  return x.middleCols(head * width, width);
}

// Logits of one head: q kᵀ / √width.
NetMatrix head_logits(const NetMatrix& query, const NetMatrix& key, int head, int count) {
  const NetMatrix q = head_of(query, head, count), k = head_of(key, head, count);
  NetMatrix logits = multiply(q, NetMatrix(k.transpose()));
  logits /= std::sqrt(static_cast<float>(q.cols()));
  return logits;
}

}  // namespace

FitNetwork::Attention FitNetwork::read_attention(const NetworkFile& file, const std::string& name) {
  Attention a;
  a.query = LinearLayer::read(file, name + ".query", code, code);
  a.key = LinearLayer::read(file, name + ".key", code, code);
  a.value = LinearLayer::read(file, name + ".value", code, code);
  a.out = LinearLayer::read(file, name + ".out", code, code);
  a.wide = LinearLayer::read(file, name + ".wide", code, fit_network_size::wide);
  a.narrow = LinearLayer::read(file, name + ".narrow", fit_network_size::wide, code);
  a.after_attention = NormLayer::read(file, name + ".norm1", code);
  a.after_mlp = NormLayer::read(file, name + ".norm2", code);
  return a;
}

FitNetwork::FitNetwork(const NetworkFile& file) {
  const auto first = file.arrays.find("fit.mesh0.w");
  if (first == file.arrays.end() || first->second.shape.size() != 2 || first->second.shape[0] < 6) {
    throw Error(ErrorCode::network_invalid, "the file holds no network for fitting");
  }
  const int inputs = static_cast<int>(first->second.shape[0]);
  features_ = inputs - 6;
  mesh_[0] = LinearLayer::read(file, "fit.mesh0", inputs, hidden);
  mesh_[1] = LinearLayer::read(file, "fit.mesh1", hidden, hidden);
  mesh_[2] = LinearLayer::read(file, "fit.mesh2", hidden, local);
  mesh_[3] = LinearLayer::read(file, "fit.mesh3", 2 * local, hidden);
  mesh_[4] = LinearLayer::read(file, "fit.mesh4", hidden, code);
  joint_ = LinearLayer::read(file, "fit.joint", joint_inputs, code);
  for (int i = 0; i < skeleton_layers; ++i) {
    const std::string name = "fit.skeleton" + std::to_string(i);
    skeleton_[i] = read_attention(file, name);
    hop_bias_[i] =
        Eigen::Map<const NetMatrix>(file.array(name + ".hops", {heads, hop_kinds}).values.data(), heads, hop_kinds);
  }
  for (int i = 0; i < decoder_layers; ++i) {
    const std::string name = "fit.decoder" + std::to_string(i);
    decoder_[i] = read_attention(file, name);
    seen_[i] = LinearLayer::read(file, name + ".seen", 3 * looks, code);
    place_[i] = LinearLayer::read(file, name + ".place", 3, code);
    mix_[i] = LinearLayer::read(file, name + ".mix", code, looks);
    offset_[i] = LinearLayer::read(file, name + ".offset", code, 3);
  }
  nearness_ = Eigen::Map<const Eigen::RowVectorXf>(file.array("fit.nearness", {looks}).values.data(), looks);
}

NetMatrix FitNetwork::first_layers(const MeshInputs& inputs) const {
  if (inputs.cols() != 6 + features_) {
    throw Error(ErrorCode::network_invalid, "the network expects another number of image features");
  }
  NetMatrix x = mesh_[0](inputs);
  rectify(x);
  x = mesh_[1](x);
  rectify(x);
  return mesh_[2](x);
}

NetMatrix FitNetwork::last_layers(const NetMatrix& local_code, const Eigen::RowVectorXf& global) const {
  NetMatrix joined(local_code.rows(), 2 * local);
  joined.leftCols(local) = local_code;
  joined.rightCols(local).rowwise() = global;
  NetMatrix x = mesh_[3](joined);
  rectify(x);
  return mesh_[4](x);
}

MeshCode FitNetwork::encode(const MeshInputs& inputs) const {
  MeshCode result;
  const NetMatrix local_code = first_layers(inputs);
  result.global = local_code.colwise().maxCoeff();
  result.places = inputs.leftCols(3);
  result.code = last_layers(local_code, result.global);
  return result;
}

NetMatrix FitNetwork::encode_skeleton(const SkeletonGraph& graph) const {
  const std::vector<std::uint8_t> hops = hop_relations(graph);
  const int count = graph.count();
  NetMatrix x = joint_(graph_inputs(graph));
  for (int layer = 0; layer < skeleton_layers; ++layer) {
    const Attention& a = skeleton_[layer];
    const NetMatrix query = a.query(x), key = a.key(x), value = a.value(x);
    NetMatrix mixed(count, code);
    for (int head = 0; head < heads; ++head) {
      NetMatrix logits = head_logits(query, key, head, heads);
      for (int i = 0; i < count; ++i) {
        for (int j = 0; j < count; ++j) {
          logits(i, j) += hop_bias_[layer](head, hops[static_cast<std::size_t>(i) * count + j]);
        }
      }
      soften_rows(logits);
      mixed.middleCols(head * (code / heads), code / heads) = multiply(logits, head_of(value, head, heads));
    }
    x = a.after_attention(x + a.out(mixed));
    NetMatrix y = a.wide(x);
    rectify(y);
    x = a.after_mlp(x + a.narrow(y));
  }
  return x;
}

std::vector<Vec3d> FitNetwork::place_joints(const MeshCode& mesh, const SkeletonGraph& graph) const {
  const int count = graph.count();
  NetMatrix x = encode_skeleton(graph);
  NetMatrix place = NetMatrix::Zero(count, 3);
  for (int layer = 0; layer < decoder_layers; ++layer) {
    const Attention& a = decoder_[layer];
    const NetMatrix query = a.query(NetMatrix(x + place_[layer](place))), key = a.key(mesh.code),
                    value = a.value(mesh.code);
    NetMatrix mixed(count, code), seen(count, 3 * looks);
    for (int look = 0; look < looks; ++look) {
      NetMatrix logits = head_logits(query, key, look, looks);
      if (layer > 0) {
        // The second look stays near the first place.
        const float nearness = 100 * softplus(nearness_[look]);
        for (int j = 0; j < count; ++j) {
          logits.row(j) -= nearness * (mesh.places.rowwise() - place.row(j)).rowwise().squaredNorm().transpose();
        }
      }
      soften_rows(logits);
      mixed.middleCols(look * (code / looks), code / looks) = multiply(logits, head_of(value, look, looks));
      seen.middleCols(3 * look, 3) = multiply(logits, mesh.places);
    }
    x = a.after_attention(x + a.out(mixed) + seen_[layer](seen));
    NetMatrix y = a.wide(x);
    rectify(y);
    x = a.after_mlp(x + a.narrow(y));
    NetMatrix shares = mix_[layer](x);
    soften_rows(shares);
    place = 0.1f * offset_[layer](x);
    for (int look = 0; look < looks; ++look) {
      place += (seen.middleCols(3 * look, 3).array().colwise() * shares.col(look).array()).matrix();
    }
  }
  std::vector<Vec3d> result;
  for (int j = 0; j < count; ++j) result.push_back(place.row(j).transpose().cast<double>());
  return result;
}

}  // namespace sinew
