#include <algorithm>
#include <charconv>

#include "sinew/asset/skinned_surface.h"
#include "sinew/base/plain_text.h"
#include "sinew/weight_files.h"
#include "sinew/weights/tools/weight_file.h"

namespace sinew {
namespace {

Error bad_csv(const std::string& what, const std::string& advice = {}) {
  return Error(ErrorCode::settings_invalid, what, advice);
}

// A name as a cell: in quotes where it holds what separates cells.
std::string quoted(const std::string& name) {
  const bool plain = name.find_first_of(",;\t\"\r\n") == std::string::npos && !name.empty() && name.front() != ' ' &&
                     name.back() != ' ' && name.front() != '#';
  if (plain) return name;
  std::string text = "\"";
  for (const char c : name) text += c == '"' ? std::string("\"\"") : std::string(1, c);
  return text + '"';
}

// Names of joints as they are; of joints that share one, the number.
std::vector<std::string> joint_cells(const Skeleton& skeleton) {
  std::vector<std::string> cells;
  for (int joint = 0; joint < skeleton.joint_count(); ++joint) {
    const std::string& name = skeleton.names[joint];
    const bool alone = std::count(skeleton.names.begin(), skeleton.names.end(), name) == 1;
    cells.push_back(alone && !name.empty() ? quoted(name) : std::to_string(joint));
  }
  return cells;
}

// Rows of cells; quotes as in RFC 4180.
class CsvScanner {
 public:
  explicit CsvScanner(std::string_view text) : text_(text) {
    if (text_.starts_with("\xEF\xBB\xBF")) text_.remove_prefix(3);
    std::string_view head = text_;
    while (!head.empty() && (head.front() == '#' || head.front() == '\r' || head.front() == '\n')) {
      head.remove_prefix(std::min(head.find('\n'), head.size() - 1) + 1);
    }
    head = head.substr(0, head.find_first_of("\r\n"));
    if (head.find(',') != std::string_view::npos) return;
    if (head.find(';') != std::string_view::npos) separator_ = ';';
    if (head.find('\t') != std::string_view::npos) separator_ = '\t';
  }

  // The next row that is not empty and no comment; false at the end.
  bool next(std::vector<std::string>& cells) {
    while (at_ < text_.size()) {
      ++line_;
      if (text_[at_] == '#') {
        at_ = std::min(text_.find('\n', at_), text_.size() - 1) + 1;
        continue;
      }
      read_row(cells);
      if (cells.size() > 1 || !cells.front().empty()) return true;
    }
    return false;
  }

  std::size_t line() const { return line_; }

 private:
  void read_row(std::vector<std::string>& cells) {
    cells.assign(1, {});
    bool in_quotes = false;
    for (; at_ < text_.size(); ++at_) {
      const char c = text_[at_];
      if (in_quotes) {
        if (c != '"') {
          cells.back() += c;
        } else if (at_ + 1 < text_.size() && text_[at_ + 1] == '"') {
          cells.back() += text_[++at_];
        } else {
          in_quotes = false;
        }
      } else if (c == '"') {
        in_quotes = true;
      } else if (c == separator_) {
        cells.emplace_back();
      } else if (c == '\n') {
        ++at_;
        return;
      } else if (c != '\r') {
        cells.back() += c;
      }
    }
    if (in_quotes) throw bad_csv("a quoted name does not end");
  }

  std::string_view text_;
  std::size_t at_ = 0, line_ = 0;
  char separator_ = ',';
};

std::string_view trimmed(std::string_view cell) {
  while (!cell.empty() && cell.front() == ' ') cell.remove_prefix(1);
  while (!cell.empty() && cell.back() == ' ') cell.remove_suffix(1);
  return cell;
}

template <typename Number>
Number read_number(std::string_view cell, const char* what) {
  cell = trimmed(cell);
  Number number{};
  const auto [end, problem] = std::from_chars(cell.data(), cell.data() + cell.size(), number);
  if (problem != std::errc() || end != cell.data() + cell.size()) {
    throw bad_csv("'" + std::string(cell.substr(0, 40)) + "' is not " + what);
  }
  return number;
}

}  // namespace

std::string write_weights_csv(const Character& character) {
  check_character(character);
  const SkinnedSurface surface = skinned_surface(character);
  const std::vector<std::string> joints = joint_cells(character.skeleton);
  std::string text = "vertex,joint,weight\n";
  const auto slots = static_cast<std::size_t>(surface.weights.influences);
  for (std::size_t i = 0; i < surface.original.size(); ++i) {
    for (std::size_t slot = i * slots; slot < (i + 1) * slots; ++slot) {
      if (!(surface.weights.weights[slot] > 0)) continue;
      text += std::to_string(surface.original[i]) + ',' + joints[surface.weights.joints[slot]] + ',' +
              float_text(surface.weights.weights[slot]) + '\n';
    }
  }
  return text;
}

NamedWeights parse_weights_csv(std::string_view text, const Skeleton& skeleton, std::size_t vertex_count) {
  CsvScanner scanner(text);
  std::vector<std::string> cells;
  const auto is_header = [&] {
    return cells.size() == 3 && to_lower(trimmed(cells[0])) == "vertex" && to_lower(trimmed(cells[1])) == "joint" &&
           to_lower(trimmed(cells[2])) == "weight";
  };
  if (!scanner.next(cells) || !is_header()) {
    throw bad_csv("it is neither JSON of weights nor CSV that begins with vertex,joint,weight");
  }
  const JointLookup lookup(skeleton);
  NamedWeights named;
  std::vector<std::uint32_t> entry_of(vertex_count, ~std::uint32_t{0});
  while (scanner.next(cells)) {
    try {
      if (cells.size() != 3) throw bad_csv("a row has " + std::to_string(cells.size()) + " cells instead of 3");
      const auto vertex = read_number<std::uint64_t>(cells[0], "the number of a vertex");
      if (vertex >= vertex_count) {
        throw bad_csv("there is no vertex " + std::to_string(vertex) + " among " + std::to_string(vertex_count));
      }
      const std::uint16_t joint = lookup.find(cells[1]);
      const double weight = checked_weight(read_number<double>(cells[2], "a weight"));
      std::uint32_t& entry = entry_of[vertex];
      if (entry == ~std::uint32_t{0}) {
        entry = static_cast<std::uint32_t>(named.vertices.size());
        named.vertices.push_back(static_cast<std::uint32_t>(vertex));
        named.rows.emplace_back();
      }
      add_row(named.rows[entry], {{joint, weight}}, 1.0);
    } catch (const Error& error) {
      throw error.within("row " + std::to_string(scanner.line()));
    }
  }
  return named;
}

}  // namespace sinew
