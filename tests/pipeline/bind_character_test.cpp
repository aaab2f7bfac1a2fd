// Binding by name: inputs beside numbers, and a binder that remembers.
#include <gtest/gtest.h>

#include "sinew/bind.h"
#include "tests/support/shapes.h"

namespace sinew {
namespace {

ErrorKind refusal(const BindOptions& options) {
  Character bar = test::bar(4, 0.25, 21, 8, 2);
  try {
    bind_character(bar, options);
  } catch (const Error& error) {
    EXPECT_TRUE(bar.weights.empty());
    return error.kind();
  }
  ADD_FAILURE() << "accepted";
  return ErrorKind::failed;
}

TEST(BindCharacter, RefusesInputsThatTheMethodDoesNotTake) {
  const Character body = test::bar();
  const SkinWeights weights = make_skin_weights(body.mesh.vertex_count(), 1);
  EXPECT_EQ(refusal({.method = "heat", .pins = {{0, {{0, 1.0}}}}}), ErrorKind::usage);
  EXPECT_EQ(refusal({.method = "heat", .body = &body}), ErrorKind::usage);
  EXPECT_EQ(refusal({.method = "atlas", .poses = &body}), ErrorKind::usage);
  EXPECT_EQ(refusal({.method = "biharmonic", .reference = &weights}), ErrorKind::usage);
  EXPECT_EQ(refusal({.method = "heat", .joint_softness = {{"default", 1.0}}}), ErrorKind::usage);
  EXPECT_EQ(refusal({.method = "no such method"}), ErrorKind::usage);
  EXPECT_EQ(refusal({.method = "heat", .values = {{"strength", std::string("much")}}}), ErrorKind::usage);
  EXPECT_EQ(refusal({.method = "heat", .max_influences = 40}), ErrorKind::usage);
}

TEST(BindCharacter, AFieldFollowsReferenceWeights) {
  // An artist who wants the whole bar rigid to the first joint.
  Character bar = test::bar(4, 0.25, 21, 8, 2);
  SkinWeights reference = make_skin_weights(bar.mesh.vertex_count(), 1);
  for (std::size_t v = 0; v < bar.mesh.vertex_count(); ++v) set_influences(reference, v, {{0, 1.0}});
  BindOptions options{.method = "skincells", .values = {{"steps", 0}, {"fit-steps", 200}}, .reference = &reference};
  const BindReport report = bind_character(bar, options);
  EXPECT_FALSE(report.field.empty());
  double mean = 0;
  for (std::size_t v = 0; v < bar.mesh.vertex_count(); ++v) mean += bar.weights.weight_of(v, 0);
  EXPECT_GT(mean / static_cast<double>(bar.mesh.vertex_count()), 0.95);
  reference.weights.pop_back();
  reference.joints.pop_back();
  EXPECT_THROW(bind_character(bar, options), Error);
}

TEST(BindCharacter, SoftnessPerJointReachesTheAtlas) {
  Character plain = test::bar(4, 0.25, 41, 12, 3), soft = plain;
  bind_character(plain, {.method = "atlas"});
  bind_character(soft, {.method = "atlas", .joint_softness = {{"Bone1", 2.0}}});
  EXPECT_NE(plain.weights.weights, soft.weights.weights);
}

TEST(Binder, RemembersAndNeverMixesThingsUp) {
  const Character bar = test::bar(4, 0.25, 41, 12, 3), other = test::bar(3, 0.3, 31, 10, 2);
  Binder binder;
  std::vector<BindOptions> requests;
  for (const double k : {0.2, 1.0, 0.2}) requests.push_back({.method = "atlas", .values = {{"softness", k}}});
  requests.push_back({.method = "atlas", .values = {{"distance", std::string("euclidean")}}});
  requests.push_back({.method = "atlas", .max_influences = 2});
  requests.push_back({.method = "atlas", .joints = "Bone0,Bone1"});
  requests.push_back({.method = "atlas", .joint_softness = {{"Bone1", 2.0}}});
  requests.push_back({.method = "heat"});
  for (const BindOptions& options : requests) {
    for (const Character* given : {&bar, &other, &bar}) {
      Character remembered = *given, fresh = *given;
      binder.bind(remembered, options);
      bind_character(fresh, options);
      EXPECT_EQ(remembered.weights.weights, fresh.weights.weights);
      EXPECT_EQ(remembered.weights.joints, fresh.weights.joints);
    }
  }
}

TEST(Methods, SayWhatTheyTake) {
  EXPECT_TRUE(weight_method_info("biharmonic").takes(MethodInput::pins));
  EXPECT_FALSE(weight_method_info("heat").takes(MethodInput::pins));
  EXPECT_TRUE(weight_method_info("skincells").makes_field);
  EXPECT_TRUE(weight_method_info("auto").takes(MethodInput::weight_model));
  EXPECT_EQ(weight_method_list().size(), 6u);
}

}  // namespace
}  // namespace sinew
