// Repairs what a check found, and nothing else.
//
//   Character hero = load_character("hero.glb");
//   FixReport report = fix_skin(hero);
//   for (const Repair& repair : report.repairs) std::puts(repair.how.c_str());
//   save_character(hero, "hero_fixed.glb");                  // glTF: only the weights of what was repaired change
//
// For every finding the cheapest means come first: remove an influence, give a place the weights of what is around it,
// make a piece rigid, mirror, smooth, or share skin out anew by bone heat. The skin is then checked again. A repair
// counts when its finding is gone or much smaller and nothing else became worse; otherwise the weights stay as
// they were, and the report says so.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/check.h"

namespace sinew {

enum class RepairOutcome : std::uint8_t {
  repaired,    // the finding is gone
  improved,    // it is smaller
  left_alone,  // nothing helped without harm, or it cannot be told what is right
};

// "left-alone": stable, for reports.
SINEW_API std::string_view repair_outcome_name(RepairOutcome outcome) noexcept;

struct Repair {
  Finding finding;  // as it was before
  RepairOutcome outcome = RepairOutcome::left_alone;
  double severity = 0;                    // of what is left of it
  std::vector<std::uint32_t> vertices{};  // whose weights are others now, in rising order
  std::string how{};                      // one sentence: what was done, or why nothing was
};

struct FixOptions {
  CheckOptions check{};   // what counts as a finding; `kinds` is what is repaired
  int max_repairs = 100;  // findings to try, worst kinds first; 1 …
  int threads = 0;        // 0: all cores
};

struct FixReport {
  std::vector<Repair> repairs;  // in the order in which they were tried
  CheckReport before, after;
  // What no weights can repair: joints whose twist pinches the limb, and what would: a twist joint or a corrective.
  std::vector<std::string> beyond_weights;
  Warnings warnings;
};

// Changes character.weights only. Throws as check_skin does; the character is then unchanged.
SINEW_API FixReport fix_skin(Character& character, const FixOptions& options = {}, const Progress& progress = {});

// The report as one JSON object: docs/check.md.
SINEW_API std::string fix_json(const Character& character, const FixReport& report);

}  // namespace sinew
