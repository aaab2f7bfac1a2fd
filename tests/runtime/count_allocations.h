// Counts the allocations of the test program, to prove that real-time code makes none.
#pragma once

namespace sinew::test {

// Calls of operator new so far, by any thread.
long allocation_count();

}  // namespace sinew::test
