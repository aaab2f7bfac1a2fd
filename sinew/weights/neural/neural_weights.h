// Weight method "neural": attention between vertices and joints (Hong et al., "ASMR", 2025, section 3.3).
//
// For comparison and for rigs like those it learned from; the source itself finds geometric weights better when the
// skeleton already fits. The model knows people: on other creatures it gives valid but poor weights, and warns.
#pragma once

#include "sinew/weights/method.h"

namespace sinew {

WeightMethod neural_method();

}  // namespace sinew
