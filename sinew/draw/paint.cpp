#include "sinew/draw/paint.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include "sinew/asset/materials.h"
#include "sinew/base/sandboxed_process.h"
#include "sinew/draw/image.h"

namespace sinew {
namespace {

constexpr float room_for_light = 0.65f;  // colours of files are a little darkened, so that light has room above them

// Images in files are as hostile as the files: decoded in a process of their own.
Image decode_texture(const std::vector<std::byte>& bytes, Warnings& warnings) {
  Image image;
  try {
    const std::string pixels = run_sandboxed("the image reader", [&] {
      const Image decoded = decode_image(bytes);
      std::string result(reinterpret_cast<const char*>(&decoded.width), sizeof(int));
      result.append(reinterpret_cast<const char*>(decoded.pixels.data()), decoded.pixels.size() * sizeof(Pixel));
      return result;
    });
    int width = 0;
    std::memcpy(&width, pixels.data(), sizeof(int));
    image = Image(width, static_cast<int>((pixels.size() - sizeof(int)) / sizeof(Pixel) / width));
    std::memcpy(image.pixels.data(), pixels.data() + sizeof(int), image.pixels.size() * sizeof(Pixel));
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::cancelled) throw;
    warnings.push_back({"texture", std::string("a texture is left out: ") + error.what()});
    return {};
  }
  return image;
}

Color pixel_color(const Image& image, int x, int y) {
  const Pixel& p =
      image.at((x % image.width + image.width) % image.width, (y % image.height + image.height) % image.height);
  return color_from_hex(static_cast<std::uint32_t>(p[0]) << 16 | static_cast<std::uint32_t>(p[1]) << 8 | p[2]);
}

// Bilinear, repeating; (0, 0) is the top left corner.
Color sample_texture(const Image& image, float u, float v) {
  if (!std::isfinite(u) || !std::isfinite(v)) return Color::Ones();
  const float x = (u - std::floor(u)) * static_cast<float>(image.width) - 0.5f;
  const float y = (v - std::floor(v)) * static_cast<float>(image.height) - 0.5f;
  const int left = static_cast<int>(std::floor(x)), top = static_cast<int>(std::floor(y));
  const float right_share = x - static_cast<float>(left), low_share = y - static_cast<float>(top);
  const Color above =
      (1 - right_share) * pixel_color(image, left, top) + right_share * pixel_color(image, left + 1, top);
  const Color below =
      (1 - right_share) * pixel_color(image, left, top + 1) + right_share * pixel_color(image, left + 1, top + 1);
  return (1 - low_share) * above + low_share * below;
}

// One grey for everything is an exporter's default, not a look: clay is kinder to shapes.
bool is_plain(const std::vector<Material>& materials) {
  return std::all_of(materials.begin(), materials.end(), [&](const Material& m) {
    return m.base.image < 0 && m.base_color.isApprox(materials[0].base_color, 0.02f) &&
           m.base_color.maxCoeff() - m.base_color.minCoeff() < 0.02f;
  });
}

// The strongest corner of a place: where numbers cannot be interpolated.
std::uint32_t nearest_vertex(const SurfacePoint& place) {
  Eigen::Index corner = 0;
  place.barycentric.maxCoeff(&corner);
  return place.corners[static_cast<std::size_t>(corner)];
}

Paint paint_vertex_colors(std::vector<Color> colors) {
  return [colors = std::make_shared<std::vector<Color>>(std::move(colors))](const SurfacePoint& place) {
    Color color = Color::Zero();
    for (int k = 0; k < 3; ++k) color += place.barycentric[k] * (*colors)[place.corners[k]];
    return color;
  };
}

}  // namespace

Color clay_color() { return color_from_hex(0xb9b0a6); }

