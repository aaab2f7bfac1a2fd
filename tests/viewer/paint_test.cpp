// Painting: strokes become pins, the solver answers, pins go out and come back in.
#include "apps/viewer/paint.h"

#include <gtest/gtest.h>

#include "sinew/io.h"
#include "tests/support/test_files.h"
#include "tests/viewer/client.h"

namespace sinew {
namespace {

using nlohmann::json;
using test::WrittenPacket;

constexpr int lower = 1;

class Paint : public testing::Test {
 protected:
  Paint() { client_.bind({{"method", "biharmonic"}, {"options", {{"resolution", 400}}}, {"joints", "all"}}); }

  static std::string stroke(const std::vector<std::uint32_t>& vertices, const std::vector<float>& amounts,
                            const std::string& gesture = "a", double target = 1, int joint = lower,
                            const std::string& answer = "all") {
    WrittenPacket packet(
        {{"gesture", gesture}, {"answer", answer}, {"strokes", {{{"joint", joint}, {"target", target}}}}});
    packet.add("vertices0", vertices);
    packet.add("amounts0", amounts);
    return packet.bytes();
  }
  json paint(const std::string& body) const { return client_.finish(client_.post("paint", body)); }
  float weight(std::size_t vertex) const { return client_.weights(client_.current()).weight_of(vertex, lower); }

