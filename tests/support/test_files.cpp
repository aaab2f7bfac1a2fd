#include "tests/support/test_files.h"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <fstream>
#include <sstream>

namespace sinew::test {
namespace fs = std::filesystem;

fs::path data_folder() {
  const char* given = std::getenv("SINEW_DATA");
  const fs::path folder = given ? fs::path(given) : fs::path(SINEW_PROJECT_DIR) / ".." / "shared" / "data";
  return fs::is_directory(folder) ? fs::canonical(folder) : fs::path();
}

std::vector<fs::path> data_files(const std::string& folder, const std::vector<std::string>& extensions) {
  std::vector<fs::path> files;
  const fs::path root = data_folder();
  if (root.empty() || !fs::is_directory(root / folder)) return files;
  for (const fs::directory_entry& entry : fs::directory_iterator(root / folder)) {
    const std::string extension = entry.path().extension().string();
    if (entry.is_regular_file() && std::find(extensions.begin(), extensions.end(), extension) != extensions.end()) {
      files.push_back(entry.path());
    }
  }
  std::sort(files.begin(), files.end());
  return files;
}

TemporaryFolder::TemporaryFolder() {
  static std::atomic<int> counter{0};
  path_ = fs::temp_directory_path() / ("sinew_test_" + std::to_string(getpid()) + "_" + std::to_string(counter++));
  fs::create_directories(path_);
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

std::string read_file(const fs::path& path) {
  std::ifstream stream(path, std::ios::binary);
  std::ostringstream bytes;
  bytes << stream.rdbuf();
  return bytes.str();
}

void write_file(const fs::path& path, const std::string& bytes) {
  std::ofstream stream(path, std::ios::binary);
  stream.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

}  // namespace sinew::test
