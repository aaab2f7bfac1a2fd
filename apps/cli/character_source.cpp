#include "character_source.h"

#include "sinew/bind.h"
#include "sinew/io.h"

namespace sinew::cli {

Character load_with_skeleton(const std::string& file, const std::string& skeleton, Session& session) {
  Character character = load_character(file);
  session.warn(character.warnings);
  if (!skeleton.empty()) {
    const Character source = load_character(skeleton);
    session.warn(source.warnings);
    Warnings warnings;
    use_skeleton_of(source, character, warnings);
    session.warn(warnings);
  }
  return character;
}

}  // namespace sinew::cli
