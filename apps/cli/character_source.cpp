#include "character_source.h"

#include "files.h"
#include "sinew/bind.h"

namespace sinew::cli {

Character load_with_skeleton(const std::string& file, const std::string& skeleton, Session& session) {
  Character character = load_file(file, session);
  session.warn(character.warnings);
  if (!skeleton.empty()) {
    const Character source = load_file(skeleton, session);
    session.warn(source.warnings);
    Warnings warnings;
    use_skeleton_of(source, character, warnings);
    session.warn(warnings);
  }
  return character;
}

}  // namespace sinew::cli
