#include "sinew/base/file_bytes.h"

#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <string>

#include "sinew/error.h"

namespace sinew {
namespace fs = std::filesystem;
namespace {

struct FileCloser {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, FileCloser>;

}  // namespace

std::vector<std::byte> read_file_bytes(const fs::path& path, std::uint64_t max_bytes) {
  const std::string name = "'" + path.string() + "'";
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (!fs::exists(status)) throw bad_input(name + " does not exist");
  if (fs::is_directory(status)) throw bad_input(name + " is a folder, not a file");
  File file(std::fopen(path.c_str(), "rb"));
  if (!file) throw bad_input(name + " cannot be opened: " + std::strerror(errno));
  const std::uint64_t size = fs::file_size(path, error);
  if (error) throw bad_input(name + " is not a regular file");
  if (size > max_bytes) {
    throw bad_input(name + " has " + std::to_string(size) + " bytes; the limit is " + std::to_string(max_bytes),
                    "raise the limit if the file is really that large");
  }
  std::vector<std::byte> bytes(size);
  if (std::fread(bytes.data(), 1, size, file.get()) != size) throw bad_input(name + " could not be read to its end");
  return bytes;
}

void write_file_bytes(const fs::path& path, std::span<const std::span<const std::byte>> pieces) {
  const std::string name = "'" + path.string() + "'";
  const fs::path beside = path.string() + ".part" + std::to_string(getpid());
  File file(std::fopen(beside.c_str(), "wb"));
  if (!file) {
    throw Error(ErrorKind::failed, name + " cannot be written: " + std::strerror(errno),
                "check that the folder exists and may be written to");
  }
  bool good = true;
  for (const std::span<const std::byte> piece : pieces) {
    good = good && std::fwrite(piece.data(), 1, piece.size(), file.get()) == piece.size();
  }
  good = std::fclose(file.release()) == 0 && good;
  std::error_code error;
  if (good) fs::rename(beside, path, error);
  if (!good || error) {
    const std::string reason = error ? error.message() : std::strerror(errno);
    fs::remove(beside, error);
    throw Error(ErrorKind::failed, name + " could not be written: " + reason);
  }
}

void write_file_bytes(const fs::path& path, std::span<const std::byte> bytes) {
  const std::array pieces{bytes};
  write_file_bytes(path, pieces);
}

void write_file_text(const fs::path& path, std::string_view text) {
  write_file_bytes(path, std::as_bytes(std::span(text)));
}

}  // namespace sinew
