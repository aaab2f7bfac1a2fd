// sinew check and sinew fix, end to end.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "sinew/io.h"
#include "tests/support/run_program.h"
#include "tests/support/shapes.h"
#include "tests/support/test_files.h"

namespace sinew {
namespace {

// A bar that bends in the middle, with one vertex that follows the wrong side.
Character spiked_bar() {
  Character bar = test::bar(4, 0.25, 81, 16, 2);
  bar.weights = make_skin_weights(bar.mesh.vertex_count(), 4);
  for (std::size_t vertex = 0; vertex < bar.mesh.vertex_count(); ++vertex) {
    const double t = std::clamp((bar.mesh.positions[vertex].x() - 1.8) / 0.4, 0.0, 1.0);
    set_influences(bar.weights, vertex, {{0, 1 - t}, {1, t}});
  }
  set_influences(bar.weights, 163, {{1, 1.0}});
  return bar;
}

TEST(CheckCommand, ReportsGatesAndPage) {
  const test::TemporaryFolder folder;
  const std::string file = (folder / "bar.glb").string(), page = (folder / "page.html").string();
  save_character(spiked_bar(), file);
  const auto text = test::run_sinew({"check", file});
  EXPECT_EQ(text.exit_code, 0);
  EXPECT_NE(text.out.find("spike: 1 vertex"), std::string::npos) << text.out;
  EXPECT_EQ(test::run_sinew({"check", file, "--require", "findings=0"}).exit_code, 4);
  EXPECT_EQ(test::run_sinew({"check", file, "--require", "bleed=0"}).exit_code, 0);
  EXPECT_EQ(test::run_sinew({"check", file, "--require", "no-such=0"}).exit_code, 2);
  EXPECT_EQ(test::run_sinew({"check", file, "--only", "no-such"}).exit_code, 2);
  const auto json = nlohmann::json::parse(test::run_sinew({"check", file, "--json", "--html", page}).out);
  EXPECT_EQ(json["findings"][0]["kind"], "spike");
  const std::string html = test::read_file(page);
  EXPECT_NE(html.find("data:image/png;base64,"), std::string::npos);
  EXPECT_EQ(html.find("http"), std::string::npos);  // needs no network
}

TEST(FixCommand, RepairsAndKeepsTheRest) {
  const test::TemporaryFolder folder;
  const std::string file = (folder / "bar.glb").string(), fixed = (folder / "fixed.glb").string();
  save_character(spiked_bar(), file);
  const auto json = nlohmann::json::parse(test::run_sinew({"fix", file, "-o", fixed, "--json"}).out);
  EXPECT_EQ(json["findings_after"], 0);
  EXPECT_EQ(json["repairs"][0]["outcome"], "repaired");
  EXPECT_EQ(test::run_sinew({"check", fixed, "--require", "findings=0"}).exit_code, 0);
  EXPECT_EQ(test::run_sinew({"fix", file, "-o", file}).exit_code, 2);  // not over the input
  // Nothing to repair: the same bytes again.
  const std::string again = (folder / "again.glb").string();
  EXPECT_EQ(test::run_sinew({"fix", fixed, "-o", again}).exit_code, 0);
  EXPECT_EQ(test::read_file(fixed), test::read_file(again));
}

}  // namespace
}  // namespace sinew
