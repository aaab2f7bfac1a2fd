#include "sinew/gates.h"

#include <gtest/gtest.h>

#include <limits>

#include "sinew/error.h"

namespace sinew {
namespace {

const std::vector<Metric> metrics = {{"ade", 0.002, Better::lower},
                                     {"coverage", 0.99, Better::higher},
                                     {"volume-change", std::numeric_limits<double>::quiet_NaN(), Better::lower}};

ErrorKind kind_of(const std::string& text) {
  try {
    require_gates(check_gates(parse_gates(text), metrics));
  } catch (const Error& error) {
    return error.kind();
  }
  return ErrorKind::cancelled;  // nothing thrown
}

TEST(Gates, ParsesNamesAndNumbers) {
  const std::vector<Gate> gates = parse_gates("ade=3e-3, coverage = 1");
  ASSERT_EQ(gates.size(), 2u);
  EXPECT_EQ(gates[0].name, "ade");
  EXPECT_DOUBLE_EQ(gates[0].limit, 0.003);
  EXPECT_EQ(gates[1].name, "coverage");
  EXPECT_DOUBLE_EQ(gates[1].limit, 1);
}

TEST(Gates, MetAndNotMet) {
  EXPECT_EQ(kind_of("ade=0.002"), ErrorKind::cancelled);
  EXPECT_EQ(kind_of("ade=0.0019"), ErrorKind::gate);
  EXPECT_EQ(kind_of("coverage=0.99"), ErrorKind::cancelled);
  EXPECT_EQ(kind_of("ade=1,coverage=1"), ErrorKind::gate);
  EXPECT_EQ(kind_of("volume-change=100"), ErrorKind::gate);
}

TEST(Gates, TheErrorSaysByHowMuch) {
  try {
    require_gates(check_gates(parse_gates("ade=0.001,coverage=1"), metrics));
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "ade is 0.002, at most 0.001 was required; coverage is 0.99, at least 1 was required");
  }
}

TEST(Gates, WhatCannotBeReadIsAUsageError) {
  for (const char* text : {"", "ade", "ade=", "=3", "ade=x", "ade=1,", "ade=1x", "ade=nan", "ade=inf", "speed=3"}) {
    EXPECT_EQ(kind_of(text), ErrorKind::usage) << text;
  }
}

}  // namespace
}  // namespace sinew
