#include "save_choices.h"

#include <map>

namespace sinew::cli {
namespace {

std::map<std::string, NameConvention> conventions() {
  std::map<std::string, NameConvention> words;
  for (const std::string& word : name_convention_words()) words[word] = *name_convention(word);
  return words;
}

}  // namespace

void add_save_options(Command& command, SaveOptions& save) {
  command
      .add_choice("--names", save.names, conventions(),
                  "name joints, and turn their axes, as other programs expect them")
      ->default_is("keep");
  command
      .add_reader(
          "--vrm-author", [&save](const std::string& author) { save.vrm.authors.push_back(author); },
          "author that a .vrm output names; repeatable")
      ->repeated();
  command.add_option("--vrm-name", save.vrm.name, "name of the character in a .vrm output")
      ->default_is("the character's");
  command.add_option("--vrm-license", save.vrm.license_url, "address of the licence of a .vrm output")
      ->default_is("VRM Public License 1.0");
}

void add_keep_skeleton(Command& command, SaveOptions& save) {
  command.add_flag("--keep-skeleton", save.keep_old_skeleton,
                   "leave the old skeleton and its motions in a glTF file, beside the new one");
}

}  // namespace sinew::cli
