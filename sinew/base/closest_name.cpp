#include "sinew/base/closest_name.h"

#include <algorithm>
#include <array>

#include "sinew/base/plain_text.h"

namespace sinew {
namespace {

// How far `typed` is from `name`; npos where it is not near.
std::size_t nearness(std::string_view typed, std::string_view name) {
  constexpr std::size_t shortest_beginning = 3;
  const std::size_t distance = edit_distance(typed, name);
  if (distance <= std::max<std::size_t>(1, std::max(typed.size(), name.size()) / 3)) return distance;
  const bool begins = typed.size() >= shortest_beginning && to_lower(name).starts_with(to_lower(typed));
  return begins ? 1 : std::string::npos;
}

}  // namespace

std::size_t edit_distance(std::string_view first, std::string_view second) {
  const std::string a = to_lower(first);
  const std::string b = to_lower(second);
  // Rows of the table for the letters of `a` up to now, the one before, and the one before that.
  std::array<std::vector<std::size_t>, 3> rows;
  for (auto& row : rows) row.resize(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) rows[0][j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::vector<std::size_t>& row = rows[i % 3];
    const std::vector<std::size_t>& before = rows[(i + 2) % 3];
    const std::vector<std::size_t>& long_before = rows[(i + 1) % 3];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({before[j] + 1, row[j - 1] + 1, before[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) row[j] = std::min(row[j], long_before[j - 2] + 1);
    }
  }
  return rows[a.size() % 3][b.size()];
}

std::vector<std::string> closest_names(std::string_view typed, const std::vector<std::string>& names) {
  constexpr std::size_t most = 3;
  std::vector<std::string> nearest;
  std::size_t least = std::string::npos;
  for (const std::string& name : names) {
    const std::size_t colon = name.rfind(':');
    std::size_t distance = nearness(typed, name);
    if (colon != std::string::npos)
      distance = std::min(distance, nearness(typed, std::string_view(name).substr(colon + 1)));
    if (distance == std::string::npos || distance > least) continue;
    if (distance < least) nearest.clear();
    least = distance;
    if (nearest.size() < most) nearest.push_back(name);
  }
  return nearest;
}

std::string did_you_mean(std::string_view typed, const std::vector<std::string>& names) {
  const std::vector<std::string> nearest = closest_names(typed, names);
  if (nearest.empty()) return {};
  std::string text = "did you mean ";
  for (std::size_t i = 0; i < nearest.size(); ++i) {
    text += (i == 0 ? "" : i + 1 == nearest.size() ? " or " : ", ") + nearest[i];
  }
  return text + "?";
}

std::string choices_for(std::string_view typed, const std::vector<std::string>& names) {
  const std::string nearest = did_you_mean(typed, names);
  return nearest + (nearest.empty() ? "" : " ") + "there are: " + listed(names);
}

std::string listed(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

}  // namespace sinew
