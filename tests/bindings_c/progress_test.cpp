// Every call that takes a progress function: it is told, it can stop the call, and what it throws goes no further. A call
// that was stopped has changed nothing.
#include <array>
#include <functional>

#include "tests/bindings_c/c_interface.h"
#include "tests/support/test_files.h"

namespace sinew::test {
namespace {

struct LongCall {
  std::string name;
  std::function<sinew_status(sinew_character*, const sinew_progress*, sinew_result*)> run;
};

class CLongCalls : public testing::Test {
 protected:
  CLongCalls() : person_(twice_.handle()), source_(twice_.handle()) {
    arm_ = through_arrays(bar(4, 0.4, 41, 12, 2));
    EXPECT_EQ(sinew_bind(arm_.get(), nullptr, nullptr, result_.get()), SINEW_OK) << message_of(result_);
    sinew_simulate_options_defaults(&simulate_, sizeof simulate_);
    simulate_.poses = 12;
    simulate_.cells = 200;
    simulate_.run_length = 4;
    shapes_ = (folder_ / "shapes").string();
    unfinished_ = (folder_ / "unfinished").string();
    EXPECT_EQ(sinew_simulate(arm_.get(), shapes_.c_str(), &simulate_, nullptr, result_.get()), SINEW_OK)
        << message_of(result_);
    sinew_check_report* checked = nullptr;
    damage();
    EXPECT_EQ(sinew_check(source_.get(), nullptr, nullptr, &checked, result_.get()), SINEW_OK) << message_of(result_);
    checked_.reset(checked);
    sinew_bind_options_defaults(&paint_, sizeof paint_);
    paint_.method = "biharmonic";
    paint_.values = few_points_;
    paint_.value_count = 1;
    sinew_painter* painter = nullptr;
    EXPECT_EQ(sinew_painter_create(person_.get(), &paint_, nullptr, &painter, result_.get()), SINEW_OK)
        << message_of(result_);
    painter_.reset(painter);
    trained_ = {source_.get(), arm_.get()};
    add_calls();
  }

  // Some vertices of the source follow the last joint, so that there is something to find.
  void damage() {
    const sinew_weight_arrays weights = weights_of(source_);
    const std::size_t slots = weights.vertex_count * static_cast<std::size_t>(weights.influences);
    std::vector<std::uint16_t> joints(weights.joints, weights.joints + slots);
    std::vector<float> numbers(weights.weights, weights.weights + slots);
    for (std::size_t i = 0; i < slots / 8; ++i) {
      joints[i] = i % static_cast<std::size_t>(weights.influences) == 0 ? 20 : 0;
      numbers[i] = i % static_cast<std::size_t>(weights.influences) == 0 ? 1 : 0;
    }
    sinew_weight_arrays broken = weights;
    broken.joints = joints.data();
    broken.weights = numbers.data();
    EXPECT_EQ(sinew_set_weights(source_.get(), &broken, result_.get()), SINEW_OK) << message_of(result_);
  }

  void add(std::string name, decltype(LongCall::run) run) { calls_.push_back({std::move(name), std::move(run)}); }

  void add_calls() {
    add("make_character", [](auto*, auto* progress, auto* result) {
      sinew_character* made = nullptr;
      const sinew_status status = sinew_make_character(nullptr, progress, &made, result);
      EXPECT_EQ(made, nullptr);
      return status;
    });
    add("recognise", [](auto* character, auto* progress, auto* result) {
      return sinew_recognise(character, nullptr, progress, nullptr, result);
    });
    add("fit", [this](auto* character, auto* progress, auto* result) {
      return sinew_fit(character, source_.get(), nullptr, progress, result);
    });
    add("generate_skeleton", [](auto* character, auto* progress, auto* result) {
      return sinew_generate_skeleton(character, nullptr, progress, result);
    });
    for (const char* method : {"auto", "heat", "atlas", "biharmonic", "skincells", "proximity"}) {
      add(std::string("bind ") + method, [method](auto* character, auto* progress, auto* result) {
        sinew_bind_options options;
        sinew_bind_options_defaults(&options, sizeof options);
        options.method = method;
        return sinew_bind(character, &options, progress, result);
      });
    }
    add("train_weights", [this](auto*, auto* progress, auto* result) {
      return sinew_train_weights(trained_.data(), nullptr, trained_.size(), nullptr, progress, result);
    });
    add("retarget", [this](auto* character, auto* progress, auto* result) {
      return sinew_retarget(character, source_.get(), nullptr, progress, result);
    });
    add("rig", [this](auto* character, auto* progress, auto* result) {
      return sinew_rig(character, source_.get(), nullptr, progress, result);
    });
    add("painter_create", [this](auto* character, auto* progress, auto* result) {
      sinew_painter* made = nullptr;
      const sinew_status status = sinew_painter_create(character, &paint_, progress, &made, result);
      EXPECT_EQ(made, nullptr);
      return status;
    });
    add("painter_solve", [this](auto* character, auto* progress, auto* result) {
      return sinew_painter_solve(painter_.get(), character, 1, progress, result);
    });
    add("make_lods", [](auto* character, auto* progress, auto* result) {
      std::array<sinew_character*, 4> levels{};
      std::size_t count = 0;
      const sinew_status status =
          sinew_make_lods(character, nullptr, progress, levels.data(), levels.size(), &count, result);
      EXPECT_EQ(levels[0], nullptr);
      return status;
    });
    add("simulate", [this](auto*, auto* progress, auto* result) {
      return sinew_simulate(arm_.get(), unfinished_.c_str(), &simulate_, progress, result);
    });
    add("train_correctives", [this](auto*, auto* progress, auto* result) {
      return sinew_train_correctives(shapes_.c_str(), nullptr, progress, result);
    });
    add("evaluate", [this](auto* character, auto* progress, auto* result) {
      return sinew_evaluate(character, source_.get(), nullptr, progress, result);
    });
    add("render", [](auto* character, auto* progress, auto* result) {
      return sinew_render(character, nullptr, progress, result);
    });
    add_skin_calls();
  }

