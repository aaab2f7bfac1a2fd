#include "sinew/weights/method.h"

#include <algorithm>
#include <charconv>

#include "sinew/base/closest_name.h"
#include "sinew/weights/atlas/atlas.h"
#include "sinew/weights/auto/auto_weights.h"
#include "sinew/weights/biharmonic/biharmonic.h"
#include "sinew/weights/heat/heat.h"
#include "sinew/weights/proximity/proximity.h"
#include "sinew/weights/skincells/skincells.h"

namespace sinew {
namespace {

constexpr std::string_view retired_method = "neural";  // scripts may still ask for it

void check_value(const MethodInfo& method, const MethodOption& option, const OptionValue& value) {
  const std::string what = "option '" + option.name + "' of method '" + method.name + "'";
  if (value.index() != option.default_value.index()) {
    throw Error(ErrorCode::option_invalid, what + " has another type").about(option.name);
  }
  const auto check_range = [&](double number) {
    if (number >= option.minimum && number <= option.maximum) return;
    throw Error(ErrorCode::option_out_of_range, what + " must be " + format_option(option.minimum) + " … " +
                                                    format_option(option.maximum) + ", got " + format_option(value))
        .about(option.name);
  };
  if (const int* number = std::get_if<int>(&value)) check_range(*number);
  if (const double* number = std::get_if<double>(&value)) check_range(*number);
  if (const std::string* text = std::get_if<std::string>(&value)) {
    if (!option.choices.empty() &&
        std::find(option.choices.begin(), option.choices.end(), *text) == option.choices.end()) {
      throw Error(ErrorCode::choice_unknown, what + " cannot be '" + *text + "'", choices_for(*text, option.choices))
          .about(option.name);
    }
  }
}

}  // namespace

bool MethodInfo::takes(MethodInput input) const {
  return std::find(inputs.begin(), inputs.end(), input) != inputs.end();
}

const std::vector<WeightMethod>& weight_methods() {
  static const std::vector<WeightMethod> methods = {auto_method(),  proximity_method(),  heat_method(),
                                                    atlas_method(), biharmonic_method(), skincells_method()};
  return methods;
}

std::vector<MethodInfo> weight_method_list() { return {weight_methods().begin(), weight_methods().end()}; }

MethodInfo weight_method_info(std::string_view name) { return find_weight_method(name); }

const WeightMethod& find_weight_method(std::string_view name) {
  std::vector<std::string> names;
  for (const WeightMethod& method : weight_methods()) {
    if (method.name == name) return method;
    names.push_back(method.name);
  }
  if (name == retired_method) {
    throw Error(ErrorCode::method_unknown, "the weight method '" + std::string(name) + "' was retired",
                "use auto, which learned from more characters and is closer to artists")
        .about("method");
  }
  throw Error(ErrorCode::method_unknown, "'" + std::string(name) + "' is not a weight method", choices_for(name, names))
      .about("method");
}

OptionValues checked_options(const MethodInfo& method, const OptionValues& given) {
  OptionValues values;
  for (const MethodOption& option : method.options) values[option.name] = option.default_value;
  for (const auto& [name, value] : given) {
    const auto option = std::find_if(method.options.begin(), method.options.end(),
                                     [&, &wanted = name](const MethodOption& o) { return o.name == wanted; });
    if (option == method.options.end()) {
      std::vector<std::string> names;
      for (const MethodOption& known : method.options) names.push_back(known.name);
      throw Error(ErrorCode::option_unknown, "method '" + method.name + "' has no option '" + name + "'",
                  names.empty() ? "it has none" : choices_for(name, names))
          .about(name);
    }
    check_value(method, *option, value);
    values[name] = value;
  }
  return values;
}

OptionValue parse_option(const MethodOption& option, const std::string& text) {
  const auto refuse = [&](const char* wanted) {
    return Error(ErrorCode::option_invalid, "option '" + option.name + "' needs " + wanted + ", not '" + text + "'")
        .about(option.name);
  };
  const char *begin = text.data(), *end = begin + text.size();
  if (std::holds_alternative<bool>(option.default_value)) {
    if (text == "true" || text == "on" || text == "1") return true;
    if (text == "false" || text == "off" || text == "0") return false;
    throw refuse("true or false");
  }
  if (std::holds_alternative<int>(option.default_value)) {
    int number = 0;
    if (const auto [stop, error] = std::from_chars(begin, end, number); error != std::errc() || stop != end) {
      throw refuse("a whole number");
    }
    return number;
  }
  if (std::holds_alternative<double>(option.default_value)) {
    double number = 0;
    if (const auto [stop, error] = std::from_chars(begin, end, number); error != std::errc() || stop != end) {
      throw refuse("a number");
    }
    return number;
  }
  return text;
}

std::string format_option(const OptionValue& value) {
  if (const bool* flag = std::get_if<bool>(&value)) return *flag ? "true" : "false";
  if (const int* number = std::get_if<int>(&value)) return std::to_string(*number);
  if (const double* number = std::get_if<double>(&value)) {
    char buffer[32];
    const auto [end, error] = std::to_chars(buffer, buffer + sizeof buffer, *number);
    return error == std::errc() ? std::string(buffer, end) : std::string();
  }
  return std::get<std::string>(value);
}

}  // namespace sinew
