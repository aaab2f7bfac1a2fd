// What a check looks for, one file per subject. Each adds what it found; check_skin.cpp puts them in order, joins what
// is one and the same, and says it in words.
#pragma once

#include <vector>

#include "sinew/check/checked_skin.h"
#include "sinew/check/mirrored_skin.h"

namespace sinew {

// A finding before it is put into words. Vertices are those of the CheckedSkin, in rising order.
struct Suspicion {
  FindingKind kind = FindingKind::bleed;
  int joint = -1;
  int other_joint = -1;  // idle joints: the joint that holds its place; collapse, hard edges: the joint above
  std::vector<std::uint32_t> vertices{};
  Offset offset{};
  bool both_sides = false;  // the same on the left and on the right; the joint is that of one of them
  int count = 0;            // influences: the most at any vertex
};
using Suspicions = std::vector<Suspicion>;

void find_unweighted(const CheckedSkin& skin, Suspicions& found);
void find_split_seams(const CheckedSkin& skin, Suspicions& found);
void find_spikes_and_noise(const CheckedSkin& skin, Suspicions& found);
void find_bleed(const CheckedSkin& skin, Suspicions& found);
void find_bad_bends(const CheckedSkin& skin, const std::optional<MirroredSkin>& mirrored, Suspicions& found);
void find_side_differences(const CheckedSkin& skin, const MirroredSkin& mirrored, Suspicions& found);
void find_bending_pieces(const CheckedSkin& skin, Suspicions& found);
void find_many_influences(const CheckedSkin& skin, int most, Suspicions& found);
void find_idle_joints(const CheckedSkin& skin, const std::optional<MirroredSkin>& mirrored, Suspicions& found);

}  // namespace sinew
