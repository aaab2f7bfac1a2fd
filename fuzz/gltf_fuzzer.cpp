// Feeds the glTF reader arbitrary bytes: a GLB or .gltf and, behind the mark "\n--beside--\n", the bytes of whatever file
// it names. What can be read must also be writable, and what was written readable.
#include <algorithm>
#include <cstdlib>
#include <string_view>

#include "sinew/io.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace sinew;
  constexpr std::string_view mark = "\n--beside--\n";
  const std::string_view all(reinterpret_cast<const char*>(data), size);
  const std::size_t end = std::min(all.find(mark), all.size());
  const std::string_view beside = all.substr(std::min(end + mark.size(), all.size()));
  LoadOptions options;
  options.max_elements = 100'000;
  options.format = FileFormat::glb;
  options.resolve = [&](const std::string& name) -> std::optional<std::vector<std::byte>> {
    if (name.empty() || name.front() == '/' || name.find("..") == 0) std::abort();  // never to be asked for
    const auto bytes = std::as_bytes(std::span(beside));
    return std::vector(bytes.begin(), bytes.end());
  };
  Character character;
  try {
    character = read_character(std::as_bytes(std::span(data, end)), options);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::bad_input) throw;
    return 0;
  }
  character.source.reset();
  WrittenCharacter written = write_character(character, FileFormat::glb);
  read_character(std::move(written.bytes));
  return 0;
}
