#include "sinew/asset/plain/mtl.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "sinew/asset/beside_files.h"
#include "sinew/asset/plain/text_scanner.h"
#include "sinew/asset/plain/text_writer.h"

namespace sinew {
namespace {

constexpr std::size_t max_materials = 100'000;

// What follows the options of a map statement: "-bm 0.5 -s 1 1 1 bump map.png".
std::string map_name(std::string_view rest) {
  TextScanner scanner(rest);
  std::string_view left = rest;
  while (true) {
    TextScanner ahead(left);
    const std::string_view word = ahead.word();
    if (word.size() < 2 || word[0] != '-') break;
    int values = 1;
    if (word == "-mm") values = 2;
    if (word == "-o" || word == "-s" || word == "-t") values = 3;
    left = ahead.rest();
    for (int i = 0; i < values; ++i) {
      TextScanner value(left);
      double number = 0;
      const bool numeric = word == "-o" || word == "-s" || word == "-t" || word == "-mm" || word == "-bm";
      if (numeric && !value.try_number(number)) break;
      if (!numeric) value.word();
      left = value.rest();
    }
  }
  TextScanner name(left);
  return std::string(name.rest_of_line());
}

class MtlReader {
 public:
  MtlReader(const LoadOptions& options, Character& character) : options_(options), character_(character) {}

  void read(const std::string& library) {
    const std::optional<std::vector<std::byte>> bytes = bytes_of_file(library);
    if (!bytes) return;
    TextScanner scanner(as_text(*bytes));
    while (!scanner.at_end()) {
      const std::string_view keyword = scanner.word();
      if (keyword.empty() || keyword[0] == '#') {
        scanner.next_line();
      } else {
        statement(keyword, scanner.rest_of_line());
      }
    }
  }

  // Per part its material; those that no part names are left out, and so are their pictures.
  void finish() {
    auto source = std::make_shared<LookSource>();
    std::map<std::string, int> placed;
    bool any = false;
    for (const Part& part : character_.parts) {
      const auto found = by_name_.find(part.material);
      int number = -1;
      if (found != by_name_.end()) {
        const auto [entry, is_new] =
            placed.try_emplace(part.material, static_cast<int>(source->materials.materials.size()));
        if (is_new) source->materials.materials.push_back(finished(materials_[found->second], source->materials));
        number = entry->second;
        any = true;
      }
      source->materials.of_part.push_back(number);
    }
    source->vertex_count = character_.mesh.vertex_count();
    if (any) character_.source = std::move(source);
  }

 private:
  struct Entry {
    Material material;
    std::string color_map, glow_map, normal_map;
    bool see_through = false;
  };

  void warn(const std::string& message) {
    if (told_.insert(message).second) character_.warnings.push_back({"material", message});
  }

  std::optional<std::vector<std::byte>> bytes_of_file(const std::string& given) {
    const std::string name = place_beside(given);
    try {
      check_beside_name(name);
      std::optional<std::vector<std::byte>> bytes = options_.resolve(name);
      if (!bytes) warn("'" + name + "' is not there; its materials or pictures are missing");
      return bytes;
    } catch (const Error& error) {
      if (error.kind() == ErrorKind::cancelled) throw;
      warn("'" + name + "' cannot be read: " + error.what());
      return std::nullopt;
    }
  }

