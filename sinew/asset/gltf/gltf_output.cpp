#include <algorithm>
#include <array>
#include <set>

#include "sinew/asset/gltf/gltf_build.h"
#include "sinew/base/base64.h"

namespace sinew::gltf {
namespace {

std::size_t total_size(const Pieces& pieces) {
  std::size_t size = 0;
  for (const std::span<const std::byte> piece : pieces) size += piece.size();
  return size;
}

void append_words(std::string& text, std::span<const std::uint32_t> words) {
  text.append(reinterpret_cast<const char*>(words.data()), words.size_bytes());
}

void write_glb(std::string json_text, const Pieces& chunk, Output& output) {
  static constexpr std::array<std::byte, 4> zeros{};
  json_text.append((4 - json_text.size() % 4) % 4, ' ');
  const std::size_t chunk_size = total_size(chunk);
  const std::size_t padding = (4 - chunk_size % 4) % 4;
  const std::uint64_t length = 20 + std::uint64_t{json_text.size()} + (chunk_size > 0 ? 8 + chunk_size + padding : 0);
  if (length > 0xFFFFFFFFull) {
    throw Error(ErrorCode::output_too_large, "a GLB file cannot be larger than 4 GiB", "write .gltf instead");
  }
  std::string head;
  append_words(head, std::array<std::uint32_t, 5>{0x46546C67, 2, static_cast<std::uint32_t>(length),
                                                  static_cast<std::uint32_t>(json_text.size()), 0x4E4F534A});
  head += json_text;
  if (chunk_size > 0) {
    append_words(head, std::array<std::uint32_t, 2>{static_cast<std::uint32_t>(chunk_size + padding), 0x004E4942});
  }
  output.pieces = {output.keep(std::move(head))};
  output.pieces.insert(output.pieces.end(), chunk.begin(), chunk.end());
  if (chunk_size > 0) output.pieces.push_back(std::span(zeros).first(padding));
}

// Names that the document gives to other files, which a new buffer must not take.
std::set<std::string> names_in_use(const Json& json, const std::vector<OutputBuffer>& buffers) {
  std::set<std::string> names;
  for (const OutputBuffer& buffer : buffers) names.insert(buffer.uri);
  for (const Json& image : array_member(json, "images", "the file")) {
    const auto uri = image.find("uri");
    if (uri != image.end() && !uri->get_ref<const std::string&>().starts_with("data:")) names.insert(*uri);
  }
  return names;
}

}  // namespace

void write_document(Json& json, const std::vector<OutputBuffer>& buffers, FileFormat format, const SaveOptions& options,
                    Output& output) {
  const bool binary = format == FileFormat::glb;
  Pieces chunk;
  std::set<std::string> taken = names_in_use(json, buffers);
  const std::string stem = options.destination.empty() ? "buffer" : options.destination.stem().string();
  for (std::size_t i = 0; i < buffers.size(); ++i) {
    Json& object = json["buffers"][i];
    object["byteLength"] = total_size(buffers[i].pieces);
    if (binary && i == 0) {
      object.erase("uri");
      chunk = buffers[i].pieces;
    } else if (buffers[i].kind == BufferKind::data_uri || binary || options.embed) {
      object["uri"] = "data:application/octet-stream;base64," + encode_base64(buffers[i].pieces);
    } else if (!buffers[i].uri.empty()) {
      object["uri"] = buffers[i].uri;
    } else {
      std::string name = stem + (i > 0 ? "_" + std::to_string(i) : "") + ".bin";
      for (std::size_t other = buffers.size(); !taken.insert(name).second; ++other) {
        name = stem + "_" + std::to_string(other) + ".bin";
      }
      object["uri"] = name;
      output.beside.push_back({name, buffers[i].pieces});
    }
  }
  if (binary) {
    write_glb(json.dump(), chunk, output);
  } else {
    output.pieces = {output.keep(json.dump(2) + "\n")};
  }
}

}  // namespace sinew::gltf
