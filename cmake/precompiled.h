// What nearly every file includes, parsed once per build (cmake/precompiled.cmake). Files still include what they use:
// -DSINEW_PRECOMPILE=OFF, and the fuzz build, compile without this.
#pragma once

#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>