  void statement(std::string_view keyword, std::string_view rest) {
    if (keyword == "newmtl") {
      if (materials_.size() >= max_materials) throw Error(ErrorCode::too_large, "a .mtl file has too many materials");
      Entry entry;
      entry.material.name = std::string(rest);
      entry.material.metallic = 0.0f;
      entry.material.roughness = 0.8f;
      by_name_.try_emplace(entry.material.name, materials_.size());
      materials_.push_back(std::move(entry));
      return;
    }
    if (materials_.empty()) return;
    Entry& entry = materials_.back();
    TextScanner numbers(rest);
    double value[3] = {0, 0, 0};
    int count = 0;
    while (count < 3 && numbers.try_number(value[count]) && std::isfinite(value[count])) ++count;
    const auto unit = [&](int i) { return static_cast<float>(std::clamp(value[i], 0.0, 1.0)); };
    if (keyword == "Kd" && count == 3) entry.material.base_color = Vec3f(unit(0), unit(1), unit(2));
    if (keyword == "Ke" && count == 3) entry.material.emissive = Vec3f(unit(0), unit(1), unit(2));
    if (keyword == "d" && count >= 1) entry.material.alpha = unit(0);
    if (keyword == "Tr" && count >= 1) entry.material.alpha = 1.0f - unit(0);
    if (keyword == "Pm" && count >= 1) entry.material.metallic = unit(0);
    if (keyword == "Pr" && count >= 1) entry.material.roughness = unit(0);
    // Blender's scale of shininess.
    if (keyword == "Ns" && count >= 1) {
      entry.material.roughness = static_cast<float>(1.0 - std::sqrt(std::clamp(value[0], 0.0, 1000.0) / 1000.0));
    }
    if (keyword == "map_Kd") entry.color_map = map_name(rest);
    if (keyword == "map_Ke") entry.glow_map = map_name(rest);
    if (keyword == "norm" || keyword == "map_Kn" || keyword == "map_Bump" || keyword == "map_bump" ||
        keyword == "bump") {
      entry.normal_map = map_name(rest);
    }
    if (keyword == "map_d") entry.see_through = true;
  }

  Material finished(const Entry& entry, Materials& into) {
    Material material = entry.material;
    material.base.image = image(entry.color_map, into);
    material.glow.image = image(entry.glow_map, into);
    material.normal.image = image(entry.normal_map, into);
    if (material.base.image >= 0) material.base_color.setOnes();
    if (material.glow.image >= 0) material.emissive.setOnes();
    if (material.alpha < 1.0f || entry.see_through) material.alpha_mode = AlphaMode::blend;
    return material;
  }

  int image(const std::string& name, Materials& into) {
    if (name.empty()) return -1;
    const auto [entry, is_new] = images_.try_emplace(name, -1);
    if (!is_new) return entry->second;
    std::optional<std::vector<std::byte>> bytes = bytes_of_file(name);
    if (!bytes) return -1;
    into.images.push_back({std::filesystem::path(place_beside(name)).stem().string(), std::move(*bytes)});
    return entry->second = static_cast<int>(into.images.size()) - 1;
  }

  const LoadOptions& options_;
  Character& character_;
  std::vector<Entry> materials_;
  std::map<std::string, std::size_t> by_name_;
  std::map<std::string, int> images_;
  std::set<std::string> told_;
};

// Names of files that every system takes.
std::string file_name_of(const std::string& name) {
  std::string result;
  for (const char c : name) {
    const bool plain = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-' ||
                       c == '_' || c == '.' || static_cast<unsigned char>(c) >= 0x80;
    result += plain ? c : '_';
  }
  while (result.starts_with(".")) result.erase(0, 1);
  return result;
}

std::string different(const std::string& wanted, const std::string& ending, std::set<std::string>& taken) {
  std::string name = wanted + ending;
  for (int number = 2; !taken.insert(name).second; ++number) name = wanted + "_" + std::to_string(number) + ending;
  return name;
}

class MtlWriter {
 public:
  MtlWriter(const Materials& looks, const std::string& stem, Output& output)
      : looks_(looks), stem_(stem), output_(output) {}

