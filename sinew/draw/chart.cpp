#include "sinew/draw/chart.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "sinew/base/file_bytes.h"
#include "sinew/base/plain_text.h"
#include "sinew/draw/text.h"
#include "sinew/error.h"

namespace sinew {
namespace {

constexpr const char* ink = "#2a2c30";
constexpr const char* faint = "#e4e6ea";
constexpr float label_size = 13;

std::string stroke_of(const char* colour) {
  std::string attribute = "stroke=\"";
  attribute += colour;
  attribute += '"';
  return attribute;
}

// A coordinate with at most two decimals: enough for a pixel, short in the file.
std::string number(double value) {
  std::string result = fixed_number_text(value, 2);
  result.erase(result.find_last_not_of('0') + 1);
  if (result.back() == '.') result.pop_back();
  return result == "-0" ? "0" : result;
}

std::string tick_text(double value, bool logarithmic) {
  const double size = std::abs(value);
  if (logarithmic && size > 0 && (size >= 1e5 || size < 1e-3)) return scientific_number_text(value, 0);
  if (size >= 1e6) return number_text(value / 1e6, 4) + "M";
  if (size >= 1e4) return number_text(value / 1e3, 4) + "k";
  return number_text(value, 4);
}

// Maps values of one axis to pixels.
struct Scale {
  double low = 0, high = 1;
  double begin = 0, end = 1;  // pixels of low and high
  bool logarithmic = false;

  bool shows(double value) const { return std::isfinite(value) && (!logarithmic || value > 0); }
  double operator()(double value) const {
    const double t = logarithmic ? (std::log(value) - std::log(low)) / (std::log(high) - std::log(low))
                                 : (value - low) / (high - low);
    return begin + t * (end - begin);
  }
  std::vector<double> ticks(int count) const {
    return logarithmic ? logarithmic_ticks(low, high) : round_ticks(low, high, count);
  }
};

// The range of an axis: what the data need and the caller asks for, widened to round numbers where it is free.
Scale make_scale(const ChartAxis& axis, const std::vector<double>& values, bool from_zero) {
  Scale scale;
  scale.logarithmic = axis.logarithmic;
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (double value : values) {
    if (!scale.shows(value)) continue;
    low = std::min(low, value);
    high = std::max(high, value);
  }
  if (low > high) {
    low = axis.logarithmic ? 1 : 0;
    high = axis.logarithmic ? 10 : 1;
  }
  if (from_zero && !axis.logarithmic) {
    low = std::min(low, 0.0);
    high = std::max(high, 0.0);
  }
  low = axis.low.value_or(low);
  high = axis.high.value_or(high);
  if (!(high > low)) {
    const double half = axis.logarithmic ? 0 : std::max(0.5, 0.05 * std::abs(low));
    if (axis.logarithmic) {
      low /= 2;
      high = low * 4;
    } else {
      low -= half;
      high = low + 2 * half;
    }
  }
  if (axis.logarithmic) {
    // Bars and lines need some room to their ends even when the data sit exactly on a power of ten.
    const double room = std::exp(0.04 * (std::log(high) - std::log(low)));
    scale.low = axis.low.value_or(std::max(low / room, std::numeric_limits<double>::min()));
    scale.high = axis.high.value_or(std::min(high * room, std::numeric_limits<double>::max()));
    return scale;
  }
  const std::vector<double> ticks = round_ticks(low, high, 6);
  const double step = ticks.size() > 1 ? ticks[1] - ticks[0] : high - low;
  scale.low = axis.low.value_or(std::floor(low / step + 1e-9) * step);
  scale.high = axis.high.value_or(std::ceil(high / step - 1e-9) * step);
  return scale;
}

// The SVG under construction, and where the plot lies in it.
class Plot {
 public:
  explicit Plot(const Chart& chart) : chart_(chart) {
    std::vector<double> xs, ys;
    for (const ChartSeries& series : chart.series) {
      xs.insert(xs.end(), series.x.begin(), series.x.end());
      ys.insert(ys.end(), series.y.begin(), series.y.end());
    }
    for (const ChartBars& bars : chart.bars) ys.insert(ys.end(), bars.values.begin(), bars.values.end());
    if (chart.reference) ys.push_back(*chart.reference);
    x_ = make_scale(chart.x, xs, false);
    y_ = make_scale(chart.y, ys, !chart.bars.empty());

    int widest = 0;
    for (double tick : y_.ticks(6)) widest = std::max(widest, text_width(tick_text(tick, y_.logarithmic), label_size));
    left_ = 22 + widest + (chart.y.label.empty() ? 0 : 20);
    top_ = 16 + (chart.title.empty() ? 0 : 26) + (legend_entries() > 1 ? 24 : 0);
    right_ = chart.width - 20;
    bottom_ = chart.height - 30 - (chart.x.label.empty() ? 0 : 20);
    x_.begin = left_;
    x_.end = right_;
    y_.begin = bottom_;
    y_.end = top_;
  }

