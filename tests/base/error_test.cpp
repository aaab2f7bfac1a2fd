#include "sinew/error.h"

#include <gtest/gtest.h>

#include <set>
#include <utility>

namespace sinew {
namespace {

// What other programs rely on: a line may be added, none may change.
const std::vector<std::pair<int, std::string>>& promised_codes() {
  static const std::vector<std::pair<int, std::string>> promised = {
      {100, "internal"},
      {101, "out-of-memory"},
      {102, "no-convergence"},
      {103, "file-unwritable"},
      {104, "disk-full"},
      {105, "output-too-large"},
      {106, "installation-incomplete"},
      {107, "process-failed"},
      {108, "system-refused"},
      {200, "argument-invalid"},
      {201, "command-unknown"},
      {202, "option-unknown"},
      {203, "option-missing"},
      {204, "option-invalid"},
      {205, "option-out-of-range"},
      {206, "options-conflict"},
      {207, "choice-unknown"},
      {208, "method-unknown"},
      {209, "joint-unknown"},
      {210, "motion-unknown"},
      {211, "frame-unknown"},
      {212, "output-format-unknown"},
      {213, "output-format-unfit"},
      {214, "would-overwrite"},
      {215, "not-now"},
      {300, "file-not-found"},
      {301, "file-unreadable"},
      {302, "path-refused"},
      {303, "file-empty"},
      {304, "file-damaged"},
      {305, "format-unknown"},
      {306, "format-unsupported"},
      {307, "too-large"},
      {308, "reader-failed"},
      {310, "mesh-missing"},
      {311, "mesh-invalid"},
      {312, "mesh-degenerate"},
      {313, "surface-missing"},
      {320, "skeleton-missing"},
      {321, "skeleton-invalid"},
      {322, "skeleton-not-understood"},
      {323, "skeleton-misplaced"},
      {324, "skeletons-differ"},
      {330, "weights-missing"},
      {331, "weights-invalid"},
      {340, "motion-missing"},
      {341, "motion-invalid"},
      {350, "body-not-recognised"},
      {351, "kinds-differ"},
      {352, "characters-differ"},
      {360, "settings-invalid"},
      {361, "field-invalid"},
      {362, "network-invalid"},
      {363, "training-data-invalid"},
      {400, "gate-not-met"},
      {500, "cancelled"},
  };
  return promised;
}

TEST(ErrorCode, NumbersAndNamesAreAsPromised) {
  std::vector<std::pair<int, std::string>> found;
  for (ErrorCode code : all_error_codes()) found.emplace_back(static_cast<int>(code), std::string(code_name(code)));
  EXPECT_EQ(found, promised_codes());
}

TEST(ErrorCode, NumbersAndNamesAreUniqueAndNamesLeadBack) {
  std::set<int> numbers;
  std::set<std::string_view> names;
  for (ErrorCode code : all_error_codes()) {
    EXPECT_TRUE(numbers.insert(static_cast<int>(code)).second) << code_name(code);
    EXPECT_TRUE(names.insert(code_name(code)).second) << code_name(code);
    EXPECT_EQ(find_error_code(code_name(code)), code);
  }
  EXPECT_EQ(find_error_code(""), std::nullopt);
  EXPECT_EQ(find_error_code("no-such-code"), std::nullopt);
  EXPECT_EQ(code_name(ErrorCode{0}), "");
}

TEST(ErrorCode, TheHundredsAreTheKindAndTheKindTheExitCode) {
  EXPECT_EQ(kind_of(ErrorCode::disk_full), ErrorKind::failed);
  EXPECT_EQ(kind_of(ErrorCode::joint_unknown), ErrorKind::usage);
  EXPECT_EQ(kind_of(ErrorCode::file_damaged), ErrorKind::bad_input);
  EXPECT_EQ(kind_of(ErrorCode::gate_not_met), ErrorKind::gate);
  EXPECT_EQ(kind_of(ErrorCode::cancelled), ErrorKind::cancelled);
  EXPECT_EQ(exit_code(ErrorKind::failed), 1);
  EXPECT_EQ(exit_code(ErrorKind::usage), 2);
  EXPECT_EQ(exit_code(ErrorKind::bad_input), 3);
  EXPECT_EQ(exit_code(ErrorKind::gate), 4);
  EXPECT_EQ(exit_code(ErrorKind::cancelled), 130);
  EXPECT_EQ(kind_name(ErrorKind::bad_input), "bad_input");
}

TEST(Error, KeepsItsCodeAdviceAndOptionWithinAContext) {
  const Error error =
      Error(ErrorCode::mesh_missing, "no vertices", "export again").about("mesh").within("reading 'a.obj'");
  EXPECT_STREQ(error.what(), "reading 'a.obj': no vertices");
  EXPECT_EQ(error.advice(), "export again");
  EXPECT_EQ(error.code(), ErrorCode::mesh_missing);
  EXPECT_EQ(error.option(), "mesh");
  EXPECT_EQ(error.kind(), ErrorKind::bad_input);
}

}  // namespace
}  // namespace sinew
