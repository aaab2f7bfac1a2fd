#include "apps/viewer/private_folder.h"

#include <stdlib.h>

#include <string>

#include "sinew/error.h"

namespace sinew::viewer {

namespace fs = std::filesystem;

PrivateFolder::PrivateFolder() {
  std::string pattern = (fs::temp_directory_path() / "sinew-XXXXXX").string();
  if (!mkdtemp(pattern.data())) throw Error(ErrorKind::failed, "no temporary folder can be made");
  path_ = pattern;
}

PrivateFolder::~PrivateFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

}  // namespace sinew::viewer
