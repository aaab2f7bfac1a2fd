#include "files.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include "character_choices.h"

namespace sinew::cli {
namespace {

std::vector<std::byte> read_standard_input(std::uint64_t max_bytes) {
  std::vector<std::byte> bytes;
  std::size_t got = 1;
  while (got > 0) {
    constexpr std::size_t step = 1 << 20;
    const std::size_t before = bytes.size();
    bytes.resize(before + step);
    got = std::fread(bytes.data() + before, 1, step, stdin);
    bytes.resize(before + got);
    if (bytes.size() > max_bytes) {
      throw Error(ErrorCode::too_large,
                  "standard input has more than " + std::to_string(max_bytes) + " bytes, which is the limit");
    }
  }
  if (std::ferror(stdin))
    throw Error(ErrorCode::file_unreadable, std::string("standard input cannot be read: ") + std::strerror(errno));
  return bytes;
}

LoadOptions load_options(const std::string& file) {
  LoadOptions options;
  options.name = name_of_input(file);
  options.isolate = true;
  return options;
}

}  // namespace

std::string name_of_input(const std::string& file) { return is_standard_stream(file) ? "stdin" : file; }

std::vector<std::byte> read_input(const std::string& file, Session& session) {
  if (!is_standard_stream(file)) return read_file_bytes(file);
  if (!session.take_standard_input()) {
    throw Error(ErrorCode::options_conflict, "standard input can be read only once",
                "give the other files by their names");
  }
  return read_standard_input(LoadOptions{}.max_file_bytes);
}

Character load_file(const std::string& file, Session& session) {
  if (is_standard_stream(file)) return load_bytes(read_input(file, session), file);
  return load_character(file, load_options(file));
}

Character load_bytes(std::vector<std::byte> bytes, const std::string& file) {
  return read_character(std::move(bytes), load_options(file));
}

std::optional<FileFormat> output_format(const std::string& output, const Session& session) {
  return is_standard_stream(output) ? session.standard_output_format() : format_of_extension(output);
}

Warnings save_file(const WriteCharacter& write, const std::string& output, const Session& session,
                   const SaveOptions& options) {
  const std::optional<FileFormat> format = output_format(output, session);
  if (!format) {
    throw Error(ErrorCode::output_format_unknown, "'" + output + "' has no known extension",
                "Sinew writes .glb .gltf .vrm .fbx .obj .ply .stl .off .bvh");
  }
  SaveOptions there = options;
  if (!is_standard_stream(output)) {
    there.destination = output;
    there.as_vrm = lower_case(std::filesystem::path(output).extension().string()) == ".vrm";
    const WrittenCharacter written = write(*format, there);
    save_written(written, output);
    return written.warnings;
  }
  there.embed = true;
  there.as_vrm = session.standard_output_is_vrm();
  WrittenCharacter written = write(*format, there);
  for (const WrittenFile& file : written.beside) {
    written.warnings.push_back({"file-not-copied", "the output names '" + file.name + "', which is not in it"});
  }
  write_output(written.bytes, output);
  return written.warnings;
}

Warnings save_file(const Character& character, const std::string& output, const Session& session,
                   const SaveOptions& options) {
  if (!is_standard_stream(output)) return save_character(character, output, options);
  const auto write = [&](FileFormat format, const SaveOptions& there) {
    return write_character(character, format, there);
  };
  return save_file(write, output, session, options);
}

void write_output(std::span<const std::byte> bytes, const std::string& output) {
  if (!is_standard_stream(output)) return write_file_bytes(output, bytes);
  if (std::fwrite(bytes.data(), 1, bytes.size(), stdout) != bytes.size() || std::fflush(stdout) != 0) {
    throw Error(ErrorCode::file_unwritable,
                std::string("standard output could not be written: ") + std::strerror(errno));
  }
}

void write_output(std::string_view text, const std::string& output) {
  write_output(std::as_bytes(std::span(text)), output);
}

}  // namespace sinew::cli
