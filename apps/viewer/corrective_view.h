// Correctives to look at: a .sinewc for the open character, and, where there is one, the truth to measure it against.
//
// Nothing here is a step of the history: a corrected shape follows from the pose and is computed for every frame.
#pragma once

#include <filesystem>
#include <memory>
#include <mutex>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>

#include "apps/viewer/document.h"
#include "sinew/correctives/corrective_poser.h"
#include "sinew/correctives/training_shapes.h"

namespace sinew::viewer {

// All functions may be called from any thread.
class CorrectiveView {
 public:
  // The bytes of a .sinewc. All of these throw Error(bad_input) for what is damaged or was made for another character.
  void load_correctives(std::span<const std::byte> bytes, const std::string& name, const OpenedCharacter& opened);
  // A folder of training shapes (training_shapes.h).
  void load_truth(const std::filesystem::path& folder, const OpenedCharacter& opened);
  // The bytes of a shapes.sinewt alone, for the open character with these weights.
  void load_truth(std::span<const std::byte> bytes, const Entry& entry);

  // {"correctives": null | {"name", "levels", "networks", "bytes"}, "truth": null | {"frames"}}
  nlohmann::json describe(const OpenedCharacter& opened) const;

  // Packet: header "frames" [{"motion", "frame"}…]; array `poses`, ten f32 per frame and joint. Throws Error(usage)
  // when there is no truth.
  std::string truth_poses(const OpenedCharacter& opened) const;

  // One pose: the answer to POST api/pose (docs/formats/viewer-protocol.md).
  // Throws Error(usage) for a request that is none.
  std::string pose(const Entry& entry, const std::string& body);

 private:
  void set_truth(std::unique_ptr<TrainingShapes> truth, const OpenedCharacter& opened);
  bool fits(const OpenedCharacter& opened, int rig) const { return rig != 0 && opened.rig == rig; }

  mutable std::mutex mutex_;
  std::string name_;
  std::unique_ptr<CorrectivePoser> poser_;
  int poser_rig_ = 0;  // of the character it was loaded for; 0: none
  std::unique_ptr<TrainingShapes> truth_;
  int truth_rig_ = 0;
};

}  // namespace sinew::viewer
