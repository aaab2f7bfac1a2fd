#include "sinew/version.h"

namespace sinew {

const char* version() noexcept { return SINEW_VERSION; }

int version_number() noexcept { return SINEW_VERSION_NUMBER; }

}  // namespace sinew