  void write(const Material& material, const std::string& label) {
    const Vec3f &color = material.base_color, &glow = material.emissive;
    text_ << "\nnewmtl " << label << "\nKd " << color.x() << ' ' << color.y() << ' ' << color.z() << '\n';
    if (!glow.isZero(0.0f)) text_ << "Ke " << glow.x() << ' ' << glow.y() << ' ' << glow.z() << '\n';
    // A picture of metalness and roughness is what gave the factors their meaning, and .mtl cannot hold it.
    const bool lost = material.metal_rough.image >= 0;
    const float roughness = lost ? 0.8f : material.roughness;
    text_ << "Ns " << 1000.0f * (1.0f - roughness) * (1.0f - roughness) << '\n';
    text_ << "Pr " << roughness << "\nPm " << (lost ? 0.0f : material.metallic) << '\n';
    text_ << "d " << material.alpha << "\nillum 2\n";
    map("map_Kd", material.base);
    map("map_Ke", material.glow);
    map("norm", material.normal);
    if (material.alpha_mode != AlphaMode::opaque) map("map_d", material.base);
    lost_textures += lost + (material.occlusion.image >= 0);
  }

  std::string take() { return "# written by sinew\n" + text_.take(); }
  std::size_t lost_textures = 0;

 private:
  void map(const char* keyword, const Texture& texture) {
    if (texture.image < 0) return;
    auto [entry, is_new] = files_.try_emplace(texture.image, "");
    if (is_new) {
      const MaterialImage& image = looks_.images[texture.image];
      const std::string own = file_name_of(image.name);
      // Called after the output, so that it replaces no picture of somebody else.
      entry->second = different(stem_ + "_" + (own.empty() ? std::to_string(texture.image) : own),
                                image_extension(image.bytes), taken_);
      output_.beside.push_back({entry->second, {output_.keep(image.bytes)}});
    }
    text_ << keyword << ' ' << entry->second << '\n';
  }

  const Materials& looks_;
  std::string stem_;
  Output& output_;
  TextWriter text_;
  std::map<int, std::string> files_;  // by image
  std::set<std::string> taken_;
};

}  // namespace

void read_obj_materials(const std::vector<std::string>& libraries, const LoadOptions& options, Character& character) {
  if (!options.resolve || libraries.empty()) return;
  MtlReader reader(options, character);
  for (const std::string& library : libraries) reader.read(library);
  reader.finish();
}

std::string write_obj_materials(const Character& character, const SaveOptions& options, Output& output,
                                std::vector<std::string>& labels) {
  const Materials looks = read_materials(character);
  output.warnings.insert(output.warnings.end(), looks.warnings.begin(), looks.warnings.end());
  const bool any = std::any_of(looks.of_part.begin(), looks.of_part.end(), [](int number) { return number >= 0; });
  if (!any || options.embed) {  // names are all there is to say, or all that one file can hold
    for (const Part& part : character.parts) {
      labels.push_back(part.material.empty() ? "" : line_name(part.material, "material"));
    }
    if (any) {
      output.warnings.push_back(
          {"lost-textures", "materials are in files beside an OBJ file; here is no place for them"});
    }
    return "";
  }
  const std::string stem =
      options.destination.empty() ? "materials" : file_name_of(options.destination.stem().string());
  MtlWriter writer(looks, stem, output);
  std::map<std::pair<int, std::string>, std::string> known;
  std::set<std::string> taken;
  for (std::size_t i = 0; i < character.parts.size(); ++i) {
    const Part& part = character.parts[i];
    const int number = i < looks.of_part.size() ? looks.of_part[i] : -1;
    labels.emplace_back();
    if (number < 0 && part.material.empty()) continue;
    const auto [entry, is_new] = known.try_emplace({number, number < 0 ? part.material : ""}, "");
    if (is_new) {
      Material plain;
      plain.base_color.setConstant(0.8f);
      plain.metallic = 0.0f;
      plain.roughness = 0.8f;
      entry->second = different(line_name(part.material, "material"), "", taken);
      writer.write(number < 0 ? plain : looks.materials[number], entry->second);
    }
    labels.back() = entry->second;
  }
  if (writer.lost_textures > 0) {
    output.warnings.push_back({"lost-textures", ".mtl files cannot hold " + std::to_string(writer.lost_textures) +
                                                    " textures of occlusion, metalness or roughness"});
  }
  const std::string name = stem + ".mtl";
  output.beside.push_back({name, {output.keep(writer.take())}});
  return name;
}

}  // namespace sinew
