// What every command shares: the common options, messages on stderr, progress, and the result on stdout.
//
// A command is one file NAME_command.cpp with one function add_NAME_command(session), listed in commands.h:
//
//   void add_info_command(Session& session) {
//     auto options = std::make_shared<Options>();
//     Command* command = session.add_command("info", "what a file holds and what is wrong with it");
//     command->add_option("FILE", options->file, "…")->required();
//     session.on_run(command, [options, &session] { …; session.finish(json, text); });
//   }
//
// The callback throws Error; main turns it into the exit code and one or two lines.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <utility>
#include <vector>

#include "command.h"
#include "sinew/character.h"
#include "sinew/error.h"
#include "sinew/progress.h"

namespace sinew::cli {

class Session {
 public:
  explicit Session(CommandLine& line);

  // A subcommand with the common options (--json --quiet --verbose --threads --seed) already on it: "info", or one of a
  // group, "weights mirror".
  Command* add_command(const std::string& name, const std::string& description);
  void add_group(const std::string& name, const std::string& description) { line_.add_group(name, description); }

  // An option for a file to write, where "-" stands for standard output. Where that is a character, `formats` adds --to.
  // Commands write it by files.h.
  enum class Formats { one, characters };
  Option* add_output(Command* command, const std::string& names, std::string& output, const std::string& help,
                     Formats formats = Formats::characters);
  // What the command is for is then in this file or folder: with --quiet its line about it is not printed. add_output
  // says so of -o and of outputs without a dash.
  void add_product(const Command* command, const std::string& output);
  FileFormat standard_output_format() const;
  bool standard_output_is_vrm() const { return to_ == "vrm"; }
  // False when somebody has read it already.
  bool take_standard_input();

  // What to do when the command was chosen. Runs after parsing, inside main's error handling.
  void on_run(Command* command, std::function<void()> action);
  void run();

  const CommandLine& line() const { return line_; }
  std::uint64_t seed() const { return seed_; }
  int threads() const { return threads_; }  // 0: all cores. Commands run within this limit already
  bool json() const { return json_; }
  bool verbose() const { return verbose_; }

  // One line on stderr, unless --quiet.
  void say(const std::string& line) const;
  // Only with --verbose.
  void say_detail(const std::string& line) const;
  // Warnings on stderr, and into the JSON result.
  void warn(const Warnings& warnings);

  // Reports to a bar with time left on a terminal, to plain lines otherwise; silent for the first second.
  // Ctrl-C cancels, here and in everything else that a command does (exit code 130).
  Progress progress() const;

  // For a command that serves until it is told to stop: returns after Ctrl-C or a request to terminate.
  void wait_for_interrupt() const;

  // For a command that goes on after an error (one bad file of many) and reports it in its answer: the exit code to end
  // with; of several the first counts.
  void remember(const Error& error);
  int exit_code() const { return exit_code_; }

  // The command's answer: `text` on stdout, or with --json one object: `result` plus "ok", "command", "warnings". Where
  // stdout holds the output itself, `text` goes to stderr. With --quiet an answer that was written to a file is enough.
  void finish(const nlohmann::json& result, const std::string& text);
  // The same for a failure: one or two lines on stderr, or the object {"ok": false, "error": …} on stdout. After a
  // finish (a gate that was not met) stdout stays as it is.
  void fail(const Error& error) const;
  // {"code": "file-not-found", "kind": "bad_input", "message": …, "advice": …}, with the flags that help.
  nlohmann::json error_json(const Error& error) const;

 private:
  void check_outputs();
  bool has_product() const;

  CommandLine& line_;
  std::string command_;
  std::function<void()> action_;
  Warnings warnings_;
  int exit_code_ = 0;
  std::uint64_t seed_ = 1;
  int threads_ = 0;
  bool json_ = false;
  bool quiet_ = false;
  bool verbose_ = false;
  bool finished_ = false;
  std::vector<std::pair<std::string, const std::string*>> outputs_, products_;  // by command
  std::string to_;                                                              // --to; empty: not given
  bool stdout_is_output_ = false, stdin_is_taken_ = false;
};

// Whether a file name means standard input or output.
inline bool is_standard_stream(const std::string& file) { return file == "-"; }

// `input` must not be `output`, unless the user said --overwrite or it is a stream. Throws Error(usage).
void refuse_to_overwrite(const std::string& input, const std::string& output, bool overwrite);

}  // namespace sinew::cli
