#include "sinew/mesh/ray_scene.h"

#include <embree3/rtcore.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "sinew/base/cancellation.h"
#include "sinew/error.h"

namespace sinew {
namespace {

// Closest point of triangle abc to p, as barycentric weights (Ericson, Real-Time Collision Detection, 5.1.5).
Vec3f closest_barycentric(const Vec3f& p, const Vec3f& a, const Vec3f& b, const Vec3f& c) {
  const Vec3f ab = b - a, ac = c - a, ap = p - a;
  const float d1 = ab.dot(ap), d2 = ac.dot(ap);
  if (d1 <= 0 && d2 <= 0) return {1, 0, 0};
  const Vec3f bp = p - b;
  const float d3 = ab.dot(bp), d4 = ac.dot(bp);
  if (d3 >= 0 && d4 <= d3) return {0, 1, 0};
  const float vc = d1 * d4 - d3 * d2;
  if (vc <= 0 && d1 >= 0 && d3 <= 0) {
    const float v = d1 / (d1 - d3);
    return {1 - v, v, 0};
  }
  const Vec3f cp = p - c;
  const float d5 = ab.dot(cp), d6 = ac.dot(cp);
  if (d6 >= 0 && d5 <= d6) return {0, 0, 1};
  const float vb = d5 * d2 - d1 * d6;
  if (vb <= 0 && d2 >= 0 && d6 <= 0) {
    const float w = d2 / (d2 - d6);
    return {1 - w, 0, w};
  }
  const float va = d3 * d6 - d5 * d4;
  if (va <= 0 && d4 - d3 >= 0 && d5 - d6 >= 0) {
    const float w = (d4 - d3) / ((d4 - d3) + (d5 - d6));
    return {0, 1 - w, w};
  }
  const float sum = va + vb + vc;
  if (sum == 0) return {1, 0, 0};
  return {va / sum, vb / sum, vc / sum};
}

RTCDevice shared_device() {
  static RTCDevice device = [] {
    RTCDevice created = rtcNewDevice(nullptr);
    if (!created) throw Error(ErrorCode::system_refused, "Embree could not be started");
    return created;
  }();
  return device;
}

// Builds the tree of a new scene, unless the caller of the work asks to stop.
void commit(RTCScene scene) {
  const std::atomic<bool>* const cancel = CancellationScope::flag();
  const auto goes_on = [](void* flag, double) {
    return !static_cast<const std::atomic<bool>*>(flag)->load(std::memory_order_relaxed);
  };
  if (cancel) rtcSetSceneProgressMonitorFunction(scene, goes_on, const_cast<std::atomic<bool>*>(cancel));
  rtcCommitScene(scene);
  stop_if_cancelled();
}

RTCRay make_ray(const Vec3f& origin, const Vec3f& direction, float near, float far) {
  RTCRay ray{};
  ray.org_x = origin.x();
  ray.org_y = origin.y();
  ray.org_z = origin.z();
  ray.dir_x = direction.x();
  ray.dir_y = direction.y();
  ray.dir_z = direction.z();
  ray.tnear = near;
  ray.tfar = far;
  ray.mask = ~0u;
  return ray;
}

}  // namespace

struct RayScene::Impl {
  std::vector<Vec3f> positions;
  std::vector<Triangle> triangles;
  RTCScene scene = nullptr;

  ~Impl() {
    if (scene) rtcReleaseScene(scene);
  }
};

RayScene::RayScene(const std::vector<Vec3f>& positions, const std::vector<Triangle>& triangles)
    : impl_(std::make_unique<Impl>()) {
  impl_->positions = positions;
  impl_->triangles = triangles;
  // A corner that is not finite would poison the whole tree: collapse such triangles to a point far from everything.
  for (Vec3f& p : impl_->positions) {
    if (!p.allFinite()) p = Vec3f::Constant(std::numeric_limits<float>::quiet_NaN());
  }
  RTCDevice device = shared_device();
  impl_->scene = rtcNewScene(device);
  rtcSetSceneFlags(impl_->scene, RTC_SCENE_FLAG_ROBUST);
  if (!triangles.empty()) {
    RTCGeometry geometry = rtcNewGeometry(device, RTC_GEOMETRY_TYPE_TRIANGLE);
    // Embree reads 16 bytes at each 12-byte vertex, so its own padded buffer is used instead of sharing ours.
    void* vertex_buffer = rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3, sizeof(Vec3f),
                                                  impl_->positions.size());
    void* index_buffer = rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3, sizeof(Triangle),
                                                 impl_->triangles.size());
    if (!vertex_buffer || !index_buffer) throw Error(ErrorCode::out_of_memory, "not enough memory for the ray scene");
    std::memcpy(vertex_buffer, impl_->positions.data(), impl_->positions.size() * sizeof(Vec3f));
    std::memcpy(index_buffer, impl_->triangles.data(), impl_->triangles.size() * sizeof(Triangle));
    rtcCommitGeometry(geometry);
    rtcAttachGeometry(impl_->scene, geometry);
    rtcReleaseGeometry(geometry);
  }
  commit(impl_->scene);
}

