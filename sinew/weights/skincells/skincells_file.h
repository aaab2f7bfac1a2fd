// SkinCells fields as small files: .skincells, described in docs/formats/skincells.md.
//
// Under 0.3 KB per joint: 16-bit numbers, no relaxation. An optimised field is rounded to what the file holds before
// anyone evaluates it, so a field gives the same weights before it is written and after it is read.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "sinew/skeleton.h"
#include "sinew/weights/skincells/skincells_field.h"

namespace sinew {

// Every parameter as the file stores it; relaxation 0.
void round_field(SkinCellField& field);

std::vector<std::byte> write_field(const SkinCellField& field);
// From a .skincells file, or from a GLB or glTF that was saved with a field inside. Throws Error(bad_input) for bytes
// that are neither, are of a newer version, are cut off or damaged.
SkinCellField read_field(std::span<const std::byte> bytes);
// Whether the bytes begin like a .skincells file.
bool is_field(std::span<const std::byte> bytes);

void save_field(const SkinCellField& field, const std::filesystem::path& path);
SkinCellField load_field(const std::filesystem::path& path);

// The field as text for the extras of a glTF file, under this key.
constexpr const char* field_extra = "sinew_skincells";
std::string field_to_text(const SkinCellField& field);
SkinCellField field_from_text(const std::string& text);

// The field for another skeleton: joints are found by name. Throws Error(bad_input) that names a joint not found.
SkinCellField match_field(SkinCellField field, const Skeleton& skeleton);

}  // namespace sinew
