// What a writer makes: bytes in pieces, most of which still lie where the character or its source has them, so that
// saving a large mesh does not copy it first.
#pragma once

#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "sinew/io.h"

namespace sinew {

using Pieces = std::vector<std::span<const std::byte>>;

struct OutputFile {
  std::string name;  // relative to the main file
  Pieces pieces;
};

// Valid as long as the character it was made from.
struct Output {
  Pieces pieces;  // of the file itself
  std::vector<OutputFile> beside;
  Warnings warnings;
  std::vector<std::shared_ptr<const void>> owners;  // of pieces that are not the character's

  // The bytes of a string or vector, which is kept.
  template <typename Data>
  std::span<const std::byte> keep(Data data) {
    const auto owner = std::make_shared<const Data>(std::move(data));
    owners.push_back(owner);
    return std::as_bytes(std::span(*owner));
  }
};

WrittenCharacter joined(const Output& output);

// Files beside first, each complete or not at all. Throws Error(failed), and Error(bad_input) for the name of a file
// beside that leads out of the folder.
void save(const Output& output, const std::filesystem::path& path);

}  // namespace sinew
