// Marks a function to be compiled for newer processors as well, the best version being chosen when the program starts.
//
// For plain loops that the compiler vectorises by itself. On machines other than x86-64 it means nothing. The newer
// version asks for features (AVX2, FMA: x86-64-v3) and not for a processor by name, which would leave out its rivals.
// Only for functions in anonymous namespaces: GCC exports others from shared libraries, hidden or not.
#pragma once

#if defined(__x86_64__) && defined(__GNUC__) && __GNUC__ >= 12 && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__)
#define SINEW_MULTIVERSION __attribute__((target_clones("arch=x86-64-v3", "default")))
#else
#define SINEW_MULTIVERSION
#endif
