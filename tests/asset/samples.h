// One small valid file of every format but glTF, for tests that damage them.
#pragma once

#include <string>
#include <vector>

namespace sinew::test {

struct Sample {
  std::string name;  // with extension
  std::string bytes;
};

std::vector<Sample> samples();

// A COLLADA file: a skinned strip of two triangles with two joints, Z up, in centimetres, and a turning animation.
std::string collada_sample();

}  // namespace sinew::test
