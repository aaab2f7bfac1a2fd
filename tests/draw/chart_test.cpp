#include "sinew/draw/chart.h"

#include <gtest/gtest.h>

#include <cctype>
#include <cmath>
#include <limits>

#include "sinew/error.h"

namespace sinew {
namespace {

// Whether tags nest, attributes are quoted, and no bare & or < is left: what an XML parser would refuse.
bool is_well_formed(const std::string& xml) {
  std::vector<std::string> open;
  std::size_t at = 0;
  while (at < xml.size()) {
    if (xml[at] == '&') {
      const std::size_t end = xml.find(';', at);
      if (end == std::string::npos || end - at > 7) return false;
      if (xml.substr(at + 1, end - at - 1).find_first_not_of("abcdefghijklmnopqrstuvwxyz") != std::string::npos)
        return false;
      at = end + 1;
    } else if (xml[at] == '<') {
      std::size_t end = at;
      bool quoted = false;
      while (++end < xml.size() && (quoted || xml[end] != '>')) {
        if (xml[end] == '"') quoted = !quoted;
        if (xml[end] == '<') return false;
      }
      if (end >= xml.size() || quoted) return false;
      const std::string tag = xml.substr(at + 1, end - at - 1);
      if (tag[0] == '/') {
        if (open.empty() || open.back() != tag.substr(1)) return false;
        open.pop_back();
      } else if (tag.back() != '/') {
        open.push_back(tag.substr(0, tag.find(' ')));
      }
      at = end + 1;
    } else {
      ++at;
    }
  }
  return open.empty();
}

std::size_t count_of(const std::string& text, const std::string& piece) {
  std::size_t count = 0;
  for (std::size_t at = text.find(piece); at != std::string::npos; at = text.find(piece, at + 1)) ++count;
  return count;
}

TEST(Chart, WellFormedCheckCanFail) {
  EXPECT_TRUE(is_well_formed("<a b=\"c>\"><d/>&lt;</a>"));
  for (const char* wrong : {"<a>", "<a></b>", "a & b;cccccccccc", "<a b=\"<\"/>", "<a"})
    EXPECT_FALSE(is_well_formed(wrong)) << wrong;
}

TEST(Chart, LinesWithHostileNamesAreWellFormed) {
  Chart chart;
  chart.title = "R&D <loss> \"quoted\" 'x' \x01 \xff";
  chart.x.label = "step & more";
  chart.y = {.label = "loss < 1", .logarithmic = true};
  chart.series.push_back({.name = "<script>", .x = {1, 2, 3, 4, 5}, .y = {10, 1, 0, 0.01, 0.001}});
  chart.series.push_back({.name = "b", .x = {1, 2}, .y = {std::nan(""), 3}, .style = SeriesStyle::line_with_points});
  const std::string svg = chart_svg(chart);
  EXPECT_TRUE(is_well_formed(svg)) << svg;
  EXPECT_EQ(svg.find("<script>"), std::string::npos);
  EXPECT_EQ(svg.find("nan"), std::string::npos);
  EXPECT_EQ(svg.find("inf"), std::string::npos);
  EXPECT_EQ(svg.find('\xff'), std::string::npos) << "bytes that are not UTF-8 must not reach the file";
  EXPECT_EQ(count_of(svg, "<path"), 2u);
  EXPECT_EQ(count_of(svg, "<circle"), 1u);
  // The zero on a logarithmic axis interrupts the line: two pieces.
  const std::size_t path = svg.find("<path d=\"");
  EXPECT_EQ(count_of(svg.substr(path, svg.find('"', path + 9) - path), "M"), 2u);
}

TEST(Chart, LinePointsLandWhereTheAxisSays) {
  Chart chart;
  chart.x = {.low = 0, .high = 10};
  chart.y = {.low = 0, .high = 1};
  chart.series.push_back({.name = "a", .x = {0, 10}, .y = {0, 1}, .style = SeriesStyle::points});
  const std::string svg = chart_svg(chart);
  const std::size_t first = svg.find("cx=\"") + 4, second = svg.find("cx=\"", first) + 4;
  const double left = std::stod(svg.substr(first)), right = std::stod(svg.substr(second));
  const double bottom = std::stod(svg.substr(svg.find("cy=\"", first) + 4));
  const double top = std::stod(svg.substr(svg.find("cy=\"", second) + 4));
  EXPECT_NEAR(right, chart.width - 20, 1);
  EXPECT_GT(left, 20);
  EXPECT_LT(top, 40);
  EXPECT_GT(bottom, chart.height - 60);
}

TEST(Chart, BarsAreProportionalToTheirValues) {
  Chart chart;
  chart.categories = {"one", "two", "three"};
  chart.bars.push_back({.name = "a", .values = {1, 2, 4}});
  chart.bars.push_back({.name = "b", .values = {4, std::nan(""), 1}});
  const std::string svg = chart_svg(chart);
  EXPECT_TRUE(is_well_formed(svg)) << svg;
  std::vector<double> heights;
  for (std::size_t at = svg.find("<title>"); at != std::string::npos; at = svg.find("<title>", at + 1)) {
    heights.push_back(std::stod(svg.substr(svg.rfind("height=\"", at) + 8)));
  }
  ASSERT_EQ(heights.size(), 5u);
  EXPECT_NEAR(heights[1], 2 * heights[0], 0.1);
  EXPECT_NEAR(heights[2], 4 * heights[0], 0.1);
  EXPECT_NEAR(heights[3], heights[2], 0.1);
}

TEST(Chart, OddDataStillGiveAChart) {
  const double infinity = std::numeric_limits<double>::infinity();
  for (bool logarithmic : {false, true}) {
    for (const std::vector<double>& y :
         {std::vector<double>{}, std::vector<double>{5, 5, 5}, std::vector<double>{-1, -2, -3},
          std::vector<double>{infinity, std::nan(""), 0}, std::vector<double>{1e-300, 1e300, 1},
          std::vector<double>{1e9, 1e9 + 1, 1e9 + 2}}) {
      Chart chart;
      chart.y.logarithmic = logarithmic;
      chart.reference = 2;
      chart.reference_label = "goal";
      chart.series.push_back({.name = "a", .x = std::vector<double>(y.size(), 1.0), .y = y});
      const std::string svg = chart_svg(chart);
      EXPECT_TRUE(is_well_formed(svg));
      EXPECT_EQ(svg.find("nan"), std::string::npos);
      EXPECT_LT(svg.size(), 20000u);
    }
  }
}

TEST(Chart, RefusesWhatDoesNotFitTogether) {
  Chart chart;
  chart.series.push_back({.name = "a", .x = {1, 2}, .y = {1}});
  EXPECT_THROW(chart_svg(chart), Error);
  chart.series.clear();
  chart.bars.push_back({.name = "a", .values = {1}});
  EXPECT_THROW(chart_svg(chart), Error);
  chart.categories = {"one"};
  EXPECT_NO_THROW(chart_svg(chart));
  chart.series.push_back({});
  EXPECT_THROW(chart_svg(chart), Error);
  chart.series.clear();
  chart.y = {.logarithmic = true, .low = 0.0};
  EXPECT_THROW(chart_svg(chart), Error);
}

TEST(Chart, TicksAreRoundAndInside) {
  EXPECT_EQ(round_ticks(0, 1, 5), (std::vector<double>{0, 0.2, 0.4, 0.2 * 3, 0.8, 1}));
  EXPECT_EQ(round_ticks(-3, 7, 5), (std::vector<double>{-2, 0, 2, 4, 6}));
  EXPECT_TRUE(round_ticks(1, 1, 5).empty());
  EXPECT_EQ(logarithmic_ticks(1, 1000), (std::vector<double>{1, 10, 100, 1000}));
  EXPECT_EQ(logarithmic_ticks(1, 10), (std::vector<double>{1, 2, 5, 10}));
  EXPECT_LE(logarithmic_ticks(1e-300, 1e300).size(), 20u);
  EXPECT_TRUE(logarithmic_ticks(0, 10).empty());
}

}  // namespace
}  // namespace sinew
