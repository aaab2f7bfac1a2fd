#include "command.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <type_traits>

#include "help_formatter.h"
#include "sinew/base/closest_name.h"

namespace sinew::cli {
namespace {

// One of `words` in any case, which becomes as it is in the list. CLI11's own IsMember does not guess what was meant.
CLI::Validator choice_of(const std::vector<std::string>& words, const std::string& flag) {
  const auto check = [words, flag](std::string& typed) -> std::string {
    for (const std::string& word : words) {
      if (CLI::detail::to_lower(word) != CLI::detail::to_lower(typed)) continue;
      typed = word;
      return {};
    }
    throw Error(ErrorCode::choice_unknown, "'" + typed + "' is not a choice of " + flag, choices_for(typed, words));
  };
  return CLI::Validator(check, "");
}

// What is not a number gets a message of its own, before any limit is looked at.
template <typename Number>
CLI::Validator number_for(const std::string& flag) {
  const char* kind = std::is_unsigned_v<Number>   ? "a whole number, 0 or more"
                     : std::is_integral_v<Number> ? "a whole number"
                                                  : "a number";
  const auto check = [flag, kind](const std::string& typed) -> std::string {
    Number number{};
    const bool wraps = std::is_unsigned_v<Number> && typed.starts_with('-');  // CLI11 would take -1 for a huge number
    if (!wraps && CLI::detail::lexical_cast(typed, number)) return {};
    throw Error(ErrorCode::option_invalid, flag + " must be " + kind + ", got '" + typed + "'");
  };
  return CLI::Validator(check, "");
}

template <typename Value>
struct NumberIn {
  using Type = Value;
};
template <typename Value>
struct NumberIn<std::optional<Value>> {
  using Type = Value;
};
template <typename Value>
struct NumberIn<std::vector<Value>> {
  using Type = Value;
};

ErrorCode code_of(const CLI::ParseError& error) {
  switch (static_cast<CLI::ExitCodes>(error.get_exit_code())) {
    case CLI::ExitCodes::RequiredError:
    case CLI::ExitCodes::RequiresError:
    case CLI::ExitCodes::ArgumentMismatch:
      return ErrorCode::option_missing;
    case CLI::ExitCodes::ExcludesError:
      return ErrorCode::options_conflict;
    case CLI::ExitCodes::ValidationError:
      return ErrorCode::option_out_of_range;
    default:
      return ErrorCode::option_invalid;
  }
}

std::vector<std::string> flags_of(const CLI::App& command) {
  std::vector<std::string> flags;
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& name : option->get_lnames()) flags.push_back("--" + name);
  }
  return flags;
}

std::vector<std::string> subcommand_names(const CLI::App& parser) {
  std::vector<std::string> names;
  for (const CLI::App* command : parser.get_subcommands({})) names.push_back(command->get_name());
  return names;
}

// `words` say what `holds` asks for: "1 … 16", "above 0". CLI11's own limits say neither flag nor range in plain words.
void add_limit(CLI::Option* option, std::function<bool(double)> holds, const std::string& words) {
  const auto check = [flag = option->get_name(), holds = std::move(holds), words](const std::string& typed) {
    double number = 0;
    if (CLI::detail::lexical_cast(typed, number) && holds(number)) return std::string();
    throw Error(ErrorCode::option_out_of_range, flag + " must be " + words + ", got " + typed);
  };
  option->check(CLI::Validator(check, ""));
}

// Most limits are part of the help line, too.
void add_told_limit(CLI::Option* option, std::function<bool(double)> holds, const std::string& words) {
  add_limit(option, std::move(holds), words);
  option->description(option->get_description() + "; " + words);
}

template <typename Number>
std::string range_text(Number low, Number high) {
  return CLI::detail::to_string(low) + " … " + CLI::detail::to_string(high);
}

}  // namespace

Option* Option::required() {
  parsed_->required();
  return this;
}

Option* Option::show_default() {
  parsed_->capture_default_str();
  return this;
}

Option* Option::default_is(const std::string& words) {
  parsed_->default_str(words);
  return this;
}

