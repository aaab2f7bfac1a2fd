// Levels of detail to look at: those of the file (MSFT_lod), or ones made for looking, as `sinew lod` makes them.
#pragma once

#include <memory>
#include <mutex>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "apps/viewer/document.h"
#include "sinew/lod.h"

namespace sinew::viewer {

class Levels {
 public:
  // The job that makes three coarser levels of the present character. What is made stays until mesh or skeleton change.
  void make(const Document& document, const Progress& progress);

  // One entry per coarser level: {"vertices", "triangles"}; empty when there is none yet.
  nlohmann::json describe(const OpenedCharacter& opened) const;

  // Level 1 is the finest of the coarser ones. Levels of the file have its weights, made ones the weights of `entry`.
  // Throws Error(usage) when there is no such level.
  Character character(const Entry& entry, std::size_t level) const;

 private:
  std::shared_ptr<const LodChain> chain_of(const OpenedCharacter& opened) const;

  mutable std::mutex mutex_;
  int rig_ = 0;
  std::shared_ptr<const LodChain> chain_;
};

}  // namespace sinew::viewer
