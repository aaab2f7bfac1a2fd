// What the page does, request by request: look, bind, slide, undo, cancel, open, save.
#include "apps/viewer/server.h"

#include <gtest/gtest.h>

#include <thread>

#include "apps/viewer/page.h"
#include "sinew/asset/plain/bvh.h"
#include "sinew/bind.h"
#include "sinew/io.h"
#include "sinew/weights/skincells/skincells_file.h"
#include "tests/support/test_files.h"
#include "tests/viewer/client.h"

namespace sinew {
namespace {

using nlohmann::json;
using test::expect_same;
using test::HttpAnswer;

// A request that keeps the server busy for longer than any test waits: it ends because it is cancelled.
const json endless = {{"method", "skincells"}, {"options", {{"steps", 100000}, {"fit-steps", 100000}}}};

class ViewServer : public testing::Test {
 protected:
  HttpAnswer get(const std::string& name) const { return client_.get(name); }
  HttpAnswer post(const std::string& name, const std::string& body = {}) const { return client_.post(name, body); }
  json finish(const HttpAnswer& started) const { return client_.finish(started); }
  json bind(const json& request) const { return client_.bind(request); }
  json state() const { return client_.state(); }
  int current() const { return client_.current(); }
  SkinWeights weights(int id) const { return client_.weights(id); }