  void add_skin_calls() {
    add("check", [](auto* character, auto* progress, auto* result) {
      sinew_check_report* made = nullptr;
      return sinew_check(character, nullptr, progress, &made, result);
    });
    add("fix", [](auto* character, auto* progress, auto* result) {
      return sinew_fix(character, nullptr, progress, nullptr, result);
    });
    add("picture_finding", [this](auto*, auto* progress, auto* result) {
      return sinew_picture_finding(checked_.get(), 0, nullptr, progress, result);
    });
    add("make_check_page", [this](auto*, auto* progress, auto* result) {
      return sinew_make_check_page(checked_.get(), nullptr, progress, result);
    });
    add("mirror_weights", [](auto* character, auto* progress, auto* result) {
      return sinew_mirror_weights(character, nullptr, progress, result);
    });
    add("smooth_weights", [](auto* character, auto* progress, auto* result) {
      return sinew_smooth_weights(character, nullptr, progress, result);
    });
    add("prune_weights", [](auto* character, auto* progress, auto* result) {
      return sinew_prune_weights(character, nullptr, progress, result);
    });
    add("limit_influences", [](auto* character, auto* progress, auto* result) {
      sinew_limit_options options;
      sinew_limit_options_defaults(&options, sizeof options);
      options.max_influences = 2;
      return sinew_limit_influences(character, &options, progress, result);
    });
    add("transfer_weights", [this](auto* character, auto* progress, auto* result) {
      return sinew_transfer_weights(character, source_.get(), nullptr, progress, result);
    });
    add("copy_weights", [this](auto* character, auto* progress, auto* result) {
      return sinew_copy_weights(character, source_.get(), nullptr, progress, result);
    });
    add("combine_weights", [this](auto* character, auto* progress, auto* result) {
      const sinew_weight_layer layer{source_.get(), nullptr, 0, nullptr};
      return sinew_combine_weights(character, &layer, 1, nullptr, progress, result);
    });
  }

  void expect_unchanged(const std::string& name) {
    EXPECT_EQ(weights_copied(person_), before_) << name;
    sinew_character_info info{};
    info.struct_size = sizeof info;
    EXPECT_EQ(sinew_get_info(person_.get(), &info, nullptr), SINEW_OK) << name;
    EXPECT_EQ(info.joint_count, twice_.character.skeleton.names.size()) << name;
    EXPECT_EQ(info.motion_count, twice_.character.motions.size()) << name;
  }

  Twice twice_;
  ResultHandle result_ = new_result();
  TemporaryFolder folder_;
  std::string shapes_, unfinished_;
  CharacterHandle person_, source_, arm_;
  CheckHandle checked_;
  PainterHandle painter_;
  std::vector<const sinew_character*> trained_;
  sinew_simulate_options simulate_;
  sinew_bind_options paint_;
  const char* few_points_[1] = {"resolution=300"};
  std::vector<LongCall> calls_;
  const std::vector<float> before_ = weights_copied(person_);
};

int stop_at_first(void* user, double fraction, const char* stage) {
  ++*static_cast<int*>(user);
  EXPECT_TRUE(fraction >= 0 && fraction <= 1) << fraction;
  EXPECT_STRNE(stage, "");
  return 1;
}

TEST_F(CLongCalls, AreStoppedByTheirProgressFunction) {
  for (const LongCall& call : calls_) {
    int told = 0;
    const sinew_progress progress{stop_at_first, &told};
    EXPECT_EQ(call.run(person_.get(), &progress, result_.get()), SINEW_CANCELLED)
        << call.name << ": " << message_of(result_);
    EXPECT_GT(told, 0) << call.name;
    expect_unchanged(call.name);
  }
}

int throw_a_number(void*, double, const char*) { throw 7; }

TEST_F(CLongCalls, FailWhenItThrows) {
  for (const LongCall& call : calls_) {
    const sinew_progress progress{throw_a_number, nullptr};
    EXPECT_EQ(call.run(person_.get(), &progress, result_.get()), SINEW_ARGUMENT_INVALID)
        << call.name << ": " << message_of(result_);
    expect_unchanged(call.name);
  }
}

// No call with a progress function is missing above.
TEST_F(CLongCalls, AreAllThatTheHeadersHave) {
  std::size_t declared = 0;
  for (const char* header : {"character_c.h", "pipeline_c.h", "check_c.h", "weight_tools_c.h", "weight_transfer_c.h"}) {
    const std::string text = read_file(std::string(SINEW_PROJECT_DIR "/include/sinew/") + header);
    for (std::size_t at = 0; (at = text.find("const sinew_progress* progress", at)) != std::string::npos; ++at)
      ++declared;
  }
  EXPECT_EQ(declared, calls_.size() - 5);  // bind is there once per method
}

}  // namespace
}  // namespace sinew::test
