// A folder that only this user can look into, gone with the object.
#pragma once

#include <filesystem>

namespace sinew::viewer {

class PrivateFolder {
 public:
  PrivateFolder();  // throws Error(failed)
  ~PrivateFolder();
  PrivateFolder(const PrivateFolder&) = delete;
  PrivateFolder& operator=(const PrivateFolder&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace sinew::viewer