Paint paint_mesh_colors(const TriangleMesh& mesh) {
  const auto is_white = [](const Vec4f& c) { return c.head<3>().minCoeff() > 0.98f; };
  if (std::all_of(mesh.colors.begin(), mesh.colors.end(), is_white)) {
    return [clay = clay_color()](const SurfacePoint&) { return clay; };
  }
  std::vector<Color> colors(mesh.colors.size());
  std::transform(mesh.colors.begin(), mesh.colors.end(), colors.begin(),
                 [](const Vec4f& c) { return Color(room_for_light * c.head<3>()); });
  return paint_vertex_colors(std::move(colors));
}

Paint paint_materials(const Character& character, Warnings& warnings) {
  Materials found = read_materials(character);
  warnings.insert(warnings.end(), found.warnings.begin(), found.warnings.end());
  if (found.of_part.empty() || is_plain(found.materials)) return paint_mesh_colors(character.mesh);
  struct Look {
    std::vector<Material> materials;
    std::vector<Image> images;      // empty: could not be decoded
    std::vector<int> of_vertex;     // material, or -1
    std::vector<Vec2f> uvs;         // empty: none
    std::vector<Color> own_colors;  // of vertices; empty: white
  };
  auto look = std::make_shared<Look>();
  look->materials = std::move(found.materials);
  std::vector<bool> shown(found.images.size(), false);
  for (const Material& material : look->materials) {
    if (material.base.image >= 0) shown[material.base.image] = true;
  }
  for (std::size_t i = 0; i < shown.size(); ++i) {
    look->images.push_back(shown[i] ? decode_texture(found.images[i].bytes, warnings) : Image());
  }
  look->of_vertex.assign(character.mesh.vertex_count(), -1);
  for (std::size_t i = 0; i < character.parts.size(); ++i) {
    const Part& part = character.parts[i];
    std::fill_n(look->of_vertex.begin() + static_cast<std::ptrdiff_t>(part.first_vertex), part.vertex_count,
                found.of_part[i]);
  }
  look->uvs = character.mesh.uvs;
  for (const Vec4f& color : character.mesh.colors) look->own_colors.push_back(color.head<3>());
  return [look](const SurfacePoint& place) {
    Color color = Color::Ones();
    if (!look->own_colors.empty()) {
      color.setZero();
      for (int k = 0; k < 3; ++k) color += place.barycentric[k] * look->own_colors[place.corners[k]];
    }
    const int number = look->of_vertex[place.corners[0]];
    if (number >= 0) {
      const Material& material = look->materials[number];
      color = color.cwiseProduct(material.base_color);
      if (material.base.image >= 0 && !look->images[material.base.image].pixels.empty() && !look->uvs.empty()) {
        Vec3f uv(0, 0, 1);
        for (int k = 0; k < 3; ++k) uv.head<2>() += place.barycentric[k] * look->uvs[place.corners[k]];
        uv = material.base.uv_to_image * uv;
        color = color.cwiseProduct(sample_texture(look->images[material.base.image], uv.x(), uv.y()));
      }
    }
    return Color(room_for_light * color);
  };
}

Paint paint_values(std::vector<float> values, double low, double high, ColorMap map) {
  auto shared = std::make_shared<std::vector<float>>(std::move(values));
  return [shared, low, high, map](const SurfacePoint& place) {
    double value = 0;
    for (int k = 0; k < 3; ++k) value += static_cast<double>(place.barycentric[k]) * (*shared)[place.corners[k]];
    return map_color(map, high > low ? (value - low) / (high - low) : value - low);
  };
}

Paint paint_joint_weight(const SkinWeights& weights, int joint) {
  auto values = std::make_shared<std::vector<float>>(weights.vertex_count());
  auto bound = std::make_shared<std::vector<bool>>(weights.vertex_count());
  for (std::size_t v = 0; v < values->size(); ++v) {
    (*values)[v] = weights.weight_of(v, joint);
    for (int slot = 0; slot < weights.influences; ++slot) {
      if (weights.weights[v * weights.influences + slot] > 0) (*bound)[v] = true;
    }
  }
  return [values, bound](const SurfacePoint& place) {
    if (!(*bound)[nearest_vertex(place)]) return Color(0.005f, 0.005f, 0.005f);
    double value = 0;
    for (int k = 0; k < 3; ++k) value += static_cast<double>(place.barycentric[k]) * (*values)[place.corners[k]];
    return map_color(ColorMap::weight, value);
  };
}

