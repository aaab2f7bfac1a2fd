#include "sinew/runtime/status.h"

namespace sinew {

const char* runtime_status_text(RuntimeStatus status) noexcept {
  switch (status) {
    case RuntimeStatus::ok:
      return "done";
    case RuntimeStatus::missing_argument:
      return "a required pointer is null";
    case RuntimeStatus::not_correctives:
      return "the file does not hold correctives";
    case RuntimeStatus::unknown_version:
      return "the file has a version that this library does not know";
    case RuntimeStatus::damaged_file:
      return "the file is damaged";
    case RuntimeStatus::misaligned_memory:
      return "the memory does not begin at a multiple of 64 bytes";
    case RuntimeStatus::workspace_too_small:
      return "the workspace is too small";
    case RuntimeStatus::workspace_not_prepared:
      return "the workspace was not prepared for these correctives";
    case RuntimeStatus::not_opened:
      return "the correctives were not opened";
    case RuntimeStatus::no_such_level:
      return "the level does not exist";
    case RuntimeStatus::no_such_range:
      return "the range reaches beyond the end";
    case RuntimeStatus::input_too_short:
      return "an input is too short";
    case RuntimeStatus::output_too_short:
      return "an output is too short";
    case RuntimeStatus::not_evaluated:
      return "the level was not evaluated";
    case RuntimeStatus::bad_influences:
      return "the number of influences is out of range";
    case RuntimeStatus::bad_stride:
      return "a stride is smaller than the vectors it steps over";
    case RuntimeStatus::no_method:
      return "the job has neither matrices nor dual quaternions";
    case RuntimeStatus::two_methods:
      return "the job mixes matrices and dual quaternions";
    case RuntimeStatus::unpaired_vectors:
      return "normals or tangents have an input without an output, or the reverse";
    case RuntimeStatus::joint_out_of_range:
      return "a vertex names a joint that does not exist";
    case RuntimeStatus::bad_weights:
      return "a weight is negative, not finite, or larger than the first of its vertex";
  }
  return "unknown status";
}

}  // namespace sinew
