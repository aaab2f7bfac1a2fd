// Bytes as text that data URIs can hold (RFC 4648, section 4, with padding).
#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace sinew {

// Of all pieces as if they were one.
std::string encode_base64(std::span<const std::span<const std::byte>> pieces);

}  // namespace sinew
