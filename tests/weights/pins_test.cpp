#include "sinew/weights/pins.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/support/test_files.h"
#include "tests/weights/shapes.h"

namespace sinew {
namespace {

BindInput input_of(const Character& character) {
  Warnings warnings;
  return make_bind_input(character, {}, warnings);
}

std::vector<WeightPin> read(const std::string& text, const BindInput& input, Warnings* warnings = nullptr) {
  test::TemporaryFolder folder;
  test::write_file(folder / "pins.json", text);
  Warnings ignored;
  return read_pins(folder / "pins.json", input, warnings ? *warnings : ignored);
}

TEST(Pins, ByVertexListAndPosition) {
  const Character bar = test::bar(4, 0.25, 21, 8, 2);
  const BindInput input = input_of(bar);
  const std::string first = bar.skeleton.names[0], second = bar.skeleton.names[1];
  const auto pins = read(R"({"pins": [
      {"vertices": [3, 4], "weights": {")" +
                             first + R"(": 2, ")" + second + R"(": 2}},
      {"vertex": 4, "weights": {")" +
                             second + R"(": 1}}]})",
                         input);
  ASSERT_EQ(pins.size(), 2u);
  EXPECT_EQ(pins[0].vertex, input.welded_of[3]);
  EXPECT_DOUBLE_EQ(pins[0].weights[0].second, 0.5);
  EXPECT_EQ(pins[1].weights.size(), 1u);  // the later entry wins

  const Vec3f p = bar.mesh.positions[17];
  const std::string place =
      "[" + std::to_string(p.x()) + "," + std::to_string(p.y()) + "," + std::to_string(p.z()) + "]";
  const std::string weights = R"("weights": {")" + first + R"(": 1})";
  const auto nearest = read(R"({"pins": [{"position": )" + place + ", " + weights + "}]}", input);
  ASSERT_EQ(nearest.size(), 1u);
  EXPECT_EQ(nearest[0].vertex, input.welded_of[17]);
  EXPECT_GT(read(R"({"pins": [{"position": )" + place + R"(, "radius": 0.5, )" + weights + "}]}", input).size(), 5u);
}

TEST(Pins, WrittenAndReadAgain) {
  const Character bar = test::bar(4, 0.25, 21, 8, 2);
  const BindInput input = input_of(bar);
  // Counted as in the file, not as welded.
  const std::vector<WeightPin> pins = {{3, {{0, 1.0}}}, {5, {{0, 0.25}, {1, 0.75}}}, {9, {{0, 0.25}, {1, 0.75}}}};
  const std::vector<WeightPin> again = read(pins_text(pins, bar.skeleton), input);
  ASSERT_EQ(again.size(), pins.size());
  for (const WeightPin& pin : pins) {
    const auto found = std::find_if(again.begin(), again.end(), [&](const WeightPin& other) {
      return other.vertex == input.welded_of[pin.vertex];
    });
    ASSERT_NE(found, again.end());
    EXPECT_EQ(found->weights, pin.weights);
  }
  EXPECT_TRUE(read(pins_text({}, bar.skeleton), input).empty());
}

TEST(Pins, ByPaintedColour) {
  Character bar = test::bar(4, 0.25, 21, 8, 2);
  bar.mesh.colors.assign(bar.mesh.vertex_count(), Vec4f(1, 1, 1, 1));
  bar.mesh.colors[5] = Vec4f(0.95f, 0.02f, 0, 1);
  const BindInput input = input_of(bar);
  Warnings warnings;
  const auto pins = read(R"({"colors": [{"color": [1, 0, 0], "weights": {")" + bar.skeleton.names[0] + R"(": 1}},
                                        {"color": [0, 1, 0], "weights": {")" +
                             bar.skeleton.names[1] + R"(": 1}}]})",
                         input, &warnings);
  ASSERT_EQ(pins.size(), 1u);
  EXPECT_EQ(pins[0].vertex, input.welded_of[5]);
  EXPECT_EQ(warnings.size(), 1u);  // nobody painted green
}

TEST(Pins, SaysWhatIsWrong) {
  const Character bar = test::bar(4, 0.25, 21, 8, 2);
  const BindInput input = input_of(bar);
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
      read(text, input);
      FAIL() << "accepted " << text;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::bad_input) << text;
      EXPECT_NE(std::string(error.what()).find("pins.json"), std::string::npos) << error.what();
    }
  }
}

}  // namespace
}  // namespace sinew
