// The runtime's status as C sees it. Internal.
#pragma once

#include "sinew/runtime/runtime_c.h"
#include "sinew/runtime/status.h"

namespace sinew {

constexpr sinew_runtime_status status_for_c(RuntimeStatus status) noexcept {
  return static_cast<sinew_runtime_status>(status);
}

static_assert(status_for_c(RuntimeStatus::ok) == SINEW_RUNTIME_OK);
static_assert(status_for_c(RuntimeStatus::missing_argument) == SINEW_RUNTIME_MISSING_ARGUMENT);
static_assert(status_for_c(RuntimeStatus::not_correctives) == SINEW_RUNTIME_NOT_CORRECTIVES);
static_assert(status_for_c(RuntimeStatus::unknown_version) == SINEW_RUNTIME_UNKNOWN_VERSION);
static_assert(status_for_c(RuntimeStatus::damaged_file) == SINEW_RUNTIME_DAMAGED_FILE);
static_assert(status_for_c(RuntimeStatus::misaligned_memory) == SINEW_RUNTIME_MISALIGNED_MEMORY);
static_assert(status_for_c(RuntimeStatus::workspace_too_small) == SINEW_RUNTIME_WORKSPACE_TOO_SMALL);
static_assert(status_for_c(RuntimeStatus::workspace_not_prepared) == SINEW_RUNTIME_WORKSPACE_NOT_PREPARED);
static_assert(status_for_c(RuntimeStatus::not_opened) == SINEW_RUNTIME_NOT_OPENED);
static_assert(status_for_c(RuntimeStatus::no_such_level) == SINEW_RUNTIME_NO_SUCH_LEVEL);
static_assert(status_for_c(RuntimeStatus::no_such_range) == SINEW_RUNTIME_NO_SUCH_RANGE);
static_assert(status_for_c(RuntimeStatus::input_too_short) == SINEW_RUNTIME_INPUT_TOO_SHORT);
static_assert(status_for_c(RuntimeStatus::output_too_short) == SINEW_RUNTIME_OUTPUT_TOO_SHORT);
static_assert(status_for_c(RuntimeStatus::not_evaluated) == SINEW_RUNTIME_NOT_EVALUATED);
static_assert(status_for_c(RuntimeStatus::bad_influences) == SINEW_RUNTIME_BAD_INFLUENCES);
static_assert(status_for_c(RuntimeStatus::bad_stride) == SINEW_RUNTIME_BAD_STRIDE);
static_assert(status_for_c(RuntimeStatus::no_method) == SINEW_RUNTIME_NO_METHOD);
static_assert(status_for_c(RuntimeStatus::two_methods) == SINEW_RUNTIME_TWO_METHODS);
static_assert(status_for_c(RuntimeStatus::unpaired_vectors) == SINEW_RUNTIME_UNPAIRED_VECTORS);
static_assert(status_for_c(RuntimeStatus::joint_out_of_range) == SINEW_RUNTIME_JOINT_OUT_OF_RANGE);
static_assert(status_for_c(RuntimeStatus::bad_weights) == SINEW_RUNTIME_BAD_WEIGHTS);

}  // namespace sinew
