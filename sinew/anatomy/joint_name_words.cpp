#include "sinew/anatomy/joint_name_words.h"

#include <algorithm>
#include <array>

#include "sinew/base/plain_text.h"

namespace sinew {
namespace {

std::vector<std::string> cut(std::string_view name) {
  std::vector<std::string> pieces;
  for (std::size_t i = 0; i < name.size(); ++i) {
    const char c = name[i];
    if (!is_letter(c) && !is_digit(c)) continue;
    const char before = i > 0 ? name[i - 1] : ' ', after = i + 1 < name.size() ? name[i + 1] : ' ';
    const bool starts = pieces.empty() || (!is_letter(before) && !is_digit(before)) ||
                        is_digit(c) != is_digit(before) || (is_upper(c) && !is_upper(before)) ||
                        (is_upper(c) && is_upper(before) && is_letter(after) && !is_upper(after));
    if (starts) pieces.emplace_back();
    pieces.back() += to_lower(c);
  }
  return pieces;
}

struct Translation {
  std::string_view foreign, english;
};

// Letters outside ASCII: words of Japanese (MMD) and Chinese files, longer ones first, and accents.
constexpr Translation foreign_letters[] = {
    {"全ての親", "root"}, {"操作中心", "control"}, {"センター", "root"}, {"グルーブ", "root"},  {"人差指", "index"},
    {"上半身", "torso"},  {"下半身", "hips"},      {"つま先", "toe"},    {"腕捩", "twist"},     {"手捩", "twist"},
    {"手首", "wrist"},    {"足首", "ankle"},       {"足先", "toe"},      {"ひじ", "elbow"},     {"ひざ", "knee"},
    {"親指", "thumb"},    {"人指", "index"},       {"中指", "middle"},   {"薬指", "ring"},      {"小指", "pinky"},
    {"両目", "eye"},      {"大腿", "thigh"},       {"小腿", "shin"},     {"上臂", "upper arm"}, {"前臂", "forearm"},
    {"脚踝", "ankle"},    {"脚趾", "toe"},         {"手掌", "hand"},     {"骨盆", "pelvis"},    {"脊椎", "spine"},
    {"脖子", "neck"},     {"锁骨", "collar"},      {"ＩＫ", "ik"},       {"腰", "waist"},       {"首", "neck"},
    {"頭", "head"},       {"头", "head"},          {"颈", "neck"},       {"胸", "chest"},       {"目", "eye"},
    {"肩", "shoulder"},   {"腕", "upper arm"},     {"肘", "elbow"},      {"膝", "knee"},        {"足", "leg"},
    {"脚", "foot"},       {"髪", "hair"},          {"左", "left"},       {"右", "right"},       {"ß", "ss"},
};
constexpr Translation accents[] = {{"á", "a"}, {"à", "a"}, {"ã", "a"}, {"ä", "a"}, {"é", "e"}, {"è", "e"}, {"ê", "e"},
                                   {"í", "i"}, {"ó", "o"}, {"õ", "o"}, {"ö", "o"}, {"ú", "u"}, {"ü", "u"}, {"ç", "c"}};

// Words of German, French, Spanish, Portuguese and Italian files.
constexpr Translation foreign_words[] = {
    {"becken", "pelvis"},
    {"huefte", "hips"},
    {"hufte", "hips"},
    {"oberschenkel", "thigh"},
    {"unterschenkel", "shin"},
    {"fuss", "foot"},
    {"zeh", "toe"},
    {"zehen", "toe"},
    {"wirbelsaule", "spine"},
    {"rucken", "spine"},
    {"brust", "chest"},
    {"hals", "neck"},
    {"kopf", "head"},
    {"schulter", "shoulder"},
    {"schlusselbein", "collar"},
    {"oberarm", "upper arm"},
    {"unterarm", "forearm"},
    {"daumen", "thumb"},
    {"bassin", "pelvis"},
    {"cuisse", "thigh"},
    {"mollet", "shin"},
    {"pied", "foot"},
    {"orteil", "toe"},
    {"colonne", "spine"},
    {"cou", "neck"},
    {"tete", "head"},
    {"clavicule", "collar"},
    {"avantbras", "forearm"},
    {"bras", "upper arm"},
    {"doigt", "finger"},
    {"cadera", "hips"},
    {"muslo", "thigh"},
    {"pantorrilla", "shin"},
    {"pie", "foot"},
    {"columna", "spine"},
    {"pecho", "chest"},
    {"cuello", "neck"},
    {"cabeza", "head"},
    {"hombro", "shoulder"},
    {"clavicula", "collar"},
    {"antebrazo", "forearm"},
    {"brazo", "upper arm"},
    {"mano", "hand"},
    {"dedo", "finger"},
    {"quadril", "hips"},
    {"canela", "shin"},
    {"cabeca", "head"},
    {"pescoco", "neck"},
    {"ombro", "shoulder"},
    {"antebraco", "forearm"},
    {"braco", "upper arm"},
    {"mao", "hand"},
    {"bacino", "pelvis"},
    {"coscia", "thigh"},
    {"polpaccio", "shin"},
    {"piede", "foot"},
    {"collo", "neck"},
    {"testa", "head"},
    {"spalla", "shoulder"},
    {"avambraccio", "forearm"},
    {"braccio", "upper arm"},
    {"links", "left"},
    {"rechts", "right"},
    {"gauche", "left"},
    {"droit", "right"},
    {"droite", "right"},
    {"izquierda", "left"},
    {"izquierdo", "left"},
    {"izq", "left"},
    {"derecha", "right"},
    {"derecho", "right"},
    {"esquerda", "left"},
    {"esquerdo", "left"},
    {"direita", "right"},
    {"direito", "right"},
    {"sinistra", "left"},
    {"sinistro", "left"},
    {"destra", "right"},
    {"destro", "right"},
};

std::string in_ascii(std::string_view name) {
  std::string text(name);
  if (std::all_of(name.begin(), name.end(), [](char c) { return static_cast<unsigned char>(c) < 0x80; })) return text;
  const auto replace = [&](std::string_view from, const std::string& to) {
    for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) {
      text.replace(at, from.size(), to);
    }
  };
  for (const Translation& word : foreign_letters) {
    replace(word.foreign, word.foreign == "ß" ? std::string(word.english) : ' ' + std::string(word.english) + ' ');
  }
  for (const Translation& accent : accents) replace(accent.foreign, std::string(accent.english));
  return text;
}

// Xsens names segments of the spine by their vertebrae, which look like a left side and a number.
std::string_view without_vertebra(std::string_view name) {
  const bool vertebra = name == "L5" || name == "L3" || name == "T12" || name == "T8";
  return vertebra ? std::string_view("spine") : name;
}

// The pieces of a name, with the words of other languages in English.
std::vector<std::string> english_pieces(std::string_view name) {
  std::vector<std::string> result;
  for (std::string& piece : cut(in_ascii(without_vertebra(name)))) {
    const auto* const found = std::find_if(std::begin(foreign_words), std::end(foreign_words),
                                           [&](const Translation& word) { return word.foreign == piece; });
    if (found == std::end(foreign_words)) {
      result.push_back(std::move(piece));
    } else {
      for (std::string& word : cut(found->english)) result.push_back(std::move(word));
    }
  }
  return result;
}

template <std::size_t count>
bool is_one_of(const std::string& word, const std::array<std::string_view, count>& list) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

// What exporters and rigging tools put around the names that matter.
constexpr std::array<std::string_view, 19> noise = {"mixamorig", "def",   "org", "bip",  "bone",     "joint", "jnt",
                                                    "skeleton",  "sk",    "b",   "j",    "p",        "c",     "m",
                                                    "valve",     "biped", "jt",  "xtra", "character"};

// Body parts that are written in one word with a single letter for the side: "lhand", "rfoot".
constexpr std::array<std::string_view, 18> parts_after_letter = {
    "hand", "foot", "arm",   "leg",   "thigh", "shin", "calf",   "knee",     "elbow",
    "toe",  "eye",  "thumb", "wrist", "ankle", "ear",  "collar", "shoulder", "fingers"};

BodySide side_of_word(std::string& word) {
  if (word == "l" || word == "left" || word == "lft" || word == "lf") return word.clear(), BodySide::left;
  if (word == "r" || word == "right" || word == "rgt" || word == "rt") return word.clear(), BodySide::right;
  if (word.size() > 4 && word.starts_with("left")) return word.erase(0, 4), BodySide::left;
  if (word.size() > 5 && word.starts_with("right")) return word.erase(0, 5), BodySide::right;
  if (word.size() > 1 && (word[0] == 'l' || word[0] == 'r') && is_one_of(word.substr(1), parts_after_letter)) {
    const BodySide side = word[0] == 'l' ? BodySide::left : BodySide::right;
    return word.erase(0, 1), side;
  }
  return BodySide::centre;
}

}  // namespace

bool NameWords::has(std::string_view word) const { return std::find(words.begin(), words.end(), word) != words.end(); }

NameWords split_name(std::string_view name) {
  const std::size_t prefix = name.find_last_of(":|");
  if (prefix != std::string_view::npos && prefix + 1 < name.size()) name.remove_prefix(prefix + 1);
  NameWords result;
  bool after_noise = false;
  for (std::string& piece : english_pieces(name)) {
    if (is_digit(piece[0])) {
      if (!after_noise) result.numbers.push_back(piece);  // not the 01 of "Bip01"
      continue;
    }
    const BodySide side = side_of_word(piece);
    if (side != BodySide::centre) result.side = side;
    after_noise = !piece.empty() && is_one_of(piece, noise) && piece != "joint";
    if (piece.empty() || is_one_of(piece, noise)) continue;
    result.words.push_back(piece);
    result.joined += piece;
  }
  return result;
}

}  // namespace sinew