  viewer::Server server_{test::limb(), "/somewhere/limb.glb"};
  test::Client client_{server_};
};

SkinWeights bound(const char* method, const OptionValues& values = {}) {
  Character character = test::limb();
  bind_character(character, {.method = method, .values = values});
  return character.weights;
}

TEST(Page, IsServedFromItsFolderAndNothingElseIs) {
  const test::TemporaryFolder folder;
  EXPECT_THROW(viewer::load_page(folder.path()), Error);
  test::write_file(folder / "index.html", "<html>");
  test::write_file(folder / "page.js", "script");
  test::write_file(folder / "page.css", "style");
  test::write_file(folder / "secret.txt", "secret");
  viewer::ServerOptions options;
  options.page = viewer::load_page(folder.path());
  const viewer::Server server(test::limb(), "limb.glb", options);
  const auto get = [&](const std::string& file) { return test::get(server.port(), "/" + server.token() + "/" + file); };
  EXPECT_EQ(get("").body, "<html>");
  EXPECT_EQ(get("page.js").body, "script");
  EXPECT_EQ(get("page.css").body, "style");
  EXPECT_EQ(get("secret.txt").status, 404);
}

TEST_F(ViewServer, CharacterPacketHoldsMeshSkeletonAndMotions) {
  const Character character = test::limb();
  const test::ReadPacket packet = test::unpack(get("character").body);
  const std::vector<float> positions = packet.array<float>("positions");
  ASSERT_EQ(positions.size(), character.mesh.vertex_count() * 3);
  EXPECT_EQ(positions[3 * 9 + 1], character.mesh.positions[9].y());
  EXPECT_EQ(packet.array<float>("normals").size(), positions.size());
  EXPECT_EQ(packet.array<std::uint32_t>("triangles").size(), character.mesh.triangles.size() * 3);
  EXPECT_EQ(packet.header["joints"][1]["name"], "Lower");
  EXPECT_EQ(packet.header["joints"][1]["parent"], 0);
  EXPECT_EQ(packet.header["joints"][2]["kind"], "end");
  EXPECT_EQ(packet.header["parts"][0]["binding"], "skinned");
  EXPECT_EQ(packet.array<float>("rest").size(), 30u);
  EXPECT_FLOAT_EQ(packet.array<float>("inverse_bind")[16 + 12], -1.0f);  // second joint at x = 1, column-major
  EXPECT_EQ(packet.header["motions"][0]["name"], "bend");
  const std::vector<float> motion = packet.array<float>("motion0");
  ASSERT_EQ(motion.size(), 60u);
  EXPECT_FLOAT_EQ(motion[30 + 10 + 3 + 2], std::sin(0.5f));  // second frame, second joint, rotation z
}

TEST_F(ViewServer, StateNamesTheFileWithoutItsFolder) {
  const json now = state();
  EXPECT_EQ(now["file"], "limb.glb");
  EXPECT_EQ(now["history"].size(), 1u);
  EXPECT_EQ(now["history"][0]["label"], "weights of the file");
  expect_same(weights(current()), test::limb().weights);
}

TEST_F(ViewServer, BindsByEveryMethodAsTheLibraryDoes) {
  for (const char* method : {"proximity", "heat", "atlas"}) {
    EXPECT_EQ(bind({{"method", method}})["state"], "done");
    expect_same(weights(current()), bound(method));
  }
  EXPECT_EQ(state()["history"].size(), 4u);
}

TEST_F(ViewServer, MethodsComeFromTheRegistry) {
  const json methods = get("methods").json();
  for (const MethodInfo& method : weight_method_list()) {
    const auto found =
        std::find_if(methods.begin(), methods.end(), [&](const json& m) { return m["name"] == method.name; });
    ASSERT_NE(found, methods.end()) << method.name;
    EXPECT_EQ((*found)["summary"], method.summary);
  }
}

TEST_F(ViewServer, ASlidingOptionGivesTheSameWeightsAndOneEntryPerGesture) {
  for (const double k : {0.2, 0.5, 1.3}) {
    bind({{"method", "atlas"}, {"options", {{"softness", k}}}, {"gesture", "first"}});
    expect_same(weights(current()), bound("atlas", {{"softness", k}}));
  }
  EXPECT_EQ(state()["history"].size(), 2u);
  bind({{"method", "atlas"}, {"options", {{"softness", 0.4}}}, {"gesture", "second"}});
  EXPECT_EQ(state()["history"].size(), 3u);
  // What the slider's slow part depends on is not mixed up.
  bind({{"method", "atlas"}, {"options", {{"softness", 0.4}, {"distance", "euclidean"}}}});
  expect_same(weights(current()), bound("atlas", {{"softness", 0.4}, {"distance", std::string("euclidean")}}));
  bind({{"method", "atlas"}, {"options", {{"softness", 0.4}}}, {"max_influences", 1}});
  EXPECT_EQ(weights(current()).influences, 1);
}

TEST_F(ViewServer, UndoAndRedoMoveThroughTheHistory) {
  const int original = current();
  bind({{"method", "heat"}});
  const int heat = current();
  bind({{"method", "proximity"}});
  post("undo");
  EXPECT_EQ(current(), heat);
  post("undo");
  post("undo");
  EXPECT_EQ(current(), original);
  EXPECT_EQ(post("redo").json()["position"], 1);
  EXPECT_EQ(current(), heat);
  bind({{"method", "atlas"}});
  EXPECT_EQ(state()["history"].size(), 3u) << "what was undone is forgotten by the next change";
  EXPECT_EQ(post("redo").json()["position"], 2);
}

TEST_F(ViewServer, AJobIsCancelledAndOnlyOneRuns) {
  const HttpAnswer started = post("bind", endless.dump());
  ASSERT_EQ(started.status, 202);
  const std::string id = std::to_string(started.json()["job"].get<int>());
  EXPECT_EQ(post("bind", R"({"method": "heat"})").status, 409);
  EXPECT_EQ(get("state").status, 200) << "the server answers while it computes";
  EXPECT_EQ(post("cancel/77").json()["cancelled"], false);
  EXPECT_EQ(post("cancel/" + id).json()["cancelled"], true);
  EXPECT_EQ(finish(started)["state"], "cancelled");
  EXPECT_EQ(state()["history"].size(), 1u);
  EXPECT_EQ(bind({{"method", "heat"}})["state"], "done");
}

TEST_F(ViewServer, StoppingTheServerStopsItsJob) {
  const viewer::Server server(test::limb(), "limb.glb");
  EXPECT_EQ(test::post(server.port(), "/" + server.token() + "/api/bind", endless.dump()).status, 202);
}

TEST_F(ViewServer, OpensADroppedFile) {
  bind({{"method", "heat"}});
  const std::string obj = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
  EXPECT_EQ(finish(post("open?name=..%2F..%2Ftmp%2Fdrop.obj", obj))["state"], "done");
  const json now = state();
  EXPECT_EQ(now["file"], "drop.obj");
  EXPECT_EQ(now["history"].size(), 1u);
  EXPECT_EQ(now["history"][0]["empty"], true);
  EXPECT_EQ(test::unpack(get("character").body).header["vertices"], 3);
  // A mesh without skeleton cannot be bound, and says why.
  const json failed = bind({{"method", "heat"}});
  EXPECT_EQ(failed["state"], "failed");
  EXPECT_NE(failed["error"]["message"].get<std::string>().find("skeleton"), std::string::npos) << failed;
}

TEST_F(ViewServer, ADroppedFileThatCannotBeReadChangesNothing) {
  const json job = finish(post("open?name=broken.glb", "glTF nonsense"));
  EXPECT_EQ(job["state"], "failed");
  const std::string message = job["error"]["message"];
  EXPECT_NE(message.find("broken.glb"), std::string::npos) << message;
  EXPECT_EQ(message.find("/tmp"), std::string::npos) << message;
  EXPECT_EQ(state()["file"], "limb.glb");
  EXPECT_EQ(state()["history"].size(), 1u);
  EXPECT_EQ(post("open", "x").status, 400);
}

TEST_F(ViewServer, ADroppedMotionIsRetargetedAndWhatWasBoundStays) {
  bind({{"method", "heat"}});
  Character clip = test::limb();
  clip.mesh = {};
  clip.parts.clear();
  clip.weights = {};
  const test::TemporaryFolder folder;
  save_character(clip, folder / "wave.bvh");
  EXPECT_EQ(finish(post("open?name=wave.bvh", test::read_file(folder / "wave.bvh")))["state"], "done");
  const json motions = test::unpack(get("character").body).header["motions"];
  ASSERT_EQ(motions.size(), 2u);
  EXPECT_EQ(motions[1]["name"], "wave");
  EXPECT_EQ(motions[1]["frames"], 2);
  // A step of its own, with the weights of the one before.
  EXPECT_EQ(state()["history"].size(), 3u);
  EXPECT_EQ(client_.entry()["label"], "motion wave");
  EXPECT_EQ(client_.entry()["rig"], state()["history"][1]["rig"]);
  expect_same(weights(current()), bound("heat"));
  post("undo");
  EXPECT_EQ(test::unpack(get("character").body).header["motions"].size(), 1u);
}

TEST_F(ViewServer, ADroppedSkeletonWithoutMotionReplacesThePresentOne) {
  Character skeleton = test::limb();
  skeleton.mesh = {};
  skeleton.parts.clear();
  skeleton.weights = {};
  skeleton.motions.clear();
  skeleton.skeleton.names[1] = "Forearm";
  const test::TemporaryFolder folder;
  save_character(skeleton, folder / "other.glb");
  EXPECT_EQ(finish(post("open?name=other.glb", test::read_file(folder / "other.glb")))["state"], "done");
  EXPECT_EQ(state()["file"], "limb.glb");
  EXPECT_EQ(test::unpack(get("character").body).header["joints"][1]["name"], "Forearm");
  EXPECT_EQ(bind({{"method", "heat"}})["state"], "done");
}

TEST_F(ViewServer, SkincellsLeaveTheirField) {
  EXPECT_EQ(get("result.skincells").status, 404);
  const json few = {{"fit-steps", 20}, {"steps", 5}, {"random-poses", 8}, {"sites", 2}};
  ASSERT_EQ(bind({{"method", "skincells"}, {"options", few}})["state"], "done");
  EXPECT_EQ(client_.entry()["field"], true);
  EXPECT_FALSE(client_.entry()["options"].contains("field") && client_.entry()["options"]["field"] != "")
      << "the page hears of no path";
  const HttpAnswer answer = get("result.skincells");
  ASSERT_EQ(answer.status, 200);
  const test::TemporaryFolder folder;
  test::write_file(folder / "limb.skincells", answer.body);
  const SkinWeights applied = evaluate_field(load_field(folder / "limb.skincells"), test::limb().mesh.positions);
  const SkinWeights present = weights(current());
  for (std::size_t v = 0; v < present.vertex_count(); ++v) {
    EXPECT_NEAR(applied.weight_of(v, 1), present.weight_of(v, 1), 1e-4);
  }
}

TEST_F(ViewServer, TheResultIsAGlbWithThePresentWeights) {
  bind({{"method", "heat"}});
  const HttpAnswer answer = get("result.glb");
  ASSERT_EQ(answer.status, 200);
  const test::TemporaryFolder folder;
  test::write_file(folder / "result.glb", answer.body);
  const Character saved = load_character(folder / "result.glb");
  EXPECT_EQ(saved.skeleton.names, test::limb().skeleton.names);
  const SkinWeights expected = bound("heat");
  for (std::size_t v = 0; v < saved.mesh.vertex_count(); ++v) {
    EXPECT_NEAR(saved.weights.weight_of(v, 1), expected.weight_of(v, 1), 1e-6);
  }
}

}  // namespace
}  // namespace sinew
