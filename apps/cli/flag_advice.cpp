#include "flag_advice.h"

#include <algorithm>

namespace sinew::cli {
namespace {

enum class Manner { instead, besides, if_silent };  // of the library's own advice

struct Row {
  ErrorCode code;
  std::string_view option;  // that the error is about; empty: any or none
  std::string_view flag;    // that the command must have and the user has not set; empty: any command
  Manner manner;
  std::string_view advice;
};

// The first that fits counts.
constexpr Row rows[] = {
    {ErrorCode::skeleton_missing, "skeleton", "--skeleton", Manner::instead, "give one with --skeleton FILE"},
    {ErrorCode::skeleton_missing, "", "", Manner::if_silent, "`sinew rig` gives a mesh a skeleton"},
    {ErrorCode::skeleton_misplaced, "joints", "--joints", Manner::instead,
     "move the skeleton with `sinew fit`, or name the joints that take weights with --joints"},
    {ErrorCode::skeleton_misplaced, "", "", Manner::instead, "move the skeleton with `sinew fit`, or use another one"},
    {ErrorCode::skeletons_differ, "skeleton", "--skeleton", Manner::instead,
     "give the skeleton that the field was made for with --skeleton FILE"},
    {ErrorCode::skeletons_differ, "joint_map", "--map", Manner::instead,
     "write a joint map with --write-map FILE, edit it, and use it with --map FILE"},
    {ErrorCode::weights_missing, "mode", "", Manner::instead, "`sinew bind` computes them; --mode shaded needs none"},
    {ErrorCode::weights_missing, "", "", Manner::instead, "`sinew bind` computes them"},
    {ErrorCode::surface_missing, "method", "", Manner::instead, "use another method, for example --method heat"},
    {ErrorCode::body_not_recognised, "least_confidence", "--facing", Manner::instead,
     "help with --facing, --up or --kind, look at --explain DIR, or accept less with --require confidence=0.3; for "
     "another creature, --generate makes a skeleton"},
    {ErrorCode::body_not_recognised, "networks", "--networks", Manner::besides, "if this is a person, try --networks"},
    {ErrorCode::kinds_differ, "networks", "--networks", Manner::besides, "if this is a person, try --networks"},
    {ErrorCode::joint_unknown, "", "", Manner::if_silent, "`sinew info --verbose FILE` lists the joints"},
    {ErrorCode::motion_missing, "", "--random", Manner::if_silent, "use --rest or --random 1"},
    {ErrorCode::motion_missing, "", "", Manner::if_silent, "`sinew info FILE` lists the motions of a file"},
    {ErrorCode::settings_invalid, "joints", "--joints", Manner::instead,
     "pin a joint that takes weight, or name this one with --joints"},
    {ErrorCode::settings_invalid, "joint_map", "--map", Manner::instead, "--write-map FILE writes one to start from"},
    {ErrorCode::network_invalid, "features", "--features", Manner::instead,
     "name the image network that it was trained with: --features FILE"},
    {ErrorCode::format_unknown, "model", "", Manner::instead, "`sinew train-fit` writes such files"},
    {ErrorCode::format_unknown, "field", "", Manner::instead,
     "`sinew bind --method skincells --field OUT.skincells` writes one"},
    {ErrorCode::file_damaged, "correctives", "", Manner::instead, "`sinew train` makes such files"},
    {ErrorCode::file_not_found, "training_shapes", "", Manner::instead, "`sinew simulate` makes training shapes"},
    {ErrorCode::training_data_invalid, "training_shapes", "", Manner::instead,
     "`sinew simulate` makes training shapes"},
    {ErrorCode::internal, "", "", Manner::if_silent, "this is a defect of Sinew: please report it"},
};

struct WarningRow {
  std::string_view code, flag, advice;
};

constexpr WarningRow warning_rows[] = {
    {"joints-outside-mesh", "", "`sinew fit` moves the skeleton"},
    {"posed-rest-pose", "--rest", "--rest FILE takes it from one"},
};

bool offered(const CommandLine& line, std::string_view flag) {
  return flag.empty() || (line.has_flag(std::string(flag)) && !line.is_given(std::string(flag)));
}

std::string combined(const std::string& own, const Row& row) {
  if (own.empty() || row.manner == Manner::instead) return std::string(row.advice);
  if (row.manner == Manner::besides) return own + "; " + std::string(row.advice);
  return own;
}

// "bind 'hero.glb': " before what does not say itself which file was at work.
std::string context_of(const Error& error, const CommandLine& line) {
  if (error.kind() != ErrorKind::bad_input && error.kind() != ErrorKind::failed) return {};
  const std::vector<std::string> inputs = line.inputs();
  const auto named = [&](const std::string& input) {
    return std::string_view(error.what()).find(input) != std::string::npos;
  };
  if (inputs.empty() || std::any_of(inputs.begin(), inputs.end(), named)) return {};
  return line.command() + " '" + inputs.front() + "': ";
}

}  // namespace

std::string flag_of(const std::string& option) {
  if (option.empty()) return {};
  std::string flag = "--" + (option == "vertex_counts" ? "vertices" : option);
  std::replace(flag.begin(), flag.end(), '_', '-');
  return flag;
}

Error with_flags(const Error& error, const CommandLine& line) {
  std::string advice = error.advice();
  const auto fits = [&](const Row& row) {
    return row.code == error.code() && (row.option.empty() || row.option == error.option()) && offered(line, row.flag);
  };
  const Row* row = std::find_if(std::begin(rows), std::end(rows), fits);
  if (row != std::end(rows)) advice = combined(advice, *row);

  std::string what = context_of(error, line) + error.what();
  const std::string flag = flag_of(error.option());
  const bool named = (what + advice).find(flag) != std::string::npos;
  if (!flag.empty() && !named && line.has_flag(flag)) what += " (" + flag + ")";
  return Error(error.code(), what, advice).about(error.option());
}

Warning with_flags(const Warning& warning, const CommandLine& line) {
  for (const WarningRow& row : warning_rows) {
    if (row.code == warning.code && offered(line, row.flag)) {
      return {warning.code, warning.message + "; " + std::string(row.advice)};
    }
  }
  return warning;
}

}  // namespace sinew::cli
