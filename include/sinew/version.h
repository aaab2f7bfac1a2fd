/* The version of Sinew: of these headers as macros, of the library that runs as functions. For C and C++ (macros).
 *
 *   if (sinew::version_number() != SINEW_VERSION_NUMBER) …    // built with the headers of another version
 *
 * The build system reads the three numbers here; they are written nowhere else. While MAJOR is 0 a new MINOR may change
 * any interface and a new PATCH none; from 1.0 on only a new MAJOR may. */
#ifndef SINEW_VERSION_H
#define SINEW_VERSION_H

#define SINEW_VERSION_MAJOR 0
#define SINEW_VERSION_MINOR 1
#define SINEW_VERSION_PATCH 0

#define SINEW_VERSION_WRITE_(number) #number
#define SINEW_VERSION_JOIN_(major, minor, patch) \
  SINEW_VERSION_WRITE_(major) "." SINEW_VERSION_WRITE_(minor) "." SINEW_VERSION_WRITE_(patch)

/* "1.2.3", and 10203 for comparisons. */
#define SINEW_VERSION SINEW_VERSION_JOIN_(SINEW_VERSION_MAJOR, SINEW_VERSION_MINOR, SINEW_VERSION_PATCH)
#define SINEW_VERSION_NUMBER (SINEW_VERSION_MAJOR * 10000 + SINEW_VERSION_MINOR * 100 + SINEW_VERSION_PATCH)

#ifdef __cplusplus
#include "sinew/export.h"

namespace sinew {

/* SINEW_VERSION and SINEW_VERSION_NUMBER of the library that is linked or loaded. */
SINEW_API const char* version() noexcept;
SINEW_API int version_number() noexcept;

}  // namespace sinew
#endif

#endif
