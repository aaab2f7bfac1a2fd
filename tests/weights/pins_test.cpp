#include "sinew/weights/pins.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/shapes.h"

namespace sinew {
namespace {

BindInput input_to_pin(const Character& character) {
  Warnings warnings;
  return make_bind_input(character, {}, warnings);
}

std::vector<WeightPin> read(const std::string& text, const Character& character, Warnings* warnings = nullptr) {
  Warnings ignored;
  return read_pins(text, character, warnings ? *warnings : ignored);
}

TEST(Pins, ByVertexListAndPosition) {
  const Character bar = test::bar(4, 0.25, 21, 8, 2);
  const std::string first = bar.skeleton.names[0], second = bar.skeleton.names[1];
  const auto pins = read(R"({"pins": [
      {"vertices": [3, 4], "weights": {")" +
                             first + R"(": 2, ")" + second + R"(": 2}},
      {"vertex": 4, "weights": {")" +
                             second + R"(": 1}}]})",
                         bar);
  ASSERT_EQ(pins.size(), 2u);
  EXPECT_EQ(pins[0].vertex, 3u);
  EXPECT_DOUBLE_EQ(pins[0].weights[0].second, 0.5);
  EXPECT_EQ(pins[1].weights.size(), 1u);  // the later entry wins

  const Vec3f p = bar.mesh.positions[17];
  const std::string place =
      "[" + std::to_string(p.x()) + "," + std::to_string(p.y()) + "," + std::to_string(p.z()) + "]";
  const std::string weights = R"("weights": {")" + first + R"(": 1})";
  const auto nearest = read(R"({"pins": [{"position": )" + place + ", " + weights + "}]}", bar);
  ASSERT_EQ(nearest.size(), 1u);
  EXPECT_EQ(nearest[0].vertex, 17u);
  EXPECT_GT(read(R"({"pins": [{"position": )" + place + R"(, "radius": 0.5, )" + weights + "}]}", bar).size(), 5u);
}

TEST(Pins, WrittenAndReadAgain) {
  const Character bar = test::bar(4, 0.25, 21, 8, 2);
  const std::vector<WeightPin> pins = {{3, {{0, 1.0}}}, {5, {{0, 0.25}, {1, 0.75}}}, {9, {{0, 0.25}, {1, 0.75}}}};
  EXPECT_EQ(read(write_pins(pins, bar.skeleton), bar), pins);
  EXPECT_TRUE(read(write_pins({}, bar.skeleton), bar).empty());
}

TEST(Pins, CopiesAlongASeamAreOnePlace) {
  const Character seams = test::with_seams(test::bar(4, 0.25, 21, 8, 2));
  const BindInput input = input_to_pin(seams);
  std::uint32_t first = 0, second = 0;
  for (std::uint32_t v = 1; v < input.welded_of.size() && second == 0; ++v) {
    for (first = 0; first < v && input.welded_of[first] != input.welded_of[v];) ++first;
    if (first < v) second = v;
  }
  ASSERT_GT(second, 0u);
  const std::vector<WeldedPin> welded = welded_pins({{second, {{0, 3.0}, {1, 1.0}}}, {first, {{1, 1.0}}}}, input);
  ASSERT_EQ(welded.size(), 1u);
  EXPECT_EQ(welded[0].vertex, input.welded_of[first]);
  EXPECT_EQ(welded[0].weights, (std::vector<std::pair<int, double>>{{0, 0.75}, {1, 0.25}})) << "the first one counts";
}

TEST(Pins, GivenByAProgramAreChecked) {
  const Character bar = test::bar(4, 0.25, 21, 8, 2);
  const BindInput input = input_to_pin(bar);
  const std::uint32_t beyond = static_cast<std::uint32_t>(bar.mesh.vertex_count());
  const double nan = std::nan("");
  for (const WeightPin& pin : std::vector<WeightPin>{{beyond, {{0, 1.0}}},
                                                     {0, {{99, 1.0}}},
                                                     {0, {{-1, 1.0}}},
                                                     {0, {}},
                                                     {0, {{0, 0.0}}},
                                                     {0, {{0, -1.0}, {1, 2.0}}},
                                                     {0, {{0, nan}}}}) {
    EXPECT_THROW(welded_pins({pin}, input), Error) << pin.vertex;
  }
}

TEST(Pins, ByPaintedColour) {
  Character bar = test::bar(4, 0.25, 21, 8, 2);
  bar.mesh.colors.assign(bar.mesh.vertex_count(), Vec4f(1, 1, 1, 1));
  bar.mesh.colors[5] = Vec4f(0.95f, 0.02f, 0, 1);
  Warnings warnings;
  const auto pins = read(R"({"colors": [{"color": [1, 0, 0], "weights": {")" + bar.skeleton.names[0] + R"(": 1}},
                                        {"color": [0, 1, 0], "weights": {")" +
                             bar.skeleton.names[1] + R"(": 1}}]})",
                         bar, &warnings);
  ASSERT_EQ(pins.size(), 1u);
  EXPECT_EQ(pins[0].vertex, 5u);
  EXPECT_EQ(warnings.size(), 1u);  // nobody painted green
}

TEST(Pins, SaysWhatIsWrong) {
  const Character bar = test::bar(4, 0.25, 21, 8, 2);
  const std::string weights = R"("weights": {")" + bar.skeleton.names[0] + R"(": 1})";
  for (const std::string& text : {
           std::string("not json"),
           std::string("[]"),
           std::string(R"({"pins": 3})"),
           std::string(R"({"pins": [{"vertex": 0}]})"),
           std::string(R"({"pins": [{"vertex": 0, "weights": {"NoSuchJoint": 1}}]})"),
           R"({"pins": [{"vertex": 99999999, )" + weights + "}]}",
           R"({"pins": [{"vertex": -1, )" + weights + "}]}",
           R"({"pins": [{"position": [1, 2], )" + weights + "}]}",
           R"({"pins": [{)" + weights + "}]}",
           R"({"pins": [{"vertex": 0, "weights": {")" + bar.skeleton.names[0] + R"(": -1}}]})",
           R"({"pins": [{"vertex": 0, "weights": {")" + bar.skeleton.names[0] + R"(": 0}}]})",
           R"({"colors": [{"color": [1, 0, 0], )" + weights + "}]}",
       }) {
    try {
      read(text, bar);
      FAIL() << "accepted " << text;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::bad_input) << text;
    }
  }
}

}  // namespace
}  // namespace sinew
