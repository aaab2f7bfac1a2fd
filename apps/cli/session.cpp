#include "session.h"

#include <fmt/color.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <thread>
#include <utility>

#include "flag_advice.h"
#include "sinew/base/parallel.h"
#include "sinew/io.h"

namespace sinew::cli {
namespace {

std::atomic<bool> interrupted{false};

// Work stops where nothing is half done; whoever does not want to wait for that asks a second time.
void on_interrupt(int signal_number) {
  interrupted.store(true);
  std::signal(signal_number, SIG_DFL);
}

bool colour_on_stderr() {
  static const bool colour = isatty(STDERR_FILENO) && !std::getenv("NO_COLOR");
  return colour;
}

void print_label(fmt::color color, const char* label, const std::string& text) {
  if (colour_on_stderr()) {
    fmt::print(stderr, "{} {}\n", fmt::format(fmt::fg(color), "{}", label), text);
  } else {
    fmt::print(stderr, "{} {}\n", label, text);
  }
}

void print_error(const Error& error) {
  if (isatty(STDERR_FILENO)) fmt::print(stderr, "\r\033[K");  // the bar of what it ended
  print_label(fmt::color::red, "error:", error.what());
  if (!error.advice().empty()) fmt::print(stderr, "  {}\n", error.advice());
}

// Draws the progress of one command: a bar that redraws itself, or a line every tenth.
class ProgressPrinter {
 public:
  void operator()(double fraction, std::string_view stage) {
    const double elapsed = std::chrono::duration<double>(Clock::now() - start_).count();
    if (elapsed < 1.0) return;
    const double left = fraction > 0.01 ? elapsed * (1.0 - fraction) / fraction : 0.0;
    if (isatty(STDERR_FILENO)) {
      if (elapsed - last_print_ < 0.1 && fraction < 1.0) return;
      const int filled = static_cast<int>(fraction * 30);
      fmt::print(stderr, "\r[{:<30}] {:3.0f}% {:.0f} s left, {}\033[K", std::string(filled, '='), fraction * 100, left,
                 stage);
      if (fraction >= 1.0) fmt::print(stderr, "\r\033[K");
      std::fflush(stderr);
    } else {
      const int tenth = static_cast<int>(fraction * 10);
      if (tenth <= last_tenth_ || fraction >= 1.0) return;
      last_tenth_ = tenth;
      fmt::print(stderr, "{:3.0f}% {:.0f} s left, {}\n", fraction * 100, left, stage);
    }
    last_print_ = elapsed;
  }