Option* Option::in_range(int low, int high) {
  add_told_limit(
      parsed_, [=](double number) { return number >= low && number <= high; }, range_text(low, high));
  return this;
}

Option* Option::in_range(double low, double high) {
  add_told_limit(
      parsed_, [=](double number) { return number >= low && number <= high; }, range_text(low, high));
  return this;
}

Option* Option::positive() {
  add_told_limit(
      parsed_, [](double number) { return number > 0; }, "above 0");
  return this;
}

Option* Option::non_negative() {
  add_limit(
      parsed_, [](double number) { return number >= 0; }, "0 or more");
  return this;
}

Option* Option::one_of(const std::vector<std::string>& words) {
  parsed_->check(choice_of(words, parsed_->get_name()));
  return suggest(words);
}

Option* Option::suggest(std::vector<std::string> words) {
  (*choices_)[parsed_] = std::move(words);
  return this;
}

Option* Option::delimiter(char between) {
  parsed_->delimiter(between);
  return this;
}

Option* Option::expected(int count) {
  parsed_->expected(count);
  return this;
}

Option* Option::one_word() {
  parsed_->allow_extra_args(false);
  return this;
}

Option* Option::excludes(const Option* other) {
  parsed_->excludes(other->parsed_);
  return this;
}

Option* Option::needs(const Option* other) {
  parsed_->needs(other->parsed_);
  return this;
}

Option* Option::group(const std::string& heading) {
  parsed_->group(heading);
  return this;
}

template <typename Value>
Option* Command::add_option(const std::string& names, Value& value, const std::string& help) {
  CLI::Option* option = parsed_->add_option(names, value, help);
  using Number = typename NumberIn<Value>::Type;
  if constexpr (std::is_arithmetic_v<Number>) option->check(number_for<Number>(option->get_name()));
  return keep(option);
}

#define SINEW_OPTION_OF(Value) \
  template Option* Command::add_option<Value>(const std::string&, Value&, const std::string&)
SINEW_OPTION_OF(int);
SINEW_OPTION_OF(double);
SINEW_OPTION_OF(std::uint64_t);
SINEW_OPTION_OF(std::string);
SINEW_OPTION_OF(std::optional<int>);
SINEW_OPTION_OF(std::optional<double>);
SINEW_OPTION_OF(std::vector<double>);
SINEW_OPTION_OF(std::vector<std::size_t>);
SINEW_OPTION_OF(std::vector<std::string>);
#undef SINEW_OPTION_OF

Option* Command::add_flag(const std::string& names, bool& value, const std::string& help) {
  return keep(parsed_->add_flag(names, value, help));
}

Option* Command::add_reader(const std::string& names, std::function<void(const std::string&)> take,
                            const std::string& help) {
  return keep(parsed_->add_option_function<std::string>(names, take, help));
}

Option* Command::add_named_choice(const std::string& names, std::function<void(const std::string&)> take,
                                  const std::vector<std::string>& words, const std::string& help) {
  CLI::Option* option = parsed_->add_option_function<std::string>(names, take, help);
  option->transform(choice_of(words, option->get_name()));
  return keep(option)->suggest(words);
}

void Command::when_chosen(std::function<void()> action) { parsed_->callback(std::move(action)); }

Option* Command::keep(CLI::Option* option) { return &options_.emplace_back(option, choices_); }

CommandLine::CommandLine(const std::string& program, const std::string& description, const std::string& version)
    : parser_(std::make_unique<CLI::App>(description, program)), version_(version) {
  parser_->require_subcommand(1);
  parser_->set_help_flag("-h,--help", "print this help and exit");
  parser_->set_version_flag("--version", version, "print the version and exit");
  parser_->failure_message(CLI::FailureMessage::simple);
  parser_->formatter(make_help_formatter());
}

CommandLine::~CommandLine() = default;

