#include "sinew/asset/output.h"

#include "sinew/asset/beside_files.h"
#include "sinew/base/file_bytes.h"

namespace sinew {
namespace {

std::vector<std::byte> joined_pieces(const Pieces& pieces) {
  std::size_t size = 0;
  for (const auto piece : pieces) size += piece.size();
  std::vector<std::byte> bytes;
  bytes.reserve(size);
  for (const auto piece : pieces) bytes.insert(bytes.end(), piece.begin(), piece.end());
  return bytes;
}

}  // namespace

WrittenCharacter joined(const Output& output) {
  WrittenCharacter written{joined_pieces(output.pieces), {}, output.warnings};
  for (const OutputFile& file : output.beside) written.beside.push_back({file.name, joined_pieces(file.pieces)});
  return written;
}

void save(const Output& output, const std::filesystem::path& path) {
  for (const OutputFile& file : output.beside) check_beside_name(file.name);
  for (const OutputFile& file : output.beside) {
    const std::filesystem::path to = path.parent_path() / file.name;
    std::error_code shows_when_writing;
    if (to.has_parent_path()) std::filesystem::create_directories(to.parent_path(), shows_when_writing);
    write_file_bytes(to, file.pieces);
  }
  write_file_bytes(path, output.pieces);
}

}  // namespace sinew
