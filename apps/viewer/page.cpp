#include "apps/viewer/page.h"

#include "sinew/base/file_bytes.h"
#include "sinew/error.h"

namespace sinew::viewer {
namespace {

namespace fs = std::filesystem;

PageFile load(const fs::path& folder, const char* name, const char* path, const char* type) {
  const std::vector<std::byte> bytes = read_file_bytes(folder / name);
  return {path, type, {reinterpret_cast<const char*>(bytes.data()), bytes.size()}};
}

}  // namespace

fs::path page_folder() {
  std::error_code unknown;
  const fs::path program = fs::read_symlink("/proc/self/exe", unknown);
  return program.parent_path().parent_path() / "share" / "sinew" / "page";
}

std::vector<PageFile> load_page(const fs::path& folder) {
  if (!fs::is_regular_file(folder / "index.html")) {
    throw Error(ErrorCode::installation_incomplete,
                "the page is missing: there is no '" + (folder / "index.html").string() + "'",
                "'make page' builds it; that needs node, npm and the network");
  }
  return {load(folder, "index.html", "", "text/html; charset=utf-8"),
          load(folder, "page.js", "page.js", "text/javascript; charset=utf-8"),
          load(folder, "page.css", "page.css", "text/css; charset=utf-8")};
}

}  // namespace sinew::viewer
