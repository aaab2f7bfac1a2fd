// Marks a function to be compiled for newer processors as well, the best version being chosen when the program starts.
//
// For plain loops that the compiler vectorises by itself. On machines other than x86-64 it means nothing.
#pragma once

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__)
#define SINEW_MULTIVERSION __attribute__((target_clones("arch=haswell", "default")))
#else
#define SINEW_MULTIVERSION
#endif
