// All of Sinew: every public header. Each one is a manual of its part and may be included alone.
#pragma once

#include "sinew/character.h"
#include "sinew/eigen_types.h"
#include "sinew/error.h"
#include "sinew/export.h"
#include "sinew/io.h"
#include "sinew/mesh.h"
#include "sinew/motion.h"
#include "sinew/pose_mesh.h"
#include "sinew/progress.h"
#include "sinew/runtime/correctives.h"
#include "sinew/runtime/correctives_c.h"
#include "sinew/runtime/skinning.h"
#include "sinew/skeleton.h"
#include "sinew/skin_weights.h"
#include "sinew/transform.h"
#include "sinew/version.h"
