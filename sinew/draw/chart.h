// Charts to SVG: lines, points and bars over linear or logarithmic axes. Small files that browsers and README pages
// show as they are.
//
//   Chart chart{.title = "Loss", .x = {.label = "step"}, .y = {.label = "loss", .logarithmic = true}};
//   chart.series.push_back({.name = "training", .x = steps, .y = losses});
//   write_chart(chart, "loss.svg");
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/draw/color.h"

namespace sinew {

struct ChartAxis {
  std::string label{};                  // with its unit: "vertices per second"
  bool logarithmic = false;             // values that are not positive are left out
  std::optional<double> low{}, high{};  // chosen from the data where absent; bars start at 0 on a linear axis
};

enum class SeriesStyle { line, line_with_points, points };

struct ChartSeries {
  std::string name{};
  std::vector<double> x{}, y{};  // same length; a pair that is not finite interrupts the line
  SeriesStyle style = SeriesStyle::line;
  std::optional<Color> color{};  // from the palette where absent
};

// Groups of bars, one bar per series in each group. A chart has series or bars, not both.
struct ChartBars {
  std::string name{};
  std::vector<double> values{};  // one per category; not finite: no bar
  std::optional<Color> color{};
};

struct Chart {
  std::string title{};
  ChartAxis x{}, y{};
  std::vector<ChartSeries> series{};
  std::vector<std::string> categories{};  // names under the groups of bars
  std::vector<ChartBars> bars{};
  std::optional<double> reference{};  // a dashed horizontal line, for limits and goals
  std::string reference_label{};
  int width = 720, height = 420;  // pixels
};

// Throws Error(usage) when lengths do not match, or when there are both series and bars.
std::string chart_svg(const Chart& chart);
void write_chart(const Chart& chart, const std::filesystem::path& path);

// Places for labels on an axis from low to high: round numbers (1, 2 or 5 times a power of ten), about `count` of them.
std::vector<double> round_ticks(double low, double high, int count);
// Powers of ten within [low, high]; with their 2 and 5 multiples where there are fewer than three.
std::vector<double> logarithmic_ticks(double low, double high);

// Text safe inside XML elements and attributes; control characters become spaces, bytes that are not UTF-8 "?".
std::string escape_xml(std::string_view text);

}  // namespace sinew
