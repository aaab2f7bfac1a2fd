#include <algorithm>

#include "sinew/base/parallel.h"
#include "sinew/weights/tools/compatible_surface.h"
#include "sinew/weights/tools/side_plane.h"
#include "sinew/weights/tools/topology_mirror.h"
#include "sinew/weights/tools/welded_skin.h"

namespace sinew {
namespace {

constexpr double seed_reach = 0.02;      // of the diagonal: how near vertices are that may begin a pairing by topology
constexpr double least_agreement = 0.2;  // cosine between normals of a place and of the surface it takes weights from

enum class Way : std::uint8_t { source, topology, vertex, surface, middle, unmatched };

// How one vertex gets its weights.
struct Image {
  Way way = Way::source;
  SurfacePlace place;
};

class Mirror {
 public:
  Mirror(const WeldedSkin& skin, const JointMirror& joints, const MirrorOptions& options)
      : skin_(skin),
        options_(options),
        plane_(find_side_plane(skin.mesh, joints)),
        surface_(skin.mesh, vertex_normals(skin.mesh.positions, skin.mesh.triangles)),
        points_(skin.mesh.positions) {
    diagonal_ = bounding_diagonal(skin.mesh);
    normals_ = vertex_normals(skin.mesh.positions, skin.mesh.triangles);
    find_nearest();
    topology_.assign(skin.vertex_count(), no_image);
    if (options.by_topology) topology_ = mirror_by_topology(skin.mesh, plane_, nearest_);
  }

  Image image_of(std::uint32_t vertex) const {
    const double sign = options_.from == MirrorFrom::left ? 1.0 : -1.0;
    const double own = sign * plane_.side(skin_.mesh.positions[vertex]);
    const double tolerance = options_.vertex_tolerance * diagonal_;
    const std::uint32_t paired = topology_[vertex];
    if (paired != no_image) {
      if (paired == vertex) return {Way::middle, {}};
      // In a pose one side may reach over the plane: the one that lies further over is the source.
      if (own >= sign * plane_.side(skin_.mesh.positions[paired])) return {Way::source, {}};
      return {Way::topology, single(paired)};
    }
    if (std::abs(own) <= tolerance) return {Way::middle, {}};
    if (own > 0) return {Way::source, {}};
    const Vec3f place = plane_.image(skin_.mesh.positions[vertex]);
    if (nearest_[vertex] != no_image && distance_to(place, nearest_[vertex]) <= tolerance) {
      return {Way::vertex, single(nearest_[vertex])};
    }
    Image image{Way::surface, {}};
    const Vec3f normal = plane_.image_direction(normals_[vertex]);
    if (!surface_.find(place, normal, options_.reach * diagonal_, least_agreement, image.place)) {
      image.way = Way::unmatched;
    }
    return image;
  }

 private:
  static SurfacePlace single(std::uint32_t vertex) { return {{vertex, vertex, vertex}, Vec3d::UnitX(), 0}; }

  double distance_to(const Vec3f& place, std::uint32_t vertex) const {
    return (place - skin_.mesh.positions[vertex]).cast<double>().norm();
  }

  // Of vertices that lie within the tolerance of the mirrored place, the nearest that faces the same way counts.
  void find_nearest() {
    nearest_.assign(skin_.vertex_count(), no_image);
    const double reach = std::max(seed_reach, options_.vertex_tolerance) * diagonal_;
    parallel_for(nearest_.size(), 256, [&](std::size_t begin, std::size_t end) {
      std::vector<NearPoint> near;
      for (std::size_t v = begin; v < end; ++v) {
        const Vec3f normal = plane_.image_direction(normals_[v]);
        points_.nearest(plane_.image(skin_.mesh.positions[v]), 4, near);
        for (const NearPoint& point : near) {
          if (point.distance > reach) break;
          if (nearest_[v] == no_image) nearest_[v] = point.index;
          if (point.distance > options_.vertex_tolerance * diagonal_) break;
          if (normals_[point.index].dot(normal) < least_agreement) continue;
          nearest_[v] = point.index;
          break;
        }
      }
    });
  }

