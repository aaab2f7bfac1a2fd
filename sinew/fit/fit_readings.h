// Several ways to read a mesh as the body that a skeleton needs, each with the probability that it is right.
//
// What is proposed: which pairs of tips are hands and feet, which way the body faces, which axis is up, coarse or fine
// voxels, and the places where the trained networks see the joints. One judge (fit_judge.h) compares them all.
#pragma once

#include <memory>
#include <optional>

#include "sinew/fit/body_marks.h"
#include "sinew/fit/fit_judge.h"
#include "sinew/fit/reading_features.h"
#include "sinew/fit/recogniser.h"

namespace sinew {

struct FitReading {
  BodyShape shape;
  std::shared_ptr<const VoxelSolid> solid;  // that it was read in
  int cells = 0;                            // of the solid
  bool by_networks = false;                 // the networks placed the joints alone
  bool by_marks = false;                    // made of marks, where the mesh shows no body that has them
  std::vector<float> features;
  double probability = 0;  // that it is right; 0 without a judge
};

struct ReadingOptions {
  int cells = 96;
  bool four_legs = false;
  Vec3d up = Vec3d::Zero();       // unit length; zero: look for it
  Vec3d forward = Vec3d::Zero();  // unit length; zero: look for it
  // Null: readings keep probability 0, stay in the order in which they were found, and all of them are looked for.
  const FitJudge* judge = nullptr;
  // Who tells what kind of body the mesh shows, which is part of the features; null: nobody does.
  const Recogniser* recogniser = nullptr;
  // Joints that the networks may place: null for none.
  const FitModel* networks = nullptr;
  bool networks_alone = false;         // do not read the inside of the mesh
  const Skeleton* skeleton = nullptr;  // what the networks place, with `joints`
  const std::vector<JointIdentity>* joints = nullptr;
  // What a person marked: readings obey it, and those that cannot are left out. Null: nothing.
  const BodyMarks* marks = nullptr;
  bool symmetric = true;  // marks of one side are those of the other where the mesh is its own mirror image
  bool finer = true;      // try finer voxels where nothing probable enough is found
  // So probable a reading is looked no further for, and below it finer voxels and other up axes are tried.
  double enough = 0.8;
};

// With the judge and the recogniser that come with the library.
ReadingOptions shipped_reading_options();

struct FitReadings {
  std::vector<FitReading> readings;          // the most probable first
  std::optional<Error> refusal;              // why the inside of the mesh shows no body, or no other one
  std::optional<RecognisedBody> recognised;  // what the mesh shows, by ReadingOptions::recogniser
  double network_seconds = 0;
};

// What a mesh must show for a skeleton of this kind.
CreatureKind needed_kind(bool four_legs);

// Of left-out people of the training split 3 % are below this, of left-out creatures and things 91 %.
inline constexpr double least_kind_probability = 0.15;

// Whether the recogniser all but excludes that kind. No reading is probable then, however well its limbs look.
bool shows_another_kind(const FitReadings& readings, bool four_legs);

// Does not throw for a mesh that cannot be read: there are no readings then, and a refusal. What the networks of `views`
// see along the up axis is part of the features.
FitReadings find_readings(MeshViews& views, const ReadingOptions& options);
FitReadings find_readings(const TriangleMesh& mesh, const ReadingOptions& options);

}  // namespace sinew
