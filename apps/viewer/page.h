// The page itself: three files that Vite makes of web/, which lie beside the program in share/sinew/page.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace sinew::viewer {

struct PageFile {
  std::string path;  // as in the address, behind the token
  std::string type;
  std::string bytes;
};

// Where the running program looks for its page: ../share/sinew/page, in a build folder as where it is installed.
std::filesystem::path page_folder();

// Throws Error(failed) that says how to build the page when it is not there.
std::vector<PageFile> load_page(const std::filesystem::path& folder);

}  // namespace sinew::viewer
