// Paths that tests use: real data that may be absent, and a folder to write in.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace sinew::test {

// The data folder beside the project (../shared/data, or $SINEW_DATA),
// or an empty path where it is absent. Tests that need it:
//   if (data_folder().empty()) GTEST_SKIP() << "no data folder beside the project";
std::filesystem::path data_folder();

// Regular files of a sub-folder of the data folder with one of these extensions (".glb"), sorted by name.
std::vector<std::filesystem::path> data_files(const std::string& folder, const std::vector<std::string>& extensions);

// A fresh, empty folder for this test, removed when the object goes away.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  std::filesystem::path operator/(const std::string& name) const { return path_ / name; }
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

std::string read_file(const std::filesystem::path& path);
void write_file(const std::filesystem::path& path, const std::string& bytes);

}  // namespace sinew::test
