#include "sinew/fit/fit_readings.h"

#include <algorithm>
#include <chrono>

#include "sinew/fit/marked_shape.h"

namespace sinew {
namespace {

constexpr int finer_cells = 144;
// A reading whose joints are further from their marks is another one than meant, in heights.
constexpr double furthest_mark = 0.15, furthest_animal_mark = 0.35;
// Below this a reading that happens to have its limbs at the marks is compared with one that is made of them.
constexpr double least_marked = 0.2;

class ReadingFinder {
 public:
  ReadingFinder(MeshViews& views, const ReadingOptions& options)
      : views_(views), mesh_(views.mesh()), options_(options) {
    if (mesh_.is_point_cloud()) options_.networks = nullptr;
  }

  FitReadings run() {
    if (options_.marks) be_told_by_marks();
    const std::shared_ptr<const VoxelSolid> solid = views_.solid(options_.cells);
    if (options_.recogniser) {
      result_.recognised =
          options_.recogniser->recognise(SeenBody(views_, options_.cells), options_.up, options_.forward);
    }
    if (!options_.networks_alone) {
      read_inside(solid, options_.cells);
      if (options_.finer && !found_enough() && options_.cells < finer_cells) {
        read_inside(views_.solid(finer_cells), finer_cells);
      }
    }
    if (options_.networks && (options_.networks_alone || !options_.judge || !found_enough())) ask_networks(solid);
    if (options_.marks && !options_.four_legs && !found_any()) read_marks(solid);
    if (options_.marks && result_.readings.empty() && !result_.refusal) {
      result_.refusal =
          Error(ErrorCode::body_not_recognised, "the mesh shows no body that has its limbs where the markers are",
                "are left and right the body's own, and is it of the skeleton's kind?")
              .about("markers");
    }
    std::stable_sort(result_.readings.begin(), result_.readings.end(),
                     [](const FitReading& a, const FitReading& b) { return a.probability > b.probability; });
    result_.network_seconds += views_.look_seconds();
    return std::move(result_);
  }

 private:
  bool found_enough() const {
    return std::any_of(result_.readings.begin(), result_.readings.end(),
                       [&](const FitReading& reading) { return reading.probability >= options_.enough; });
  }

  // Whether a reading is worth more than what the marks alone tell.
  bool found_any() const {
    return std::any_of(result_.readings.begin(), result_.readings.end(),
                       [](const FitReading& reading) { return reading.probability >= least_marked; });
  }

  // Which way is up and which way the body faces, as far as marks tell and nobody said so.
  void be_told_by_marks() {
    const BodyMarks& marks = *options_.marks;
    if (options_.up.norm() == 0) options_.up = up_of_marks(marks);
    if (options_.up.norm() == 0) return;
    const Vec3d left = left_of_marks(marks, options_.up);
    if (options_.forward.norm() == 0 && left.norm() > 0) options_.forward = left.cross(options_.up);
  }

  // Moves a reading onto the marks; false when it is another one than meant.
  bool obeys_marks(const VoxelSolid& solid, BodyShape& shape) const {
    const BodyMarks& given = *options_.marks;
    const double furthest = shape.on_all_fours ? furthest_animal_mark : furthest_mark;
    if (distance_to_marks(shape, given) > furthest) return false;
    if (swapped_side(given, shape.middle, shape.frame, shape.height)) return false;
    const bool mirrored = options_.symmetric && shape.symmetry > 0.8;
    move_onto_marks(mirrored ? with_mirrored_limbs(given, shape.middle, shape.frame.left) : given, solid, shape);
    return true;
  }

  // A body of marks, where the mesh shows none that has them.
  void read_marks(const std::shared_ptr<const VoxelSolid>& solid) {
    const Vec3d seen = result_.recognised ? result_.recognised->frame.up : Vec3d(Vec3d::UnitY());
    const Vec3d up = options_.up.norm() > 0 ? options_.up : seen;
    try {
      const Vec3d left = left_of_marks(*options_.marks, up);
      BodyShapeOptions shape_options;
      shape_options.up = up;
      shape_options.forward = options_.forward;
      if (options_.forward.norm() == 0 && left.norm() > 0) shape_options.forward = left.cross(up);
      shape_options.forward_given = shape_options.forward.norm() > 0;
      ShapeReader reader(*solid, shape_options);
      add(reader.two_legged_by_marks(up, *options_.marks, options_.symmetric), solid, options_.cells, false, true);
    } catch (const Error& problem) {
      if (problem.kind() == ErrorKind::cancelled) throw;
      if (!result_.readings.empty()) return;
      if (problem.kind() == ErrorKind::usage) throw;
      result_.refusal = problem;
    }
  }

