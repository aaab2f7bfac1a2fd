// FBX 7.4 binary: a tree of named records with typed properties. The format has no published specification; what
// modelling programs agree on is described at https://code.blender.org/2013/08/fbx-binary-file-format-specification.
//
//   FbxNode mesh("Geometry");
//   mesh.int64(17).object_name("Body", "Geometry").text("Mesh");
//   mesh.child("Vertices").reals(coordinates);
#pragma once

#include <cstdint>
#include <list>
#include <span>
#include <string>
#include <string_view>

namespace sinew {

class FbxNode {
 public:
  explicit FbxNode(std::string name) : name_(std::move(name)) {}

  // Properties, in order; each returns the node.
  FbxNode& boolean(bool value);                           // C
  FbxNode& int16(std::int16_t value);                     // Y
  FbxNode& int32(std::int32_t value);                     // I
  FbxNode& int64(std::int64_t value);                     // L
  FbxNode& real(double value);                            // D
  FbxNode& text(std::string_view text);                   // S
  FbxNode& raw(std::span<const std::byte> bytes);         // R
  FbxNode& int32s(std::span<const std::int32_t> values);  // i
  FbxNode& int64s(std::span<const std::int64_t> values);  // l
  FbxNode& floats(std::span<const float> values);         // f
  FbxNode& reals(std::span<const double> values);         // d
  // How objects are called: name, two bytes, class.
  FbxNode& object_name(std::string_view name, std::string_view object_class);

  // A new record below this one; the reference stays valid.
  FbxNode& child(std::string name) { return children_.emplace_back(std::move(name)); }
  void adopt(FbxNode node) { children_.push_back(std::move(node)); }
  const std::string& name() const { return name_; }
  const std::list<FbxNode>& children() const { return children_; }

  // An entry of a Properties70 record: name, type, label and flags; values follow as properties.
  FbxNode& property(const char* name, const char* type, const char* label, const char* flags);

 private:
  friend std::string fbx_bytes(const FbxNode& root);
  template <typename T>
  FbxNode& scalar(char type, T value);
  template <typename T>
  FbxNode& array(char type, std::span<const T> values);
  std::uint64_t size() const;
  bool ends_with_null() const { return !children_.empty() || property_count_ == 0; }
  void write(std::string& out) const;

  std::string name_;
  std::string properties_;  // encoded
  std::uint32_t property_count_ = 0;
  std::list<FbxNode> children_;
};

// The whole file: header, the root's children, footer. Throws Error(failed) beyond 4 GB, which offsets cannot say.
std::string fbx_bytes(const FbxNode& root);

}  // namespace sinew
