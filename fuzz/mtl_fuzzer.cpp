// Feeds the reader of .mtl files arbitrary bytes, which also serve as every picture that they name.
#include "sinew/io.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static constexpr char obj[] = "mtllib a.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nusemtl a\nf 1 2 3\nusemtl b\nf 1 3 2\n";
  const auto given = std::as_bytes(std::span(data, size));
  sinew::LoadOptions options;
  options.format = sinew::FileFormat::obj;
  options.resolve = [&](const std::string&) { return std::vector<std::byte>(given.begin(), given.end()); };
  try {
    const sinew::Character character = sinew::read_character(std::as_bytes(std::span(obj, sizeof obj - 1)), options);
    for (const sinew::FileFormat format : {sinew::FileFormat::obj, sinew::FileFormat::glb, sinew::FileFormat::fbx}) {
      sinew::write_character(character, format);
    }
  } catch (const sinew::Error& error) {
    if (error.kind() != sinew::ErrorKind::bad_input) throw;
  }
  return 0;
}