RayScene::RayScene(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}

RayScene RayScene::of_spheres(const std::vector<Vec3f>& centres, float radius) {
  auto impl = std::make_unique<Impl>();
  RTCDevice device = shared_device();
  impl->scene = rtcNewScene(device);
  if (!centres.empty()) {
    RTCGeometry geometry = rtcNewGeometry(device, RTC_GEOMETRY_TYPE_SPHERE_POINT);
    auto* buffer = static_cast<float*>(
        rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT4, sizeof(Vec4f), centres.size()));
    if (!buffer) throw Error(ErrorCode::out_of_memory, "not enough memory for the ray scene");
    for (std::size_t i = 0; i < centres.size(); ++i) {
      for (int axis = 0; axis < 3; ++axis) buffer[4 * i + axis] = centres[i][axis];
      buffer[4 * i + 3] = radius;
    }
    rtcCommitGeometry(geometry);
    rtcAttachGeometry(impl->scene, geometry);
    rtcReleaseGeometry(geometry);
  }
  commit(impl->scene);
  return RayScene(std::move(impl));
}

RayScene::~RayScene() = default;
RayScene::RayScene(RayScene&&) noexcept = default;
RayScene& RayScene::operator=(RayScene&&) noexcept = default;

bool RayScene::intersect(const Vec3f& origin, const Vec3f& direction, RayHit& hit, float near, float far) const {
  RTCRayHit query{};
  query.ray = make_ray(origin, direction, near, far);
  query.hit.geomID = RTC_INVALID_GEOMETRY_ID;
  RTCIntersectContext context;
  rtcInitIntersectContext(&context);
  rtcIntersect1(impl_->scene, &context, &query);
  if (query.hit.geomID == RTC_INVALID_GEOMETRY_ID) return false;
  hit.distance = query.ray.tfar;
  hit.triangle = query.hit.primID;
  hit.barycentric = Vec2f(query.hit.u, query.hit.v);
  hit.geometric_normal = Vec3f(query.hit.Ng_x, query.hit.Ng_y, query.hit.Ng_z);
  return true;
}

bool RayScene::occluded(const Vec3f& origin, const Vec3f& direction, float near, float far) const {
  RTCRay ray = make_ray(origin, direction, near, far);
  RTCIntersectContext context;
  rtcInitIntersectContext(&context);
  rtcOccluded1(impl_->scene, &context, &ray);
  return ray.tfar < 0;
}

bool RayScene::visible(const Vec3f& from, const Vec3f& to, float clearance) const {
  return !occluded(from, to - from, clearance, 1.0f - clearance);
}

bool RayScene::closest_point(const Vec3f& point, ClosestPoint& result, float radius) const {
  struct Search {
    const Impl* impl;
    Vec3f point;
    ClosestPoint* result;
    bool found = false;
  } search{impl_.get(), point, &result};

  RTCPointQuery query;
  query.x = point.x();
  query.y = point.y();
  query.z = point.z();
  query.time = 0;
  query.radius = radius;
  RTCPointQueryContext context;
  rtcInitPointQueryContext(&context);
  const auto visit = [](RTCPointQueryFunctionArguments* arguments) {
    auto& s = *static_cast<Search*>(arguments->userPtr);
    const Triangle& t = s.impl->triangles[arguments->primID];
    const Vec3f &a = s.impl->positions[t[0]], &b = s.impl->positions[t[1]], &c = s.impl->positions[t[2]];
    const Vec3f weights = closest_barycentric(s.point, a, b, c);
    const Vec3f position = weights[0] * a + weights[1] * b + weights[2] * c;
    const float distance = (position - s.point).norm();
    const bool nearer = distance < arguments->query->radius ||
                        (distance == arguments->query->radius && (!s.found || arguments->primID < s.result->triangle));
    if (!nearer) return false;
    s.found = true;
    *s.result = {position, distance, arguments->primID, weights};
    arguments->query->radius = distance;
    return true;
  };
  if (impl_->triangles.empty()) return false;
  rtcPointQuery(impl_->scene, &query, &context, visit, &search);
  return search.found;
}

}  // namespace sinew