  void add(BodyShape shape, const std::shared_ptr<const VoxelSolid>& solid, int cells, bool by_networks,
           bool by_marks = false) {
    if (options_.marks && !by_marks && !obeys_marks(*solid, shape)) return;
    FitReading reading;
    reading.by_marks = by_marks;
    reading.features = reading_features(shape, *solid, views_.look(shape.frame.up),
                                        result_.recognised ? &*result_.recognised : nullptr);
    reading.shape = std::move(shape);
    reading.solid = solid;
    reading.cells = cells;
    reading.by_networks = by_networks;
    if (options_.judge) reading.probability = options_.judge->probability(options_.four_legs, reading.features);
    // A product, and not the smaller one of both: the order of the readings stays.
    if (shows_another_kind(result_, options_.four_legs)) {
      reading.probability *= result_.recognised->probability_of(needed_kind(options_.four_legs));
    }
    result_.readings.push_back(std::move(reading));
  }

  void read_inside(const std::shared_ptr<const VoxelSolid>& solid, int cells) {
    BodyShapeOptions shape_options;
    shape_options.expect_four_legs = options_.four_legs;
    shape_options.up = options_.up;
    shape_options.forward = options_.forward;
    shape_options.forward_given = options_.forward.norm() > 0;
    ShapeReader reader(*solid, shape_options);
    int furthest = -1;
    for (const Vec3d& up : reader.possible_ups()) {
      try {
        for (const BodyShape& shape : reader.readings_along(up)) {
          add(shape, solid, cells, false);
          if (!options_.four_legs && !shape_options.forward_given) {
            add(facing_the_other_way(shape), solid, cells, false);
          }
        }
      } catch (const Error& problem) {
        if (problem.kind() == ErrorKind::cancelled) throw;
        // The axis along which most of a body was found is the one to speak of.
        if (reader.limbs_found() > furthest) {
          furthest = reader.limbs_found();
          if (cells == options_.cells) result_.refusal = problem;
        }
      }
      if (found_enough()) return;
    }
  }

  // The frame in which the networks see a body most like one; what was looked at already is not looked at again.
  FrameGuess best_frame() {
    const NetworkLook* known =
        options_.networks == views_.eyes() && options_.up.norm() > 0 ? views_.look(options_.up) : nullptr;
    return known ? known->guess : guess_frame(mesh_, *options_.networks, options_.up);
  }

  // The joints as the networks place them, in the frame in which they see a body most like one.
  void ask_networks(const std::shared_ptr<const VoxelSolid>& solid) {
    const auto start = std::chrono::steady_clock::now();
    try {
      FrameGuess guess = best_frame();
      if (options_.forward.norm() > 0) {
        guess.frame.forward = (options_.forward - options_.forward.dot(guess.frame.up) * guess.frame.up).normalized();
        guess.frame.left = guess.frame.up.cross(guess.frame.forward);
        guess.facing_known = true;
      }
      BodyShape shape =
          neural_body_shape(mesh_, *solid, *options_.skeleton, *options_.joints, *options_.networks, guess);
      shape.evidence.tips = ShapeReader(*solid, {}).tips();
      add(std::move(shape), solid, options_.cells, true);
    } catch (const Error& problem) {
      if (problem.kind() == ErrorKind::cancelled) throw;
      if (!result_.refusal) result_.refusal = problem;
    }
    result_.network_seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  }

  MeshViews& views_;
  const TriangleMesh& mesh_;
  ReadingOptions options_;
  FitReadings result_;
};

}  // namespace

CreatureKind needed_kind(bool four_legs) { return four_legs ? CreatureKind::four_legs : CreatureKind::person; }

bool shows_another_kind(const FitReadings& readings, bool four_legs) {
  return readings.recognised && readings.recognised->probability_of(needed_kind(four_legs)) < least_kind_probability;
}

ReadingOptions shipped_reading_options() {
  ReadingOptions options;
  options.judge = &FitJudge::shipped();
  options.recogniser = &Recogniser::shipped();
  return options;
}

FitReadings find_readings(MeshViews& views, const ReadingOptions& options) {
  return ReadingFinder(views, options).run();
}

FitReadings find_readings(const TriangleMesh& mesh, const ReadingOptions& options) {
  MeshViews views(mesh);
  return find_readings(views, options);
}

}  // namespace sinew
