// Files as a user names them: a path, or "-" for standard input and output.
//
// What goes to standard output is in the format that --to names (GLB unless told otherwise), whole in one file. Session
// sees to it that the command's own report then goes to stderr.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "session.h"
#include "sinew/base/file_bytes.h"
#include "sinew/io.h"

namespace sinew::cli {

// A character, mesh or motion. FBX and COLLADA are read in a process of their own.
Character load_file(const std::string& file, Session& session);
// The same for bytes that were read already.
Character load_bytes(std::vector<std::byte> bytes, const std::string& file);

// All bytes of any other input. Throws Error(usage) for standard input that was read before.
std::vector<std::byte> read_input(const std::string& file, Session& session);

// What messages call an input.
std::string name_of_input(const std::string& file);

// What `parse` makes of an input's bytes; its errors name the file.
template <typename Parse>
auto parse_bytes(std::span<const std::byte> bytes, const std::string& file, Parse parse) {
  try {
    return parse(bytes);
  } catch (const Error& error) {
    throw error.within("reading '" + name_of_input(file) + "'");
  }
}

// Both in one.
template <typename Parse>
auto parse_input(const std::string& file, Session& session, Parse parse) {
  return parse_bytes(read_input(file, session), file, parse);
}

// The format that an output will be in; empty for an extension that says nothing.
std::optional<FileFormat> output_format(const std::string& output, const Session& session);

// Writes a character; returns what the format could not hold.
Warnings save_file(const Character& character, const std::string& output, const Session& session,
                   const SaveOptions& options = {});

// The same for what a writer of its own makes.
using WriteCharacter = std::function<WrittenCharacter(FileFormat format, const SaveOptions& options)>;
Warnings save_file(const WriteCharacter& write, const std::string& output, const Session& session,
                   const SaveOptions& options = {});

// Writes bytes or text as they are.
void write_output(std::span<const std::byte> bytes, const std::string& output);
void write_output(std::string_view text, const std::string& output);

}  // namespace sinew::cli