  viewer::Server server_{test::limb(), "limb.glb"};
  test::Client client_{server_};
};

TEST_F(Paint, AStrokePinsItsVerticesAndTheOthersFollow) {
  const float before = weight(24), near_before = weight(32);
  ASSERT_LT(before, 0.5f);
  EXPECT_EQ(paint(stroke({24}, {1.0f}))["state"], "done");
  EXPECT_NEAR(weight(24), 1.0f, 1e-6f);
  EXPECT_GT(weight(32), near_before + 0.02f) << "the next ring follows";
  EXPECT_EQ(client_.entry()["pins"], 1);
  EXPECT_EQ(client_.packet("weights/" + std::to_string(client_.current())).array<std::uint32_t>("pins"),
            std::vector<std::uint32_t>{24});
}

TEST_F(Paint, AmountsCountFromBeforeTheStroke) {
  const float before = weight(24);
  // The same stroke, three times longer each time: one step of the history, and nothing adds up.
  for (const float amount : {0.2f, 0.5f, 0.5f}) paint(stroke({24}, {amount}));
  EXPECT_NEAR(weight(24), before + 0.5f * (1 - before), 1e-5f);
  EXPECT_EQ(client_.state()["history"].size(), 3u);
  paint(stroke({24}, {0.5f}, "b"));
  EXPECT_NEAR(weight(24), before + 0.75f * (1 - before), 1e-5f) << "a second stroke goes on from the first";
  EXPECT_EQ(client_.state()["history"].size(), 4u);
  client_.post("undo");
  EXPECT_NEAR(weight(24), before + 0.5f * (1 - before), 1e-5f);
}

TEST_F(Paint, NearAnswersWhileAStrokeGrowsAndAllWhenItEnds) {
  WrittenPacket ready(json{{"answer", "none"}});
  const json before = client_.state();
  EXPECT_EQ(paint(ready.bytes())["state"], "done");
  EXPECT_EQ(client_.state()["history"], before["history"]) << "getting ready is no step of the history";
  const float near_before = weight(32);
  paint(stroke({24}, {0.5f}, "a", 1, lower, "near"));
  paint(stroke({24}, {1.0f}, "a", 1, lower, "near"));
  EXPECT_NEAR(weight(24), 1.0f, 1e-6f);
  const float near = weight(32);
  EXPECT_GT(near, near_before + 0.02f) << "the next ring follows";
  paint(stroke({24}, {1.0f}));
  EXPECT_EQ(client_.state()["history"].size(), before["history"].size() + 1);
  EXPECT_NEAR(weight(32), near, 0.05f) << "the quick answer was close";
}

TEST_F(Paint, PinsAreFreed) {
  const SkinWeights before = client_.weights(client_.current());
  paint(stroke({24, 25}, {1.0f, 1.0f}));
  WrittenPacket one(json{{"gesture", "b"}});
  one.add("free", std::vector<std::uint32_t>{25});
  EXPECT_EQ(paint(one.bytes())["state"], "done");
  EXPECT_EQ(client_.entry()["pins"], 1);
  EXPECT_EQ(paint(WrittenPacket(json{{"free_all", true}}).bytes())["state"], "done");
  EXPECT_EQ(client_.entry()["pins"], 0);
  const SkinWeights after = client_.weights(client_.current());
  for (std::size_t v = 0; v < after.vertex_count(); ++v) {
    EXPECT_NEAR(after.weight_of(v, lower), before.weight_of(v, lower), 0.03f) << "as if nothing had been painted";
  }
}

TEST_F(Paint, SavedPinsGiveTheSameWeightsHereAndOnTheCommandLine) {
  paint(stroke({24, 25, 26}, {1.0f, 0.8f, 0.6f}));
  const SkinWeights painted = client_.weights(client_.current());
  const test::HttpAnswer pins = client_.get("result.pins.json");
  ASSERT_EQ(pins.status, 200);
  Character character = test::limb();
  Warnings warnings;
  BindOptions options{.method = "biharmonic", .values = {{"resolution", 400}}, .joints = "all"};
  options.pins = read_pins(pins.body, character, warnings);
  bind_character(character, options);
  EXPECT_EQ(client_.drop("limb.pins.json", pins.body)["state"], "done");
  EXPECT_EQ(client_.entry()["pins"], 3);
  const SkinWeights loaded = client_.weights(client_.current());
  for (std::size_t v = 0; v < painted.vertex_count(); ++v) {
    EXPECT_EQ(loaded.weight_of(v, lower), character.weights.weight_of(v, lower)) << "the same computation";
    EXPECT_NEAR(painted.weight_of(v, lower), loaded.weight_of(v, lower), 0.03f) << "from another start";
  }
}

TEST_F(Paint, PinsGoOnToTheNextBind) {
  paint(stroke({24}, {1.0f}));
  client_.bind({{"method", "biharmonic"}, {"options", {{"resolution", 300}}}, {"joints", "all"}});
  EXPECT_EQ(client_.entry()["pins"], 1);
  EXPECT_NEAR(weight(24), 1.0f, 1e-5f);
  EXPECT_NE(client_.entry()["label"].get<std::string>().find("1 pins"), std::string::npos);
}

TEST_F(Paint, RefusedWhereItCannotWork) {
  // Not biharmonic.
  client_.bind({{"method", "heat"}});
  EXPECT_EQ(paint(stroke({24}, {1.0f}))["state"], "failed");
  client_.post("undo");
  // The end marker takes no weight.
  const json end = paint(stroke({24}, {1.0f}, "a", 1, 2));
  EXPECT_EQ(end["state"], "failed");
  EXPECT_NE(end["error"]["message"].get<std::string>().find("Lower_End"), std::string::npos);
  EXPECT_EQ(paint(stroke({24}, {0.0f}))["state"], "failed") << "touches nothing";
}

TEST_F(Paint, MalformedPacketsAreRefused) {
  const std::string good = stroke({24}, {1.0f});
  std::vector<std::string> bad = {"",
                                  "SINW",
                                  std::string("SINW\xff\xff\xff\xff", 8),
                                  "NONE" + good.substr(4),
                                  WrittenPacket::framed("[]", ""),
                                  WrittenPacket::framed("{", ""),
                                  WrittenPacket::framed(R"({"arrays": 3})", ""),
                                  stroke({24, 25}, {1.0f}),
                                  stroke({100000}, {1.0f}),
                                  stroke({24}, {1.5f}),
                                  stroke({24}, {-0.5f}),
                                  stroke({24}, {std::nanf("")}),
                                  stroke({24}, {1.0f}, "a", 2.0),
                                  stroke({24}, {1.0f}, "a", 1.0, 9),
                                  stroke({24}, {1.0f}, "a", 1.0, -1),
                                  WrittenPacket(json{{"strokes", {{{"joint", 1}}}}}).bytes(),
                                  WrittenPacket(json{{"strokes", "all"}}).bytes(),
                                  WrittenPacket(json{{"answer", "some"}}).bytes(),
                                  WrittenPacket(json{{"answer", 3}}).bytes(),
                                  WrittenPacket(json{{"gesture", 5}}).bytes()};
  const auto place = [](const json& offset, const json& bytes, const char* type) {
    const json header = {{"arrays", {{"free", {{"type", type}, {"offset", offset}, {"bytes", bytes}}}}}};
    return WrittenPacket::framed(header.dump(), "12345678");
  };
  for (const auto& [offset, bytes] : std::vector<std::pair<json, json>>{
           {0, 12}, {8, 4}, {4, 8}, {0, 6}, {-4, 4}, {1e30, 4}, {0, 18446744073709551615u}, {"0", 4}, {0, nullptr}}) {
    bad.push_back(place(offset, bytes, "u32"));
  }
  bad.push_back(place(0, 4, "f32"));
  for (std::size_t length = 0; length < good.size(); length += 7) bad.push_back(good.substr(0, length));
  for (const std::string& body : bad) EXPECT_EQ(client_.post("paint", body).status, 400) << body;
  EXPECT_EQ(client_.state()["history"].size(), 2u) << "none of these changed anything";
}

}  // namespace
}  // namespace sinew
