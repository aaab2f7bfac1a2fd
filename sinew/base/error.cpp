#include "sinew/error.h"

namespace sinew {

namespace {

struct CodeName {
  ErrorCode code;
  std::string_view name;
};

// By number.
constexpr CodeName code_names[] = {
    {ErrorCode::internal, "internal"},
    {ErrorCode::out_of_memory, "out-of-memory"},
    {ErrorCode::no_convergence, "no-convergence"},
    {ErrorCode::file_unwritable, "file-unwritable"},
    {ErrorCode::disk_full, "disk-full"},
    {ErrorCode::output_too_large, "output-too-large"},
    {ErrorCode::installation_incomplete, "installation-incomplete"},
    {ErrorCode::process_failed, "process-failed"},
    {ErrorCode::system_refused, "system-refused"},
    {ErrorCode::argument_invalid, "argument-invalid"},
    {ErrorCode::command_unknown, "command-unknown"},
    {ErrorCode::option_unknown, "option-unknown"},
    {ErrorCode::option_missing, "option-missing"},
    {ErrorCode::option_invalid, "option-invalid"},
    {ErrorCode::option_out_of_range, "option-out-of-range"},
    {ErrorCode::options_conflict, "options-conflict"},
    {ErrorCode::choice_unknown, "choice-unknown"},
    {ErrorCode::method_unknown, "method-unknown"},
    {ErrorCode::joint_unknown, "joint-unknown"},
    {ErrorCode::motion_unknown, "motion-unknown"},
    {ErrorCode::frame_unknown, "frame-unknown"},
    {ErrorCode::output_format_unknown, "output-format-unknown"},
    {ErrorCode::output_format_unfit, "output-format-unfit"},
    {ErrorCode::would_overwrite, "would-overwrite"},
    {ErrorCode::not_now, "not-now"},
    {ErrorCode::file_not_found, "file-not-found"},
    {ErrorCode::file_unreadable, "file-unreadable"},
    {ErrorCode::path_refused, "path-refused"},
    {ErrorCode::file_empty, "file-empty"},
    {ErrorCode::file_damaged, "file-damaged"},
    {ErrorCode::format_unknown, "format-unknown"},
    {ErrorCode::format_unsupported, "format-unsupported"},
    {ErrorCode::too_large, "too-large"},
    {ErrorCode::reader_failed, "reader-failed"},
    {ErrorCode::mesh_missing, "mesh-missing"},
    {ErrorCode::mesh_invalid, "mesh-invalid"},
    {ErrorCode::mesh_degenerate, "mesh-degenerate"},
    {ErrorCode::surface_missing, "surface-missing"},
    {ErrorCode::skeleton_missing, "skeleton-missing"},
    {ErrorCode::skeleton_invalid, "skeleton-invalid"},
    {ErrorCode::skeleton_not_understood, "skeleton-not-understood"},
    {ErrorCode::skeleton_misplaced, "skeleton-misplaced"},
    {ErrorCode::skeletons_differ, "skeletons-differ"},
    {ErrorCode::weights_missing, "weights-missing"},
    {ErrorCode::weights_invalid, "weights-invalid"},
    {ErrorCode::motion_missing, "motion-missing"},
    {ErrorCode::motion_invalid, "motion-invalid"},
    {ErrorCode::body_not_recognised, "body-not-recognised"},
    {ErrorCode::kinds_differ, "kinds-differ"},
    {ErrorCode::characters_differ, "characters-differ"},
    {ErrorCode::settings_invalid, "settings-invalid"},
    {ErrorCode::field_invalid, "field-invalid"},
    {ErrorCode::network_invalid, "network-invalid"},
    {ErrorCode::training_data_invalid, "training-data-invalid"},
    {ErrorCode::gate_not_met, "gate-not-met"},
    {ErrorCode::cancelled, "cancelled"},
};

}  // namespace

std::string_view code_name(ErrorCode code) noexcept {
  for (const CodeName& row : code_names) {
    if (row.code == code) return row.name;
  }
  return {};
}

std::optional<ErrorCode> find_error_code(std::string_view name) noexcept {
  for (const CodeName& row : code_names) {
    if (row.name == name) return row.code;
  }
  return std::nullopt;
}

std::vector<ErrorCode> all_error_codes() {
  std::vector<ErrorCode> codes;
  for (const CodeName& row : code_names) codes.push_back(row.code);
  return codes;
}

ErrorKind kind_of(ErrorCode code) noexcept {
  switch (static_cast<int>(code) / 100) {
    case 2:
      return ErrorKind::usage;
    case 3:
      return ErrorKind::bad_input;
    case 4:
      return ErrorKind::gate;
    case 5:
      return ErrorKind::cancelled;
    default:
      return ErrorKind::failed;
  }
}

std::string_view kind_name(ErrorKind kind) noexcept {
  switch (kind) {
    case ErrorKind::failed:
      return "failed";
    case ErrorKind::usage:
      return "usage";
    case ErrorKind::bad_input:
      return "bad_input";
    case ErrorKind::gate:
      return "gate";
    case ErrorKind::cancelled:
      return "cancelled";
  }
  return "failed";
}

int exit_code(ErrorKind kind) noexcept {
  switch (kind) {
    case ErrorKind::failed:
      return 1;
    case ErrorKind::usage:
      return 2;
    case ErrorKind::bad_input:
      return 3;
    case ErrorKind::gate:
      return 4;
    case ErrorKind::cancelled:
      return 130;  // as of a program that Ctrl-C ended: 128 + SIGINT
  }
  return 1;
}

Error::Error(ErrorCode code, const std::string& what, const std::string& advice)
    : std::runtime_error(what), code_(code), advice_(advice) {}

Error Error::within(std::string_view context) const {
  return Error(code_, std::string(context) + ": " + what(), advice_).about(option_);
}

Error Error::about(std::string_view option) const {
  Error result = *this;
  result.option_ = option;
  return result;
}

}  // namespace sinew
