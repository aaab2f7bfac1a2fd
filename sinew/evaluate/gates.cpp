#include "sinew/gates.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "sinew/base/closest_name.h"
#include "sinew/base/plain_text.h"
#include "sinew/error.h"

namespace sinew {
namespace {

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

Gate parse_gate(std::string_view text) {
  const std::size_t equals = text.find('=');
  const std::string_view name = trimmed(text.substr(0, equals));
  const std::string_view number = equals == std::string_view::npos ? "" : trimmed(text.substr(equals + 1));
  Gate gate{std::string(name), 0};
  const auto [end, fault] = std::from_chars(number.data(), number.data() + number.size(), gate.limit);
  if (name.empty() || fault != std::errc() || end != number.data() + number.size() || !std::isfinite(gate.limit)) {
    throw Error(ErrorCode::option_invalid, "'" + std::string(text) + "' is not a gate",
                "a gate is written name=number, several with commas")
        .about("require");
  }
  return gate;
}

}  // namespace

std::vector<Gate> parse_gates(std::string_view text) {
  std::vector<Gate> gates;
  while (true) {
    const std::size_t comma = text.find(',');
    gates.push_back(parse_gate(text.substr(0, comma)));
    if (comma == std::string_view::npos) return gates;
    text.remove_prefix(comma + 1);
  }
}

void check_gate_names(const std::vector<Gate>& gates, const std::vector<std::string>& known) {
  for (const Gate& gate : gates) {
    if (std::find(known.begin(), known.end(), gate.name) == known.end()) {
      throw Error(ErrorCode::choice_unknown, "nothing called '" + gate.name + "' is measured here",
                  choices_for(gate.name, known))
          .about("require");
    }
  }
}

std::vector<GateResult> check_gates(const std::vector<Gate>& gates, const std::vector<Metric>& metrics) {
  std::vector<std::string> known;
  for (const Metric& metric : metrics) known.push_back(metric.name);
  check_gate_names(gates, known);
  std::vector<GateResult> results;
  for (const Gate& gate : gates) {
    const Metric& metric =
        *std::find_if(metrics.begin(), metrics.end(), [&](const Metric& m) { return m.name == gate.name; });
    const bool met = metric.better == Better::lower ? metric.value <= gate.limit : metric.value >= gate.limit;
    results.push_back({gate, metric.value, metric.better, met});
  }
  return results;
}

void require_gates(const std::vector<GateResult>& results) {
  std::string list;
  for (const GateResult& result : results) {
    if (result.met) continue;
    list += (list.empty() ? "" : "; ") + result.gate.name + " is " + number_text(result.value) + ", " +
            (result.better == Better::lower ? "at most " : "at least ") + number_text(result.gate.limit) +
            " was required";
  }
  if (!list.empty()) throw Error(ErrorCode::gate_not_met, list);
}

}  // namespace sinew
