// Reports of the pipeline as JSON: what the command line prints and the C interface gives, from one place.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "sinew/bind.h"
#include "sinew/correctives.h"
#include "sinew/fit.h"
#include "sinew/retarget.h"
#include "sinew/twist_joints.h"
#include "sinew/weight_tools.h"
#include "sinew/weight_transfer.h"

namespace sinew {

nlohmann::json report_json(const RecognisedBody& body);
nlohmann::json report_json(const FitResult& fit);
// `skeleton`: of the bound character, for the names of joints.
nlohmann::json report_json(const BindReport& bind, const Skeleton& skeleton);
nlohmann::json report_json(const RetargetResult& retarget);
nlohmann::json report_json(const std::vector<MotionQuality>& motions);
// `skeleton`: of the character that is to move.
nlohmann::json report_json(const RetargetMap& map, const Skeleton& skeleton);
nlohmann::json report_json(const SimulateReport& simulate);
nlohmann::json report_json(const CorrectiveTraining& training);
// `skeleton`: as above. The others hold all of the first.
nlohmann::json report_json(const WeightChange& change, const Skeleton& skeleton);
nlohmann::json report_json(const MirrorReport& mirror, const Skeleton& skeleton);
nlohmann::json report_json(const LimitReport& limit, const Skeleton& skeleton);
nlohmann::json report_json(const TransferReport& transfer, const Skeleton& skeleton);
nlohmann::json report_json(const CopyReport& copy, const Skeleton& skeleton);
nlohmann::json report_json(const TwistReport& twist);

}  // namespace sinew
