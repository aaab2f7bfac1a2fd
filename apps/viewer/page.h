// The page itself: what Vite makes of web/, carried inside the program.
#pragma once

#include <string_view>
#include <vector>

namespace sinew::viewer {

struct PageFile {
  std::string_view path;  // as in the address, behind the token
  std::string_view type;
  std::string_view bytes;
};

// Empty in a build without the page (-DSINEW_PAGE=OFF).
const std::vector<PageFile>& page_files();

}  // namespace sinew::viewer