Paint paint_dominant_joint(const SkinWeights& weights, std::vector<Color> colors) {
  auto skin = std::make_shared<SkinWeights>(weights);
  return [skin, colors = std::make_shared<std::vector<Color>>(std::move(colors))](const SurfacePoint& place) {
    // The weights are interpolated joint by joint; few joints meet in a triangle, so a short list will do.
    std::array<std::pair<int, float>, 24> sums;
    std::size_t count = 0;
    for (int k = 0; k < 3; ++k) {
      for (int slot = 0; slot < skin->influences; ++slot) {
        const std::size_t entry = static_cast<std::size_t>(place.corners[k]) * skin->influences + slot;
        if (!(skin->weights[entry] > 0)) break;
        const int joint = skin->joints[entry];
        std::size_t i = 0;
        while (i < count && sums[i].first != joint) ++i;
        if (i == sums.size()) break;
        if (i == count) sums[count++] = {joint, 0.0f};
        sums[i].second += place.barycentric[k] * skin->weights[entry];
      }
    }
    if (count == 0) return Color(0.005f, 0.005f, 0.005f);
    const auto strongest = std::max_element(sums.begin(), sums.begin() + count, [](const auto& a, const auto& b) {
      return a.second < b.second || (a.second == b.second && a.first > b.first);
    });
    return (*colors)[strongest->first];
  };
}

Paint paint_blended_joints(const SkinWeights& weights, const std::vector<Color>& colors) {
  std::vector<Color> mixed(weights.vertex_count(), Color::Zero());
  for (std::size_t v = 0; v < mixed.size(); ++v) {
    for (int slot = 0; slot < weights.influences; ++slot) {
      const std::size_t entry = v * weights.influences + slot;
      mixed[v] += weights.weights[entry] * colors[weights.joints[entry]];
    }
  }
  return paint_vertex_colors(std::move(mixed));
}

Color influence_color(int count) {
  if (count <= 0) return Color(0.005f, 0.005f, 0.005f);
  return count <= 8 ? map_color(ColorMap::viridis, (count - 1) / 7.0) : color_from_hex(0xd7263d);
}

Paint paint_influence_count(const SkinWeights& weights, double threshold) {
  std::vector<Color> colors(weights.vertex_count());
  for (std::size_t v = 0; v < colors.size(); ++v) {
    const auto begin = weights.weights.begin() + static_cast<std::ptrdiff_t>(v * weights.influences);
    colors[v] = influence_color(static_cast<int>(
        std::count_if(begin, begin + weights.influences, [&](float weight) { return weight > threshold; })));
  }
  return [colors = std::make_shared<std::vector<Color>>(std::move(colors))](const SurfacePoint& place) {
    return (*colors)[nearest_vertex(place)];
  };
}

Paint paint_parts(const Character& character) {
  std::vector<Color> colors(character.mesh.vertex_count(), palette_color(0));
  std::map<std::string, int> seen;
  for (std::size_t i = 0; i < character.parts.size(); ++i) {
    const Part& part = character.parts[i];
    const std::string key = part.material.empty() ? "part " + std::to_string(i) : "material " + part.material;
    const Color color = palette_color(seen.emplace(key, static_cast<int>(seen.size())).first->second);
    std::fill_n(colors.begin() + static_cast<std::ptrdiff_t>(part.first_vertex), part.vertex_count, color);
  }
  return paint_vertex_colors(std::move(colors));
}

}  // namespace sinew