  const WeldedSkin& skin_;
  const MirrorOptions& options_;
  SidePlane plane_;
  CompatibleSurface surface_;
  NearestPoints points_;
  std::vector<Vec3f> normals_;
  std::vector<std::uint32_t> nearest_, topology_;
  double diagonal_ = 0;
};

// Per joint, where its weight goes on the other side: a joint without counterpart gives it to the nearest above.
std::vector<std::uint16_t> joint_images(const Skeleton& skeleton, const JointMirror& mirror) {
  std::vector<std::uint16_t> images(mirror.joints.size());
  for (int joint = 0; joint < skeleton.joint_count(); ++joint) {
    int up = joint;
    while (mirror.joints[up] < 0 && skeleton.parents[up] >= 0) up = skeleton.parents[up];
    images[joint] = static_cast<std::uint16_t>(mirror.joints[up] >= 0 ? mirror.joints[up] : joint);
  }
  return images;
}

WeightRow mirrored(const WeightRow& row, const std::vector<std::uint16_t>& images) {
  WeightRow result;
  for (const Influence& influence : row) add_row(result, {{images[influence.joint], influence.weight}}, 1.0);
  return result;
}

WeightRow new_row(const WeldedSkin& skin, std::uint32_t vertex, const Image& image,
                  const std::vector<std::uint16_t>& images) {
  const WeightRow& before = skin.rows[vertex];
  WeightRow wanted;
  if (image.way == Way::source || image.way == Way::unmatched) return before;
  if (image.way == Way::middle) {
    wanted = mirrored(before, images);
    add_row(wanted, before, 1.0);
    scale_row(wanted, 0.5);
  } else {
    for (int i = 0; i < 3; ++i) {
      if (image.place.share[i] > 0) add_row(wanted, skin.rows[image.place.corners[i]], image.place.share[i]);
    }
    wanted = mirrored(wanted, images);
  }
  if (wanted.empty()) return before;
  scale_row(wanted, 1.0 / row_sum(wanted));
  wanted = with_locked(before, wanted, skin.locked);
  limit_row(wanted, skin.most_influences, skin.locked);
  return wanted;
}

void count(const std::vector<Image>& images, const WeldedSkin& skin, MirrorReport& report) {
  for (std::size_t v = 0; v < images.size(); ++v) {
    if (!skin.selected[v]) continue;
    report.by_topology += images[v].way == Way::topology;
    report.by_vertex += images[v].way == Way::vertex;
    report.by_surface += images[v].way == Way::surface;
    report.middle += images[v].way == Way::middle;
    report.unmatched += images[v].way == Way::unmatched;
  }
}

// Pairs of joints, and those that have weights but no counterpart.
void describe_joints(const WeldedSkin& skin, const JointMirror& mirror, MirrorReport& report) {
  std::vector<char> used(mirror.joints.size(), 0);
  for (const WeightRow& row : skin.rows) {
    for (const Influence& influence : row) used[influence.joint] = 1;
  }
  for (int joint = 0; joint < static_cast<int>(mirror.joints.size()); ++joint) {
    report.joint_pairs += mirror.joints[joint] > joint;
    if (used[joint] && mirror.joints[joint] < 0) report.unpaired.push_back(joint);
  }
}

void warn(const Skeleton& skeleton, MirrorReport& report) {
  Warnings& warnings = report.change.warnings;
  if (!report.unpaired.empty()) {
    warnings.push_back({"joints-without-mirror",
                        std::to_string(report.unpaired.size()) + " joints have no counterpart on the other side ('" +
                            skeleton.names[report.unpaired.front()] +
                            "' is the first): their weights went to the counterpart of the joint above"});
  }
  if (report.unmatched > 0) {
    warnings.push_back({"vertices-without-mirror", std::to_string(report.unmatched) +
                                                       " vertices have no surface at their mirrored place and keep "
                                                       "their weights"});
  }
}

}  // namespace

MirrorReport mirror_weights(Character& character, const MirrorOptions& options, const Progress& progress) {
  require_range(options.vertex_tolerance, 0, 0.1, "vertex_tolerance");
  require_range(options.reach, 0, 1, "reach");
  return with_threads(options.threads, progress, [&] {
    progress(0.0, "finding mirror images");
    const WeldedSkin skin = weld_skin(character, options.selection);
    const JointMirror joints = mirror_joints(character.skeleton);
    MirrorReport report;
    describe_joints(skin, joints, report);
    if (report.joint_pairs == 0) {
      throw Error(ErrorCode::skeleton_not_understood, "no two joints are each other's mirror image",
                  "name them by side, for example LeftArm and RightArm");
    }
    const Mirror mirror(skin, joints, options);
    const std::vector<std::uint16_t> targets = joint_images(character.skeleton, joints);
    std::vector<Image> images(skin.vertex_count());
    std::vector<WeightRow> rows = skin.rows;
    parallel_for(images.size(), 256, progress.part(0.4, 0.9), "mirroring weights",
                 [&](std::size_t begin, std::size_t end) {
                   for (std::size_t v = begin; v < end; ++v) {
                     if (!skin.selected[v]) continue;
                     images[v] = mirror.image_of(static_cast<std::uint32_t>(v));
                     rows[v] = new_row(skin, static_cast<std::uint32_t>(v), images[v], targets);
                   }
                 });
    count(images, skin, report);
    report.change = store_rows(character, skin, rows, character.weights.influences);
    warn(character.skeleton, report);
    progress(1.0, "mirroring weights");
    return report;
  });
}

}  // namespace sinew
