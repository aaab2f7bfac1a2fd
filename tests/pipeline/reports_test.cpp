// Measuring and drawing through the public headers.
#include <gtest/gtest.h>

#include "sinew/bind.h"
#include "sinew/draw/image.h"
#include "sinew/evaluate.h"
#include "sinew/render.h"
#include "tests/support/shapes.h"

namespace sinew {
namespace {

TEST(EvaluateCharacter, GivesFiguresByName) {
  const Character truth = test::person(1000);
  Character candidate = truth;
  bind_character(candidate);
  EvaluateOptions options;
  options.random_poses = 4;
  options.poses_per_motion = 2;
  options.intersection_poses = 0;
  const EvaluationReport report = evaluate_character(candidate, &truth, options);
  const auto figure = [&](const char* name) {
    for (const Metric& metric : report.metrics) {
      if (metric.name == name) return metric.value;
    }
    ADD_FAILURE() << name;
    return 0.0;
  };
  EXPECT_GT(figure("ade"), 0.0);
  EXPECT_LT(figure("ade"), 0.02);
  EXPECT_EQ(figure("coverage"), 1.0);
  EXPECT_EQ(report.vertex_errors.size(), truth.mesh.vertex_count());
  EXPECT_NE(report.json.find("\"deformation"), std::string::npos);
  options.joint_limits = "not JSON";
  EXPECT_THROW(evaluate_character(candidate, &truth, options), Error);
  EXPECT_THROW(evaluate_character({}), Error);
}

TEST(RenderCharacter, DrawsAPng) {
  const Character character = test::person(1000);
  PictureRequest request{.mode = "weights", .joint = "LeftForeArm", .width = 64, .height = 48, .motion = 0};
  request.samples = 1;
  const RenderedPicture picture = render_character(character, request);
  const Image image = decode_image(picture.png);
  EXPECT_EQ(image.width, 64);
  EXPECT_EQ(image.height, 48);
  PictureRequest other = request;
  other.mode = "no such mode";
  EXPECT_THROW(render_character(character, other), Error);
  other = request;
  other.joint = "Tail";
  EXPECT_THROW(render_character(character, other), Error);
  other = request;
  other.motion = 99;
  EXPECT_THROW(render_character(character, other), Error);
  other = request;
  other.view = "sideways";
  EXPECT_THROW(render_character(character, other), Error);
}

}  // namespace
}  // namespace sinew
