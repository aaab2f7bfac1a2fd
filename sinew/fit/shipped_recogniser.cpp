// The trained recogniser of bodies.
#include "sinew/base/shipped_file.h"
#include "sinew/fit/recogniser.h"

SINEW_SHIP_FILE(sinew_recogniser, SINEW_RECOGNISER)  // path of models/bodies.sinewkinds, given by the build

namespace sinew {

const Recogniser& Recogniser::shipped() {
  static const Recogniser recogniser(parse_network_file(sinew_recogniser()));
  return recogniser;
}

}  // namespace sinew
