// Findings in words.
#pragma once

#include "sinew/check/detectors.h"

namespace sinew {

Finding describe(const CheckedSkin& skin, const Suspicion& suspicion);

}  // namespace sinew
