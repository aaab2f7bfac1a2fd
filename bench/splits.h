// Which files of the training pool may train and which only measure, what studio they are of, and what they show.
//
// The pool is not part of the project. Kinds were read off pictures and skeletons; who is not named is a person.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <initializer_list>
#include <map>
#include <string>
#include <vector>

namespace sinew::bench {

enum class Split { train, people_test, creatures_test };

inline bool is_one_of(const std::string& name, std::initializer_list<const char*> beginnings) {
  return std::any_of(beginnings.begin(), beginnings.end(), [&](const char* b) { return name.starts_with(b); });
}

inline bool is_exactly(const std::string& name, std::initializer_list<const char*> names) {
  return std::any_of(names.begin(), names.end(), [&](const char* n) { return name == n; });
}

// `file`: below the folder of its studio.
inline Split split_of(const std::filesystem::path& file) {
  const std::string studio = file.parent_path().filename().string(), name = file.stem().string();
  const auto number_at = [&](std::size_t at) { return name.size() > at ? std::atoi(name.c_str() + at) : 0; };
  if (studio == "avatars100" && number_at(11) % 5 == 2) return Split::people_test;
  if (studio == "quaternius_glb") {
    if (is_one_of(name, {"modular_women_", "mech_pack_"})) return Split::people_test;
    if (is_one_of(name, {"fish_pack_", "dinosaurs_pack_Velociraptor", "dinosaurs_pack_Triceratops",
                         "easy_enemies_pack_Frog", "easy_enemies_pack_Snake"})) {
      return Split::creatures_test;
    }
  }
  if (studio == "quaternius_fbx") {
    if (is_exactly(name, {"Animated_Human", "Animated_Woman", "Cowboy", "Goblin", "Zombie", "Skeleton", "Alien",
                          "Alien_Helmet"})) {
      return Split::people_test;
    }
    if (is_exactly(name, {"Dragon", "Eagle", "Bat", "Piranha"})) return Split::creatures_test;
  }
  if (studio == "pm_creatures" && (number_at(0) % 3 == 1 || name == "Butterfly" || name == "Owl")) {
    return Split::creatures_test;
  }
  if (studio == "rocketbox" && name.starts_with("animal_Bird_")) return Split::creatures_test;
  return Split::train;
}

// "quaternius" for both of its folders.
inline std::string studio_of(const std::filesystem::path& file) {
  const std::string studio = file.parent_path().filename().string();
  return studio.starts_with("quaternius") ? "quaternius" : studio;
}

// What a file of the pool shows: "person", "four legs", "bird", "fish", "snake", "many legs", "two legs and tail",
// "winged four-legged", "not a creature"; "two legs" for what walks without arms. Bodies whose skeleton has two arms and
// two legs and neither wings nor a tail are people, however they look.
inline std::string kind_of(const std::string& studio, const std::string& name) {
  static const std::map<std::string, std::vector<std::string>> creatures = {
      {"four legs",
       {"009_", "010_", "012_", "013_", "014_", "019_", "024_", "027_", "029_", "035_", "038_", "042_", "043_", "048_",
        "056_", "057_", "060_", "DeerArmature", "PigArmature"}},
      {"winged four-legged", {"018_", "021_", "028_"}},
      {"bird", {"005_", "026_", "047_", "Owl"}},
      {"fish", {"011_", "045_", "055_"}},
      {"snake", {"025_", "031_", "034_"}},
      {"many legs", {"002_", "006_", "023_", "030_", "036_", "052_", "054_", "Butterfly"}},
      {"two legs and tail", {"016_", "020_", "041_", "044_", "059_"}},
      {"not a creature", {"007_", "051_", "GhostArmature", "040_"}}};
  static const std::map<std::string, std::vector<std::string>> quaternius = {
      {"four legs",
       {"Cat", "Cow", "Dog", "Horse", "Llama", "Pig", "Pug", "Red_Fox", "Sheep", "Wolf", "Zebra", "animals_pack_",
        "dinosaurs_pack_Apatosaurus", "dinosaurs_pack_Stegosaurus", "dinosaurs_pack_Triceratops",
        "easy_enemies_pack_Rat", "easy_enemies_pack_Frog"}},
      {"winged four-legged", {"Dragon"}},
      {"bird", {"Bat", "Eagle"}},
      {"fish", {"Fish", "Piranha", "fish_pack_"}},
      {"snake", {"easy_enemies_pack_Snake"}},
      {"two legs", {"cyberpunk_pack_Enemy_2Legs", "cyberpunk_pack_Enemy_Large", "mech_pack_Leela"}},
      {"two legs and tail", {"dinosaurs_pack_Parasaurolophus", "dinosaurs_pack_Velociraptor"}},
      {"not a creature",
       {"Slime", "platformer_game_pack_Enemy", "platformer_game_pack_Skull", "cyberpunk_pack_Enemy_Flying"}}};
  if (studio == "made") return name.substr(0, name.find_first_of("0123456789"));  // bench/random_creatures.h
  if (studio == "things") return "not a creature";
  if (studio == "builtin") return name.starts_with("quadruped") ? "four legs" : "person";
  if (name == "Cowboy") return "person";
  if (studio == "rocketbox" && name.starts_with("animal_")) {
    return name.starts_with("animal_Bird_") ? "bird" : "four legs";
  }
  if (studio == "pm_creatures" || studio == "quaternius") {
    for (const auto& [kind, beginnings] : studio == "quaternius" ? quaternius : creatures) {
      const auto fits = [&](const std::string& beginning) { return name.starts_with(beginning); };
      if (std::any_of(beginnings.begin(), beginnings.end(), fits)) return kind;
    }
  }
  return "person";
}

// Files that may share geometry belong to one family: all of Rocketbox, twins, one character in several files.
inline std::string family_of(const std::string& studio, const std::string& name) {
  if (studio == "rocketbox" || name.starts_with("modular_")) return studio + " people";
  if (studio == "quaternius")
    return name.starts_with("Smooth_") ? name.substr(7) : name.substr(0, name.find("_HumanoidRig"));
  if (studio == "pm_creatures") return name.substr(std::min(name.size(), name.find_first_not_of("0123456789_")));
  return studio == "avatars100" ? name.substr(0, 14) : name;
}

}  // namespace sinew::bench