  std::string svg() {
    out_ = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" + std::to_string(chart_.width) + "\" height=\"" +
           std::to_string(chart_.height) + "\" viewBox=\"0 0 " + std::to_string(chart_.width) + " " +
           std::to_string(chart_.height) + "\" font-family=\"DejaVu Sans, Helvetica, Arial, sans-serif\" font-size=\"" +
           number(label_size) + "\" fill=\"" + ink + "\">\n<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n";
    if (!chart_.title.empty())
      text(chart_.width / 2.0, 28, chart_.title, "middle", "font-size=\"16\" font-weight=\"bold\"");
    axes();
    out_ += "<clipPath id=\"plot\"><rect x=\"" + number(left_) + "\" y=\"" + number(top_ - 4) + "\" width=\"" +
            number(right_ - left_) + "\" height=\"" + number(bottom_ - top_ + 4) + "\"/></clipPath>\n";
    out_ += "<g clip-path=\"url(#plot)\">\n";
    bars();
    for (std::size_t i = 0; i < chart_.series.size(); ++i) series(chart_.series[i], i);
    reference();
    out_ += "</g>\n";
    legend();
    return out_ + "</svg>\n";
  }

 private:
  std::size_t legend_entries() const { return chart_.series.size() + chart_.bars.size(); }

