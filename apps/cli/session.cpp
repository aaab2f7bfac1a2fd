#include "session.h"

#include <fmt/color.h>
#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <thread>

#include "sinew/base/parallel.h"

namespace sinew::cli {
namespace {

std::atomic<bool> interrupted{false};

void on_interrupt(int) { interrupted.store(true); }

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
  command->add_flag("--json", json_, "print one machine-readable object on stdout");
  command->add_flag("--quiet,-q", quiet_, "no messages and no progress");
  command->add_flag("--verbose,-v", verbose_, "say more");
  command->add_option("--threads", threads_, "threads to use; 0 = all cores")->non_negative();
  command->add_option("--seed", seed_, "seed of everything random")->show_default();
  return command;
}

void Session::on_run(Command* command, std::function<void()> action) {
  command->when_chosen([this, name = command->name(), action = std::move(action)] {
    command_ = name;
    action_ = action;
  });
}

void Session::run() {
  set_thread_count(threads_);
  if (action_) action_();
}

void Session::say(const std::string& line) const {
  if (!quiet_) fmt::print(stderr, "{}\n", line);
}

void Session::say_detail(const std::string& line) const {
  if (verbose_) say(line);
}

void Session::warn(const Warnings& warnings) {
  for (const Warning& warning : warnings) {
    warnings_.push_back(warning);
    if (!quiet_) print_label(fmt::color::orange, "warning:", warning.message);
  }
}

void Session::remember(const Error& error) {
  print_error(error);
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
  } else {
    fmt::print("{}{}", text, text.empty() || text.back() == '\n' ? "" : "\n");
  }
}

void Session::fail(const Error& error) const {
  print_error(error);
  if (json_ && !finished_) {
    const nlohmann::json object = {{"ok", false},
                                   {"command", command_},
                                   {"warnings", to_json(warnings_)},
                                   {"error",
                                    {{"code", code_name(error.code())},
                                     {"kind", kind_name(error.kind())},
                                     {"message", error.what()},
                                     {"advice", error.advice()}}}};
    fmt::print("{}\n", object.dump(2, ' ', false, nlohmann::json::error_handler_t::replace));
  }
}

void refuse_to_overwrite(const std::string& input, const std::string& output, bool overwrite) {
  std::error_code ignored;
  if (!overwrite && std::filesystem::equivalent(input, output, ignored)) {
    throw Error(ErrorKind::usage, "the output '" + output + "' is the input", "name another file, or say --overwrite");
  }
}

}  // namespace sinew::cli
