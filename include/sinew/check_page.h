// Pictures of what a check found, and a page that shows all of it.
//
//   CheckReport report = check_skin(hero);
//   write(picture_finding(hero, report, 0).png);             // the first, and worst, in the pose where it shows most
//   write(check_page(hero, report));                         // HTML with everything in it: opens from disk, can be mailed
#pragma once

#include <cstddef>
#include <string>

#include "sinew/check.h"
#include "sinew/export.h"
#include "sinew/render.h"

namespace sinew {

struct FindingPicture {
  int width = 640, height = 320;  // pixels: the whole character and beside it the place, seen from where it faces
  int samples = 8;                // rays per pixel
  int threads = 0;                // 0: all cores
};

// In the finding's pose, its vertices dark red. Throws Error(usage) for a finding that the report does not have.
SINEW_API RenderedPicture picture_finding(const Character& character, const CheckReport& report, std::size_t finding,
                                          const FindingPicture& options = {}, const Progress& progress = {});

// One HTML page: every finding with its picture, pose, severity and remedy. Needs no other file and no network.
SINEW_API std::string check_page(const Character& character, const CheckReport& report,
                                 const FindingPicture& options = {}, const Progress& progress = {});

}  // namespace sinew
