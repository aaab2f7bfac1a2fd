// Options of the C interface as those of the pipeline. What they point at is the caller's and stays valid during a call.
#pragma once

#include <optional>

#include "bindings/c/call.h"
#include "sinew/bind.h"
#include "sinew/fit.h"
#include "sinew/generate_skeleton.h"
#include "sinew/lod.h"
#include "sinew/retarget.h"
#include "sinew/train_weights.h"

namespace sinew::binding {

// Other characters that options name are in use as long as this object, so keep it until the call is over.
class FitChoice {
 public:
  explicit FitChoice(const sinew_fit_options* given);
  FitChoice(const FitChoice&) = delete;
  FitChoice& operator=(const FitChoice&) = delete;
  FitOptions options;
  mutable std::vector<FitReadingSummary> readings;  // filled during the call, where the caller asks for them

 private:
  std::shared_ptr<const FitModel> networks_;
};

GenerateOptions generate_options_of(const sinew_generate_options* given);

class BindChoice {
 public:
  // `character`: that is bound, for the pins.
  BindChoice(const sinew_bind_options* given, const Character& character, const char* default_method = nullptr);
  BindOptions options;
  Warnings warnings;  // of the pins

 private:
  std::optional<Reading> body_, poses_, reference_;
  std::shared_ptr<const FitModel> networks_;
  std::shared_ptr<const WeightModel> weight_model_;
};

class RetargetChoice {
 public:
  explicit RetargetChoice(const sinew_retarget_options* given);
  RetargetOptions options;

 private:
  std::optional<Reading> rest_;
};

LodOptions lod_options_of(const sinew_lod_options* given);

}  // namespace sinew::binding