  static std::string color_of(const std::optional<Color>& color, std::size_t index) {
    constexpr std::size_t order[] = {1, 0, 4, 3, 2, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    return hex_text(color ? *color : palette_color(static_cast<int>(order[index % 16])));
  }

  void text(double x, double y, const std::string& words, const char* anchor, const std::string& more = "") {
    out_ += "<text x=\"" + number(x) + "\" y=\"" + number(y) + "\" text-anchor=\"" + anchor + "\"" +
            (more.empty() ? "" : " " + more) + ">" + escape_xml(words) + "</text>\n";
  }

  void line(double x1, double y1, double x2, double y2, const std::string& stroke) {
    out_ += "<line x1=\"" + number(x1) + "\" y1=\"" + number(y1) + "\" x2=\"" + number(x2) + "\" y2=\"" + number(y2) +
            "\" " + stroke + "/>\n";
  }

  void axes() {
    for (double tick : y_.ticks(6)) {
      line(left_, y_(tick), right_, y_(tick), stroke_of(faint));
      text(left_ - 7, y_(tick) + 4.5, tick_text(tick, y_.logarithmic), "end");
    }
    if (chart_.bars.empty()) {
      for (double tick : x_.ticks(8)) {
        line(x_(tick), bottom_, x_(tick), bottom_ + 5, stroke_of(ink));
        text(x_(tick), bottom_ + 19, tick_text(tick, x_.logarithmic), "middle");
      }
    }
    line(left_, bottom_, right_, bottom_, stroke_of(ink));
    if (!chart_.x.label.empty()) text((left_ + right_) / 2, chart_.height - 10, chart_.x.label, "middle");
    if (!chart_.y.label.empty()) {
      const std::string middle = number((top_ + bottom_) / 2);
      text(18, (top_ + bottom_) / 2, chart_.y.label, "middle", "transform=\"rotate(-90 18 " + middle + ")\"");
    }
  }

  void bars() {
    if (chart_.bars.empty()) return;
    const double group = (right_ - left_) / static_cast<double>(std::max<std::size_t>(1, chart_.categories.size()));
    const double width = 0.76 * group / static_cast<double>(chart_.bars.size());
    const double base = y_.logarithmic ? bottom_ : y_(std::clamp(0.0, y_.low, y_.high));
    for (std::size_t b = 0; b < chart_.bars.size(); ++b) {
      for (std::size_t c = 0; c < chart_.categories.size(); ++c) {
        const double value = chart_.bars[b].values[c];
        if (!y_.shows(value)) continue;
        const double x = left_ + group * (static_cast<double>(c) + 0.12) + width * static_cast<double>(b);
        const double y = y_(value);
        out_ += "<rect x=\"" + number(x) + "\" y=\"" + number(std::min(y, base)) + "\" width=\"" +
                number(0.94 * width) + "\" height=\"" + number(std::abs(y - base)) + "\" fill=\"" +
                color_of(chart_.bars[b].color, b) + "\"><title>" +
                escape_xml(chart_.bars[b].name + ", " + chart_.categories[c] + ": " + tick_text(value, false)) +
                "</title></rect>\n";
      }
    }
    out_ += "</g>\n<g>\n";  // names of the categories lie outside the clipped plot
    for (std::size_t c = 0; c < chart_.categories.size(); ++c) {
      text(left_ + group * (static_cast<double>(c) + 0.5), bottom_ + 19,
           shorten_text(chart_.categories[c], label_size, static_cast<int>(group) - 4), "middle");
    }
  }

  void series(const ChartSeries& series, std::size_t index) {
    const std::string color = color_of(series.color, index);
    std::string path, points;
    bool pen_down = false;
    for (std::size_t i = 0; i < series.x.size(); ++i) {
      if (!x_.shows(series.x[i]) || !y_.shows(series.y[i])) {
        pen_down = false;
        continue;
      }
      const std::string x = number(x_(series.x[i])), y = number(y_(series.y[i]));
      path += (pen_down ? "L" : "M") + x + " " + y;
      points += "<circle cx=\"" + x + "\" cy=\"" + y + "\" r=\"3.2\" fill=\"" + color + "\"/>\n";
      pen_down = true;
    }
    if (path.empty()) return;
    if (series.style != SeriesStyle::points) {
      out_ += "<path d=\"" + path + "\" fill=\"none\" stroke=\"" + color +
              "\" stroke-width=\"2\" stroke-linejoin=\"round\" stroke-linecap=\"round\"/>\n";
    }
    if (series.style != SeriesStyle::line) out_ += points;
  }

  void reference() {
    if (!chart_.reference || !y_.shows(*chart_.reference)) return;
    const double y = y_(*chart_.reference);
    line(left_, y, right_, y, stroke_of(ink) + " stroke-dasharray=\"5 4\"");
    text(right_ - 4, y - 5, chart_.reference_label, "end");
  }

  void legend() {
    if (legend_entries() < 2) return;
    double x = left_;
    const double y = top_ - 16;
    const auto entry = [&](const std::string& name, const std::string& color) {
      out_ += "<rect x=\"" + number(x) + "\" y=\"" + number(y - 9) + "\" width=\"11\" height=\"11\" rx=\"2\" fill=\"" +
              color + "\"/>\n";
      text(x + 16, y + 1, name, "start");
      x += 16 + text_width(name, label_size) + 22;
    };
    for (std::size_t i = 0; i < chart_.series.size(); ++i)
      entry(chart_.series[i].name, color_of(chart_.series[i].color, i));
    for (std::size_t i = 0; i < chart_.bars.size(); ++i) entry(chart_.bars[i].name, color_of(chart_.bars[i].color, i));
  }

  const Chart& chart_;
  Scale x_, y_;
  double left_ = 0, right_ = 0, top_ = 0, bottom_ = 0;
  std::string out_;
};

void check_chart(const Chart& chart) {
  if (!chart.series.empty() && !chart.bars.empty()) {
    throw Error(ErrorCode::argument_invalid, "a chart shows lines or bars, not both");
  }
  for (const ChartSeries& series : chart.series) {
    if (series.x.size() != series.y.size()) {
      throw Error(ErrorCode::argument_invalid, "series '" + series.name + "' has " + std::to_string(series.x.size()) +
                                                   " x and " + std::to_string(series.y.size()) + " y values");
    }
  }
  for (const ChartBars& bars : chart.bars) {
    if (bars.values.size() != chart.categories.size()) {
      throw Error(ErrorCode::argument_invalid, "bars '" + bars.name + "' have " + std::to_string(bars.values.size()) +
                                                   " values for " + std::to_string(chart.categories.size()) +
                                                   " categories");
    }
  }
  for (const ChartAxis* axis : {&chart.x, &chart.y}) {
    const bool finite = std::isfinite(axis->low.value_or(1)) && std::isfinite(axis->high.value_or(1));
    const bool positive = axis->low.value_or(1) > 0 && axis->high.value_or(1) > 0;
    if (!finite || (axis->logarithmic && !positive)) {
      throw Error(ErrorCode::argument_invalid, "the axis '" + axis->label + "' has an impossible range");
    }
  }
  if (chart.width < 120 || chart.height < 120) {
    throw Error(ErrorCode::argument_invalid, "a chart needs at least 120x120 pixels");
  }
}

}  // namespace

std::vector<double> round_ticks(double low, double high, int count) {
  if (!(high > low) || !std::isfinite(low) || !std::isfinite(high) || count < 1) return {};
  const double raw = (high - low) / count;
  const double power = std::pow(10.0, std::floor(std::log10(raw)));
  const double factor = raw / power <= 1 ? 1 : raw / power <= 2 ? 2 : raw / power <= 5 ? 5 : 10;
  const double step = factor * power;
  std::vector<double> ticks;
  const double first = std::ceil(low / step - 1e-9);
  for (int i = 0; i <= 2 * count + 2; ++i) {
    const double tick = (first + i) * step;
    if (tick > high + 1e-9 * step) break;
    ticks.push_back(tick == 0 ? 0.0 : tick);
  }
  return ticks;
}

std::vector<double> logarithmic_ticks(double low, double high) {
  if (!(low > 0) || !(high > low) || !std::isfinite(high)) return {};
  const int first = static_cast<int>(std::floor(std::log10(low))), last = static_cast<int>(std::ceil(std::log10(high)));
  std::vector<double> powers, all;
  const int stride = std::max(1, (last - first) / 8);
  for (int exponent = first; exponent <= last; ++exponent) {
    for (double factor : {1.0, 2.0, 5.0}) {
      const double tick = factor * std::pow(10.0, exponent);
      if (tick < low * (1 - 1e-9) || tick > high * (1 + 1e-9)) continue;
      all.push_back(tick);
      if (factor == 1.0 && (exponent - first) % stride == 0) powers.push_back(tick);
    }
  }
  return powers.size() >= 3 ? powers : all;
}

std::string escape_xml(std::string_view text) {
  std::string out;
  for (char c : valid_utf8(text)) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\'':
        out += "&apos;";
        break;
      default:
        out += static_cast<unsigned char>(c) < 0x20 || c == 0x7F ? ' ' : c;
    }
  }
  return out;
}

std::string chart_svg(const Chart& chart) {
  check_chart(chart);
  return Plot(chart).svg();
}

void write_chart(const Chart& chart, const std::filesystem::path& path) { write_file_text(path, chart_svg(chart)); }

}  // namespace sinew
