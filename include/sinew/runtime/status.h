// What a call of the runtime did: everything it was asked for (ok), or nothing, and why.
//
// The runtime throws nothing and prints nothing, so every call that can refuse its input returns one of these. The
// numbers are those of sinew_runtime_status in runtime_c.h and never change their meaning.
#pragma once

#include "sinew/export.h"

namespace sinew {

enum class [[nodiscard]] RuntimeStatus : int{
    ok = 0,
    missing_argument = -1,  // a pointer that is needed is null

    // Files and memory of correctives.
    not_correctives = -10,         // the bytes are not a .sinewc file
    unknown_version = -11,         // a .sinewc file of a version that this library does not know
    damaged_file = -12,            // truncated, or a number in it is impossible
    misaligned_memory = -13,       // file or workspace do not begin at a multiple of 64 bytes
    workspace_too_small = -14,     // fewer bytes than workspace_bytes()
    workspace_not_prepared = -15,  // prepare_workspace was not called, or for another file

    // Calls.
    not_opened = -20,        // the set of correctives was never opened
    no_such_level = -21,     // levels go from 0 to level_count() - 1
    no_such_range = -22,     // a range of vertices, networks or chunks reaches beyond their number
    input_too_short = -23,   // an input has fewer entries than the mesh or the skeleton needs
    output_too_short = -24,  // an output has no room for the result
    not_evaluated = -25,     // this level was not evaluated since the workspace was prepared or reused

    // Skinning jobs.
    bad_influences = -30,      // influences are outside 1…max_skinning_influences
    bad_stride = -31,          // a stride is smaller than the vectors it steps over
    no_method = -32,           // neither matrices nor dual quaternions are given
    two_methods = -33,         // matrices and dual quaternions are given, or stretches beside matrices
    unpaired_vectors = -34,    // normals or tangents have an input and no output, or the reverse
    joint_out_of_range = -35,  // a vertex names a joint that the palette does not have
    bad_weights = -36,         // a weight is negative or not finite, or larger than the first of its vertex
};

// One line of plain text: "the file is damaged".
SINEW_API const char* runtime_status_text(RuntimeStatus status) noexcept;

}  // namespace sinew
