// The trained networks of the method auto.
#include "sinew/base/shipped_file.h"
#include "sinew/weights/auto/weight_model.h"

SINEW_SHIP_FILE(sinew_weight_model, SINEW_WEIGHT_MODEL)  // path of models/artists.sinewweights, given by the build

namespace sinew {

const WeightModel& WeightModel::shipped() {
  static const WeightModel model = parse_weight_model(sinew_weight_model());
  return model;
}

}  // namespace sinew