 private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point start_ = Clock::now();
  double last_print_ = 0.0;
  int last_tenth_ = 0;
};

nlohmann::json to_json(const Warnings& warnings) {
  nlohmann::json list = nlohmann::json::array();
  for (const Warning& warning : warnings) list.push_back({{"code", warning.code}, {"message", warning.message}});
  return list;
}

}  // namespace

Session::Session(CommandLine& line) : line_(line) { std::signal(SIGINT, on_interrupt); }

Command* Session::add_command(const std::string& name, const std::string& description) {
  Command* command = line_.add_command(name, description);
  command->add_flag("--json", json_, "print one machine-readable object on stdout")->group(common_options);
  command->add_flag("--quiet,-q", quiet_, "print errors and what was asked for, and nothing else")
      ->group(common_options);
  command->add_flag("--verbose,-v", verbose_, "print more detail")->group(common_options);
  command->add_option("--threads", threads_, "threads to use; 0 for all cores")
      ->non_negative()
      ->show_default()
      ->group(common_options);
  command->add_option("--seed", seed_, "seed of everything random; same seed, same result")
      ->show_default()
      ->group(common_options);
  return command;
}

Option* Session::add_output(Command* command, const std::string& names, std::string& output, const std::string& help,
                            Formats formats) {
  outputs_.emplace_back(command->name(), &output);
  if (names.starts_with("-o") || names.front() != '-') add_product(command, output);
  if (formats == Formats::characters) {
    command->add_option("--to", to_, "format on standard output, where the output is '-' [glb]")
        ->one_of({"glb", "gltf", "vrm", "fbx", "obj", "ply", "stl", "off", "bvh"});
  }
  return command->add_option(names, output, help);
}

void Session::add_product(const Command* command, const std::string& output) {
  products_.emplace_back(command->name(), &output);
}

bool Session::has_product() const {
  return std::any_of(products_.begin(), products_.end(),
                     [&](const auto& product) { return product.first == command_ && !product.second->empty(); });
}

FileFormat Session::standard_output_format() const {
  return format_of_extension("name." + to_).value_or(FileFormat::glb);
}

bool Session::take_standard_input() { return !std::exchange(stdin_is_taken_, true); }

void Session::check_outputs() {
  int streams = 0;
  for (const auto& [command, output] : outputs_) streams += command == command_ && is_standard_stream(*output);
  if (streams > 1) throw Error(ErrorCode::options_conflict, "only one output can go to standard output");
  if (streams == 0 && !to_.empty()) {
    throw Error(ErrorCode::options_conflict, "--to is for standard output", "a file's extension says its format");
  }
  if (streams == 1 && json_) {
    throw Error(ErrorCode::options_conflict, "--json and the output both want standard output",
                "write the output to a file");
  }
  stdout_is_output_ = streams == 1;
}

void Session::on_run(Command* command, std::function<void()> action) {
  command->when_chosen([this, name = command->name(), action = std::move(action)] {
    command_ = name;
    action_ = action;
  });
}

void Session::run() {
  check_outputs();
  if (action_) with_threads(threads_, Progress(nullptr, &interrupted), action_);
}

void Session::say(const std::string& line) const {
  if (!quiet_) fmt::print(stderr, "{}\n", line);
}

void Session::say_detail(const std::string& line) const {
  if (verbose_) say(line);
}

void Session::warn(const Warnings& warnings) {
  for (const Warning& plain : warnings) {
    const Warning warning = with_flags(plain, line_);
    warnings_.push_back(warning);
    if (!quiet_) print_label(fmt::color::orange, "warning:", warning.message);
  }
}

void Session::remember(const Error& error) {
  print_error(with_flags(error, line_));
  if (exit_code_ == 0) exit_code_ = sinew::exit_code(error.kind());
}

Progress Session::progress() const {
  if (quiet_) return Progress(nullptr, &interrupted);
  auto printer = std::make_shared<ProgressPrinter>();
  return Progress([printer](double fraction, std::string_view stage) { (*printer)(fraction, stage); }, &interrupted);
}

void Session::wait_for_interrupt() const {
  std::signal(SIGTERM, on_interrupt);
  while (!interrupted.load()) std::this_thread::sleep_for(std::chrono::milliseconds(100));
}

void Session::finish(const nlohmann::json& result, const std::string& text) {
  finished_ = true;
  if (json_) {
    nlohmann::json object = {{"ok", exit_code_ == 0}, {"command", command_}, {"warnings", to_json(warnings_)}};
    object.update(result);
    fmt::print("{}\n", object.dump(2, ' ', false, nlohmann::json::error_handler_t::replace));
  } else if (!quiet_ || !(stdout_is_output_ || has_product())) {
    fmt::print(stdout_is_output_ ? stderr : stdout, "{}{}", text, text.empty() || text.back() == '\n' ? "" : "\n");
  }
}

void Session::fail(const Error& error) const {
  print_error(with_flags(error, line_));
  // Asked of the words too: an error in one of them comes before the flag is taken.
  const bool json = json_ || line_.has_word("--json");
  if (json && !finished_) {
    const nlohmann::json object = {
        {"ok", false}, {"command", line_.command()}, {"warnings", to_json(warnings_)}, {"error", error_json(error)}};
    fmt::print("{}\n", object.dump(2, ' ', false, nlohmann::json::error_handler_t::replace));
  }
}

nlohmann::json Session::error_json(const Error& error) const {
  const Error own = with_flags(error, line_);
  return {{"code", code_name(own.code())},
          {"kind", kind_name(own.kind())},
          {"message", own.what()},
          {"advice", own.advice()}};
}

void refuse_to_overwrite(const std::string& input, const std::string& output, bool overwrite) {
  std::error_code ignored;
  if (is_standard_stream(input) || is_standard_stream(output)) return;
  if (!overwrite && std::filesystem::equivalent(input, output, ignored)) {
    throw Error(ErrorCode::would_overwrite, "the output '" + output + "' is the input",
                "name another file, or use --overwrite");
  }
}

}  // namespace sinew::cli
