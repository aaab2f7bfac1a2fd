#include "command.h"

#include <CLI/CLI.hpp>
#include <cstdint>
#include <optional>

namespace sinew::cli {

Option* Option::required() {
  parsed_->required();
  return this;
}

Option* Option::show_default() {
  parsed_->capture_default_str();
  return this;
}

Option* Option::in_range(int low, int high) {
  parsed_->check(CLI::Range(low, high));
  return this;
}

Option* Option::in_range(double low, double high) {
  parsed_->check(CLI::Range(low, high));
  return this;
}

Option* Option::positive() {
  parsed_->check(CLI::PositiveNumber);
  return this;
}

Option* Option::non_negative() {
  parsed_->check(CLI::NonNegativeNumber);
  return this;
}

Option* Option::one_of(const std::vector<std::string>& words) {
  parsed_->check(CLI::IsMember(words));
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
  return keep(parsed_->add_option(names, value, help));
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
  return keep(parsed_->add_option_function<std::string>(names, std::move(take), help));
}

Option* Command::add_named_choice(const std::string& names, std::function<void(const std::string&)> take,
                                  const std::vector<std::string>& words, const std::string& help) {
  CLI::Option* option = parsed_->add_option_function<std::string>(names, std::move(take), help);
  option->transform(CLI::IsMember(words, CLI::ignore_case));
  return keep(option);
}

std::string Command::name() const { return parsed_->get_name(); }

void Command::when_chosen(std::function<void()> action) { parsed_->callback(std::move(action)); }

Option* Command::keep(CLI::Option* option) { return &options_.emplace_back(option); }

CommandLine::CommandLine(const std::string& program, const std::string& description, const std::string& version)
    : parser_(std::make_unique<CLI::App>(description, program)) {
  parser_->require_subcommand(1);
  parser_->set_version_flag("--version", version);
  parser_->failure_message(CLI::FailureMessage::simple);
}

CommandLine::~CommandLine() = default;

Command* CommandLine::add_command(const std::string& name, const std::string& description) {
  return &commands_.emplace_back(parser_->add_subcommand(name, description));
}

CommandLine::Outcome CommandLine::parse(int argc, const char* const* argv) {
  try {
    parser_->parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return parser_->exit(error) == 0 ? Outcome::answered : Outcome::wrong;
  }
  return Outcome::chosen;
}

}  // namespace sinew::cli