Command* CommandLine::add_command(const std::string& name, const std::string& description) {
  const std::size_t space = name.find(' ');
  CLI::App* parent = space == std::string::npos ? parser_.get() : parser_->get_subcommand(name.substr(0, space));
  return &commands_.emplace_back(parent->add_subcommand(name.substr(space + 1), description), name, &choices_);
}

void CommandLine::add_group(const std::string& name, const std::string& description) {
  parser_->add_subcommand(name, description)->require_subcommand(1);
}

std::vector<std::string> CommandLine::command_names() const { return subcommand_names(*parser_); }

ProgramTable CommandLine::table() const { return {entry_of(*parser_, parser_->get_name(), choices_), version_}; }

CommandLine::Outcome CommandLine::parse(int argc, const char* const* argv) {
  words_.assign(argv + 1, argv + argc);
  try {
    parser_->parse(argc, argv);
  } catch (const CLI::Success& asked) {
    parser_->exit(asked);
    return Outcome::answered;
  } catch (const CLI::ParseError& error) {
    // A mistyped word is the cause where one is there; what is missing then is only its consequence.
    if (const std::optional<Error> unknown = unknown_word()) throw *unknown;
    throw Error(code_of(error), error.what(), "`sinew " + command() + " --help` lists the options");
  } catch (const Error&) {
    if (const std::optional<Error> unknown = unknown_word()) throw *unknown;
    throw;
  }
  return Outcome::chosen;
}

const CLI::App* CommandLine::chosen() const {
  const CLI::App* found = parser_.get();
  for (const std::string& word : words_) {
    const CLI::App* next = nullptr;
    for (const CLI::App* command : found->get_subcommands({})) {
      if (command->get_name() == word) next = command;
    }
    if (!next) break;
    found = next;
  }
  return found == parser_.get() ? nullptr : found;
}

std::string CommandLine::command() const {
  std::string name;
  for (const CLI::App* part = chosen(); part && part != parser_.get(); part = part->get_parent()) {
    name = part->get_name() + (name.empty() ? "" : " ") + name;
  }
  return name;
}

bool CommandLine::has_word(const std::string& word) const {
  return std::find(words_.begin(), words_.end(), word) != words_.end();
}

bool CommandLine::has_flag(const std::string& flag) const {
  return chosen() && chosen()->get_option_no_throw(flag) != nullptr;
}

bool CommandLine::is_given(const std::string& flag) const {
  return has_flag(flag) && chosen()->get_option_no_throw(flag)->count() > 0;
}

std::vector<std::string> CommandLine::inputs() const {
  std::vector<std::string> words;
  if (!chosen()) return words;
  for (const CLI::Option* option : chosen()->get_options()) {
    if (!option->get_positional()) continue;
    words.insert(words.end(), option->results().begin(), option->results().end());
  }
  return words;
}

std::optional<Error> CommandLine::unknown_word() const {
  const CLI::App* within = chosen() ? chosen() : parser_.get();
  if (!within->get_subcommands({}).empty()) {  // no command yet, or a group alone
    const std::size_t place = chosen() ? 1 : 0;
    const std::string program = chosen() ? "sinew " + command() : "sinew", help = "`" + program + " --help` lists them";
    if (words_.size() <= place) return Error(ErrorCode::option_missing, "no command was given", help);
    const std::string guess = did_you_mean(words_[place], subcommand_names(*within));
    return Error(ErrorCode::command_unknown,
                 "'" + words_[place] + "' is not a command" + (chosen() ? " of " + program : ""),
                 guess.empty() ? help : guess);
  }
  for (const std::string& word : chosen()->remaining()) {
    const std::string help = "`sinew " + command() + " --help` lists the options";
    if (word.size() < 2 || word[0] != '-') {
      return Error(ErrorCode::option_unknown, "'" + word + "' is one word too many for sinew " + command(), help);
    }
    const std::string flag = word.substr(0, word.find('='));
    const std::string guess = did_you_mean(flag, flags_of(*chosen()));
    return Error(ErrorCode::option_unknown, "sinew " + command() + " has no option " + flag,
                 guess.empty() ? help : guess);
  }
  return std::nullopt;
}

}  // namespace sinew::cli
