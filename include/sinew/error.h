// The one exception type of the library, the one vocabulary of error codes, and warnings for what was repaired or
// ignored.
//
// Bad input is an Error, never a crash and never a silently worse answer. An Error says what was being done, to which
// file or joint, what is wrong, and what to try. Programs decide by its code; the text is for people and may change. A
// Warning travels inside the result it belongs to.
//
// The text names things as the library does ("max_influences must be 1 … 16, got 40"). A program that calls them
// otherwise (a flag, a field of a page, an argument in Python) adds its own name, for which option() says what is
// meant. docs/errors.md lists all codes with what usually helps.
#pragma once

#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/export.h"

namespace sinew {

// Decides the exit code of the command-line program (see exit_code).
enum class ErrorKind {
  failed,     // the work itself failed (disk full, no convergence)
  usage,      // the caller asked for something that does not exist or does not fit together
  bad_input,  // a file or an argument is unreadable, invalid or impossible
  gate,       // a quality gate the user asked for was not met
  cancelled,  // the caller asked to stop
};

// What a caller can act on, not one code per message. Names and numbers are for ever: a code may be added at the end of
// its group, none is renamed, renumbered or used again. The hundreds are the kind (see kind_of); 0 is free for "no
// error" in interfaces that need it.
enum class ErrorCode : int {
  // failed
  internal = 100,                 // a defect of this library; worth a report
  out_of_memory = 101,            // the work needs more memory than there is
  no_convergence = 102,           // a system of equations could not be solved
  file_unwritable = 103,          // an output file or folder cannot be made or written to
  disk_full = 104,                // an output file found no room
  output_too_large = 105,         // the output is larger than its format can be
  installation_incomplete = 106,  // a part of this installation (page, networks, program) is not where it should be
  process_failed = 107,           // a program that was asked to help failed
  system_refused = 108,           // the system gave no process, port, folder or random numbers

  // usage
  argument_invalid = 200,       // arguments of a call do not fit each other; a mistake in the calling program
  command_unknown = 201,        // there is no such command or request
  option_unknown = 202,         // there is no such option
  option_missing = 203,         // something must be given and was not
  option_invalid = 204,         // the value of an option cannot be read as what it must be
  option_out_of_range = 205,    // the value of an option is too small or too large
  options_conflict = 206,       // options exclude each other
  choice_unknown = 207,         // a name stands for none of the things there are (mode, view, part, measure, level)
  method_unknown = 208,         // there is no such weight method
  joint_unknown = 209,          // the skeleton has no such joint
  motion_unknown = 210,         // the character has no such motion
  frame_unknown = 211,          // the motion has no such frame or moment
  output_format_unknown = 212,  // the name of the output does not say a format
  output_format_unfit = 213,    // the output's format cannot hold what should be written
  would_overwrite = 214,        // the output is the input or something the input needs
  not_now = 215,                // the request does not fit the present state (nothing open, other work under way)

  // bad_input
  file_not_found = 300,
  file_unreadable = 301,     // it is there but cannot be opened: a folder, a device, permissions
  path_refused = 302,        // a file refers to another one outside its own folder
  file_empty = 303,          // no bytes, or neither a mesh nor a skeleton
  file_damaged = 304,        // cut off, contradictory, or against the rules of its format
  format_unknown = 305,      // in none of the formats that can be read
  format_unsupported = 306,  // a known format in a version or with an extension that is not understood
  too_large = 307,           // beyond a limit; limits are options where they can be raised
  reader_failed = 308,       // the reader of this format crashed on it, took too long or ran out of memory
  mesh_missing = 310,
  mesh_invalid = 311,     // indices that are not there, arrays of other lengths, positions that are not finite
  mesh_degenerate = 312,  // no extent, no inside, flat, or not manifold where it must be
  surface_missing = 313,  // points without triangles where a surface is needed
  skeleton_missing = 320,
  skeleton_invalid = 321,         // cycles, transforms without inverse, arrays of other lengths
  skeleton_not_understood = 322,  // arms, legs or a spine cannot be recognised in it
  skeleton_misplaced = 323,       // it stands outside the mesh or has another size
  skeletons_differ = 324,         // two skeletons that should share joints do not
  weights_missing = 330,
  weights_invalid = 331,        // for other vertices or joints, negative, not finite, or not summing to one
  motion_missing = 340,         // no motion or pose to work with
  motion_invalid = 341,         // a motion or pose that does not fit its skeleton, or is not finite
  body_not_recognised = 350,    // no body with arms and legs was found in the mesh
  kinds_differ = 351,           // the mesh is one kind of body (person, animal), the skeleton another
  characters_differ = 352,      // made for another character: training shapes, correctives, ground truth
  settings_invalid = 360,       // a joint map, joint limits, pins or softness that are not as their format says
  field_invalid = 361,          // a SkinCells field with values that cannot be
  network_invalid = 362,        // a network with other inputs or outputs than needed
  training_data_invalid = 363,  // training shapes or characters that cannot be learned from, or too few of them

  // gate
  gate_not_met = 400,

  // cancelled
  cancelled = 500,
};

// "file-not-found": the enumerator with hyphens. Empty for a number that is not a code.
SINEW_API std::string_view code_name(ErrorCode code) noexcept;
// The other way, for programs that were handed a name.
SINEW_API std::optional<ErrorCode> find_error_code(std::string_view name) noexcept;
// Every code there is, by number.
SINEW_API std::vector<ErrorCode> all_error_codes();

SINEW_API ErrorKind kind_of(ErrorCode code) noexcept;
// "failed", "usage", "bad_input", "gate", "cancelled".
SINEW_API std::string_view kind_name(ErrorKind kind) noexcept;
// 0 is success; failed 1, usage 2, bad_input 3, gate 4, cancelled 130.
SINEW_API int exit_code(ErrorKind kind) noexcept;

class SINEW_API Error : public std::runtime_error {
 public:
  // `what`: one sentence without a full stop, naming the file, joint or option. `advice`: what to try; may be empty.
  Error(ErrorCode code, const std::string& what, const std::string& advice = {});

  ErrorCode code() const noexcept { return code_; }
  ErrorKind kind() const noexcept { return kind_of(code_); }
  const std::string& advice() const noexcept { return advice_; }
  // The option that would change it, spelled as in the options structs ("max_influences"); empty where there is none.
  const std::string& option() const noexcept { return option_; }

  // The same error with `context` (usually "reading 'file.glb'") put before the message.
  Error within(std::string_view context) const;
  // The same error, about that option.
  Error about(std::string_view option) const;

 private:
  ErrorCode code_;
  std::string advice_;
  std::string option_;
};

struct Warning {
  std::string code;     // stable, machine-readable, kebab-case: "isolated-vertices"
  std::string message;  // one sentence for a person: what was found, how many, what was done about it
};

using Warnings = std::vector<Warning>;

}  // namespace sinew
