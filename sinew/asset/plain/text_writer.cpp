#include "sinew/asset/plain/text_writer.h"

namespace sinew {

std::string line_name(std::string_view name, std::string_view when_empty) {
  std::string result(name.empty() ? when_empty : name);
  for (char& c : result) {
    if (static_cast<unsigned char>(c) < ' ') c = '_';
  }
  return result;
}

}  // namespace sinew
