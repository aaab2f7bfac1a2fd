// Compressed glTF files as if they were not: KHR_draco_mesh_compression and EXT_meshopt_compression.
//
// Everything behind this sees plain accessors. All bufferViews are put into one new buffer, decompressed where they
// were compressed; the extensions are gone from the JSON. The file as it was stays in Document::packed, so that an
// unchanged file is written back byte by byte; a changed one is written uncompressed.
#pragma once

#include "sinew/asset/gltf/gltf_document.h"

namespace sinew::gltf {

// Whether this buffer object only stands for what decompression gives (EXT_meshopt_compression, "fallback").
bool is_fallback(const Json& buffer);

// Does nothing to files that are not compressed. Throws Error(bad_input).
void unpack(Document& document);

}  // namespace sinew::gltf
