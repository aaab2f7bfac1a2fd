#include <gtest/gtest.h>

#include "sinew/weight_files.h"
#include "tests/support/skins.h"

namespace sinew {
namespace {

Character without_weights(const Character& character) {
  Character bare = character;
  bare.weights = {};
  return bare;
}

TEST(WeightFiles, SurviveTheWayOutAndBack) {
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    const Character character = test::random_skin(seed);
    for (const std::string& text : {write_weights_json(character), write_weights_csv(character)}) {
      Character back = without_weights(character);
      const WeightChange change = read_weights(text, back);
      EXPECT_EQ(change.changed, character.mesh.vertex_count());
      ASSERT_EQ(back.weights.joints, character.weights.joints);
      for (std::size_t slot = 0; slot < back.weights.weights.size(); ++slot) {
        EXPECT_NEAR(back.weights.weights[slot], character.weights.weights[slot], 1e-7);
      }
    }
  }
}

TEST(WeightFiles, HoldNamesOfAllKinds) {
  Character character = test::bar(4, 0.25, 5, 6, 4);
  character.skeleton.names = {"a,b", "say \"hi\"", "same", "same", " blank "};
  test::weigh_at_random(character, 3, 1);
  for (const std::string& text : {write_weights_json(character), write_weights_csv(character)}) {
    Character back = without_weights(character);
    read_weights(text, back);
    EXPECT_EQ(back.weights.joints, character.weights.joints) << text.substr(0, 300);
  }
}

TEST(WeightFiles, ChangeOnlyWhatTheyName) {
  Character character = test::bar(4, 0.25, 5, 6, 3);
  test::weigh_at_random(character, 2, 1);
  const SkinWeights before = character.weights;
  const WeightChange change = read_weights("# by hand\nVertex;Joint;Weight\r\n3;bone_1;2\r\n\r\n3;2;2\r\n", character);
  EXPECT_EQ(change.changed, 1u);
  EXPECT_FLOAT_EQ(character.weights.weight_of(3, 1), 0.5f);
  EXPECT_FLOAT_EQ(character.weights.weight_of(3, 2), 0.5f);
  EXPECT_EQ(character.weights.weights[0], before.weights[0]);
}

TEST(WeightFiles, GiveCopiesOfAVertexTheSame) {
  Character character = test::random_skin(4);
  read_weights("vertex,joint,weight\n5,Bone0,1\n", character);
  test::expect_whole_seams(character);
  EXPECT_EQ(character.weights.weight_of(5, 0), 1);
}

TEST(WeightFiles, SayWhatIsWrong) {
  Character character = test::bar(4, 0.25, 5, 6, 3);
  test::weigh_at_random(character, 2, 1);
  const SkinWeights before = character.weights;
  const auto refused = [&](const std::string& text, const std::string& part) {
    try {
      read_weights(text, character);
      ADD_FAILURE() << "accepted: " << text;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::bad_input) << text;
      EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
    }
  };
  refused("", "neither JSON");
  refused("x,y\n", "neither JSON");
  refused("vertex,joint,weight\n1,Bone0\n", "row 2");
  refused("vertex,joint,weight\n\n1,Bone9,1\n", "row 3");
  refused("vertex,joint,weight\n-1,Bone0,1\n", "row 2");
  refused("vertex,joint,weight\n99999,Bone0,1\n", "no vertex 99999");
  refused("vertex,joint,weight\n1,Bone0,nan\n", "weight");
  refused("vertex,joint,weight\n1,Bone0,-0.5\n", "weight");
  refused("vertex,joint,weight\n1,Bone0,1e999\n", "weight");
  refused("vertex,joint,weight\n1,Bone0,0\n", "all zero");
  refused("vertex,joint,weight\n1,\"Bone0,1\n", "does not end");
  refused("{", "JSON");
  refused("{}", "format");
  refused(R"({"format":"sinew-weights","version":2})", "version");
  refused(R"({"format":"sinew-weights","version":1,"joints":["Bone0"],"weights":[[0,1]]})", "1 vertices");
  refused(R"({"format":"sinew-weights","version":1,"joints":["Bone0","Hat"],"weights":[]})", "no joint 'Hat'");
  EXPECT_TRUE(test::same_weights(character.weights, before));
  character.skeleton = {};
  character.weights = {};
  refused("vertex,joint,weight\n", "skeleton");
}

// Damaged files are refused or read, and what was read is valid.
TEST(WeightFiles, EndureFlippedBytesAndCuts) {
  const Character character = [] {
    Character bar = test::bar(1, 0.1, 3, 4, 2);
    test::weigh_at_random(bar, 2, 1);
    return bar;
  }();
  Random random(5);
  for (const std::string& good : {write_weights_json(character), write_weights_csv(character)}) {
    for (int trial = 0; trial < 3000; ++trial) {
      std::string text = good;
      if (trial % 3 == 0) text.resize(random.below(text.size()));
      for (int flips = 0; flips < 1 + trial % 3 && !text.empty(); ++flips) {
        text[random.below(text.size())] = static_cast<char>(random.below(256));
      }
      Character damaged = character;
      try {
        read_weights(text, damaged);
      } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::bad_input);
      }
      EXPECT_NO_THROW(check_character(damaged));
    }
  }
}

}  // namespace
}  // namespace sinew
