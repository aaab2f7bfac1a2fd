// Why a fit was taken or refused: every way in which the mesh was read, as JSON and as a picture.
#pragma once

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <vector>

#include "sinew/character.h"
#include "sinew/fit.h"

namespace sinew {

// An array, the most probable reading first.
nlohmann::json readings_json(std::span<const FitReadingSummary> readings);

// A PNG: the mesh from the front with the bones of each of the first `count` readings, and how probable they are.
std::vector<std::byte> readings_picture(const Character& character, std::span<const FitReadingSummary> readings,
                                        std::size_t count = 6, const Progress& progress = {});

}  // namespace sinew
