#include "sinew/base/file_bytes.h"

#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <string>
#include <system_error>

namespace sinew {
namespace fs = std::filesystem;
namespace {

struct FileCloser {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, FileCloser>;

Error write_failure(const std::string& name, const std::error_code& reason) {
  const std::string what = name + " cannot be written: " + reason.message();
  const bool full = reason == std::errc::no_space_on_device || reason.value() == EDQUOT;
  if (full) return Error(ErrorCode::disk_full, what, "free some space, or write to another disk");
  return Error(ErrorCode::file_unwritable, what, "check that the folder exists and may be written to");
}

std::error_code last_problem() { return {errno != 0 ? errno : EIO, std::generic_category()}; }

}  // namespace

std::string_view as_text(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::vector<std::byte> read_file_bytes(const fs::path& path, std::uint64_t max_bytes) {
  const std::string name = "'" + path.string() + "'";
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (!fs::exists(status)) throw Error(ErrorCode::file_not_found, name + " does not exist");
  if (fs::is_directory(status)) throw Error(ErrorCode::file_unreadable, name + " is a folder, not a file");
  File file(std::fopen(path.c_str(), "rb"));
  if (!file) throw Error(ErrorCode::file_unreadable, name + " cannot be opened: " + std::strerror(errno));
  const std::uint64_t size = fs::file_size(path, error);
  if (error) throw Error(ErrorCode::file_unreadable, name + " is not a regular file");
  if (size > max_bytes) {
    throw Error(ErrorCode::too_large,
                name + " has " + std::to_string(size) + " bytes; the limit is " + std::to_string(max_bytes),
                "raise the limit if the file is really that large");
  }
  std::vector<std::byte> bytes(size);
  if (std::fread(bytes.data(), 1, size, file.get()) != size) {
    throw Error(ErrorCode::file_unreadable, name + " could not be read to its end");
  }
  return bytes;
}

void write_file_bytes(const fs::path& path, std::span<const std::span<const std::byte>> pieces) {
  const std::string name = "'" + path.string() + "'";
  const fs::path beside = path.string() + ".part" + std::to_string(getpid());
  File file(std::fopen(beside.c_str(), "wb"));
  if (!file) throw write_failure(name, last_problem());
  bool good = true;
  for (const std::span<const std::byte> piece : pieces) {
    good = good && std::fwrite(piece.data(), 1, piece.size(), file.get()) == piece.size();
  }
  good = std::fclose(file.release()) == 0 && good;
  std::error_code problem = good ? std::error_code() : last_problem();
  if (good) fs::rename(beside, path, problem);
  if (problem) {
    std::error_code ignored;
    fs::remove(beside, ignored);
    throw write_failure(name, problem);
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
