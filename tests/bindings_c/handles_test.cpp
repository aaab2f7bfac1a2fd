// Handles, results, struct sizes and progress of the C interface: every misuse that can be told is told.
#include <stdexcept>
#include <thread>

#include "sinew/error.h"
#include "sinew/version.h"
#include "tests/bindings_c/c_interface.h"

namespace sinew::test {
namespace {

TEST(CStatus, HasTheNumbersAndNamesOfTheErrorCodes) {
  for (const ErrorCode code : all_error_codes()) {
    EXPECT_EQ(sinew_status_name(static_cast<int>(code)), code_name(code));
  }
  EXPECT_STREQ(sinew_status_name(SINEW_OK), "ok");
  EXPECT_STREQ(sinew_status_name(99), "");
  EXPECT_EQ(SINEW_FILE_NOT_FOUND, static_cast<int>(ErrorCode::file_not_found));
  EXPECT_STREQ(sinew_version(), SINEW_VERSION);
  EXPECT_EQ(sinew_version_number(), SINEW_VERSION_NUMBER);
}

TEST(CHandles, NullDestroyedAndForeignOnesAreRefused) {
  const ResultHandle result = new_result();
  sinew_character_info info{};
  info.struct_size = sizeof info;
  EXPECT_EQ(sinew_get_info(nullptr, &info, result.get()), SINEW_ARGUMENT_INVALID);
  EXPECT_NE(message_of(result).find("character"), std::string::npos);

  sinew_character* character = nullptr;
  ASSERT_EQ(sinew_character_create("bar", &character, result.get()), SINEW_OK);
  EXPECT_EQ(message_of(result), "");
  EXPECT_EQ(sinew_get_info(character, &info, nullptr), SINEW_OK);
  EXPECT_STREQ(info.name, "bar");
  sinew_character_destroy(character);
  sinew_character_destroy(character);
  sinew_character_destroy(nullptr);
  EXPECT_EQ(sinew_get_info(character, &info, result.get()), SINEW_ARGUMENT_INVALID);
  EXPECT_NE(message_of(result).find("destroyed"), std::string::npos);

  // A number is used once, so the destroyed handle does not come alive as another character.
  sinew_character* next = nullptr;
  ASSERT_EQ(sinew_character_create("next", &next, nullptr), SINEW_OK);
  EXPECT_NE(next, character);
  EXPECT_EQ(sinew_get_info(character, &info, nullptr), SINEW_ARGUMENT_INVALID);
  sinew_character_destroy(next);

  auto* foreign = reinterpret_cast<sinew_character*>(result.get());
  EXPECT_EQ(sinew_get_info(foreign, &info, nullptr), SINEW_ARGUMENT_INVALID);
  int on_the_stack = 0;
  EXPECT_EQ(sinew_get_info(reinterpret_cast<sinew_character*>(&on_the_stack), &info, nullptr), SINEW_ARGUMENT_INVALID);
}

TEST(CResult, TellsWhatWentWrongUntilTheNextCall) {
  const ResultHandle result = new_result();
  sinew_character* character = nullptr;
  EXPECT_EQ(sinew_load("no_such_file.glb", nullptr, &character, result.get()), SINEW_FILE_NOT_FOUND);
  EXPECT_EQ(character, nullptr);
  EXPECT_EQ(sinew_result_status(result.get()), SINEW_FILE_NOT_FOUND);
  EXPECT_NE(message_of(result).find("no_such_file.glb"), std::string::npos);
  ASSERT_EQ(sinew_character_create("x", &character, result.get()), SINEW_OK);
  sinew_character_destroy(character);
  EXPECT_EQ(sinew_result_status(result.get()), SINEW_OK);
  EXPECT_EQ(message_of(result), "");
}

TEST(CResult, ADestroyedOneIsRefusedAndAnswersNothing) {
  sinew_result* result = sinew_result_create();
  sinew_result_destroy(result);
  sinew_result_destroy(result);
  sinew_character* character = nullptr;
  EXPECT_EQ(sinew_character_create("x", &character, result), SINEW_ARGUMENT_INVALID);
  EXPECT_EQ(character, nullptr);
  EXPECT_EQ(sinew_result_status(result), SINEW_ARGUMENT_INVALID);
  EXPECT_STREQ(sinew_result_message(result), "");
  EXPECT_STREQ(sinew_result_json(nullptr), "");
  EXPECT_EQ(sinew_result_warning_count(result), 0u);
  EXPECT_EQ(sinew_result_file_count(nullptr), 0u);
  double number = 0;
  EXPECT_EQ(sinew_result_number(result, "x", &number), SINEW_ARGUMENT_INVALID);
  std::size_t count = 1;
  EXPECT_EQ(sinew_result_values(result, &count), nullptr);
  EXPECT_EQ(count, 0u);
}

TEST(CResult, IndicesAndNamesThatAreNotThereAreRefused) {
  const ResultHandle result = new_result();
  ASSERT_EQ(sinew_list_methods(result.get()), SINEW_OK);
  EXPECT_NE(std::string(sinew_result_json(result.get())).find("\"heat\""), std::string::npos);
  EXPECT_EQ(sinew_result_warning(result.get(), 0, nullptr, nullptr), SINEW_ARGUMENT_INVALID);
  EXPECT_EQ(sinew_result_file(result.get(), 0, nullptr, nullptr, nullptr), SINEW_ARGUMENT_INVALID);
  double number = 0;
  EXPECT_EQ(sinew_result_number(result.get(), "no such number", &number), SINEW_CHOICE_UNKNOWN);
  EXPECT_EQ(sinew_result_number(result.get(), nullptr, &number), SINEW_ARGUMENT_INVALID);
}

TEST(CStructs, SizesThatNoVersionHasAreRefused) {
  const ResultHandle result = new_result();
  const CharacterHandle bar = c_bar();
  sinew_bind_options options;
  sinew_bind_options_defaults(&options, sizeof options);
  EXPECT_EQ(options.struct_size, sizeof options);
  const std::size_t first_version = offsetof(sinew_bind_options, part_count);
  for (const std::size_t size : {std::size_t{0}, std::size_t{4}, first_version - 8, sizeof options + 8, SIZE_MAX}) {
    options.struct_size = size;
    EXPECT_EQ(sinew_bind(bar.get(), &options, nullptr, result.get()), SINEW_ARGUMENT_INVALID) << size;
    EXPECT_NE(message_of(result).find("struct_size"), std::string::npos);
    EXPECT_NE(std::string(sinew_result_advice(result.get())), "");
  }
  sinew_mesh_arrays mesh{};
  EXPECT_EQ(sinew_get_mesh(bar.get(), &mesh, result.get()), SINEW_ARGUMENT_INVALID);
  EXPECT_EQ(mesh.positions, nullptr);
  EXPECT_EQ(sinew_get_mesh(bar.get(), nullptr, result.get()), SINEW_ARGUMENT_INVALID);
}

TEST(CStructs, MembersThatACallerDoesNotKnowAreNotRead) {
  const ResultHandle result = new_result();
  const CharacterHandle bar = c_bar();
  sinew_bind_options bind;
  sinew_bind_options_defaults(&bind, sizeof bind);
  bind.method = "proximity";
  bind.struct_size = offsetof(sinew_bind_options, part_count);
  bind.part_count = SIZE_MAX;
  bind.parts = reinterpret_cast<const sinew_part_rule*>(std::uintptr_t{8});
  EXPECT_EQ(sinew_bind(bar.get(), &bind, nullptr, result.get()), SINEW_OK) << message_of(result);
  sinew_fit_options fit;
  sinew_fit_options_defaults(&fit, sizeof fit);
  fit.struct_size = offsetof(sinew_fit_options, up);
  fit.kind = reinterpret_cast<const char*>(std::uintptr_t{8});
  EXPECT_NE(sinew_fit(bar.get(), nullptr, &fit, nullptr, result.get()), SINEW_OK);
  sinew_weight_selection selection{};
  selection.struct_size = offsetof(sinew_weight_selection, parts);
  selection.parts = reinterpret_cast<const char*>(std::uintptr_t{8});
  sinew_prune_options prune;
  sinew_prune_options_defaults(&prune, sizeof prune);
  prune.selection = &selection;
  EXPECT_EQ(sinew_prune_weights(bar.get(), &prune, nullptr, result.get()), SINEW_OK) << message_of(result);
}

TEST(CStructs, TheStructOfTheFirstVersionIsTaken) {
  const ResultHandle result = new_result();
  const CharacterHandle bar = c_bar();
  sinew_lod_options options;
  sinew_lod_options_defaults(&options, sizeof options);
  options.struct_size = offsetof(sinew_lod_options, keep_seams) + sizeof options.keep_seams;
  ASSERT_LT(options.struct_size, sizeof options);
  options.levels = 2;
  sinew_character* levels[2];
  std::size_t count = 0;
  EXPECT_EQ(sinew_make_lods(bar.get(), &options, nullptr, levels, 2, &count, result.get()), SINEW_OK)
      << message_of(result);
  EXPECT_EQ(count, 2u);
  for (sinew_character* level : levels) sinew_character_destroy(level);
}

TEST(CStructs, DefaultsFillNoMoreThanTheCallerKnows) {
  const ResultHandle result = new_result();
  const CharacterHandle bar = c_bar();
  // An earlier header: what lies behind its struct is not its own.
  alignas(sinew_fit_options) unsigned char memory[sizeof(sinew_fit_options)];
  const std::size_t known = offsetof(sinew_fit_options, up);
  std::memset(memory, 0xa5, sizeof memory);
  auto* earlier = reinterpret_cast<sinew_fit_options*>(memory);
  sinew_fit_options_defaults(earlier, known);
  sinew_fit_options whole;
  sinew_fit_options_defaults(&whole, sizeof whole);
  EXPECT_EQ(earlier->struct_size, known);
  EXPECT_EQ(earlier->cells, whole.cells);
  EXPECT_EQ(earlier->symmetric, whole.symmetric);
  for (std::size_t i = known; i < sizeof memory; ++i) EXPECT_EQ(memory[i], 0xa5) << i;

  // A later header: the rest is zero, and calls say that they do not know it.
  struct Later {
    sinew_bind_options options;
    double more;
  } later;
  later.more = 1;
  sinew_bind_options_defaults(&later.options, sizeof later);
  EXPECT_EQ(later.options.struct_size, sizeof later);
  EXPECT_EQ(later.more, 0);
  EXPECT_STREQ(later.options.method, "auto");
  EXPECT_EQ(sinew_bind(bar.get(), &later.options, nullptr, result.get()), SINEW_ARGUMENT_INVALID);
  EXPECT_NE(std::string(sinew_result_advice(result.get())).find("newer version"), std::string::npos);

  // Not even a struct_size fits.
  unsigned char small[4] = {1, 2, 3, 4};
  sinew_load_options_defaults(reinterpret_cast<sinew_load_options*>(small), sizeof small);
  EXPECT_EQ(small[0], 1);
}

TEST(CStructs, DefaultsOfNullAreIgnored) {
  sinew_load_options_defaults(nullptr, 0);
  sinew_save_options_defaults(nullptr, 0);
  sinew_builtin_options_defaults(nullptr, 0);
  sinew_fit_options_defaults(nullptr, 0);
  sinew_bind_options_defaults(nullptr, 0);
  sinew_retarget_options_defaults(nullptr, 0);
  sinew_rig_options_defaults(nullptr, 0);
  sinew_lod_options_defaults(nullptr, 0);
  sinew_simulate_options_defaults(nullptr, 0);
  sinew_train_options_defaults(nullptr, 0);
  sinew_train_weights_options_defaults(nullptr, 0);
  sinew_evaluate_options_defaults(nullptr, 0);
  sinew_render_options_defaults(nullptr, 0);
}

TEST(CCopies, ShareArraysUntilOneIsChanged) {
  const ResultHandle result = new_result();
  const CharacterHandle bar = c_bar();
  sinew_character* copied = nullptr;
  ASSERT_EQ(sinew_character_copy(bar.get(), &copied, result.get()), SINEW_OK);
  const CharacterHandle copy(copied);
  const float* positions = mesh_of(bar).positions;
  EXPECT_EQ(mesh_of(copy).positions, positions);
  ASSERT_EQ(sinew_bind(bar.get(), nullptr, nullptr, result.get()), SINEW_OK) << message_of(result);
  EXPECT_EQ(mesh_of(copy).positions, positions);
  EXPECT_EQ(weights_of(copy).vertex_count, 0u);
  EXPECT_GT(weights_of(bar).vertex_count, 0u);
  EXPECT_NE(mesh_of(bar).positions, positions);
}

int cancel_at_once(void*, double, const char*) { return 1; }

TEST(CProgress, CancelsAndLeavesTheCharacterAsItWas) {
  const ResultHandle result = new_result();
  const CharacterHandle bar = c_bar();
  const sinew_progress progress{cancel_at_once, nullptr};
  EXPECT_EQ(sinew_bind(bar.get(), nullptr, &progress, result.get()), SINEW_CANCELLED);
  EXPECT_EQ(weights_of(bar).vertex_count, 0u);
  const sinew_progress nobody{nullptr, nullptr};
  EXPECT_EQ(sinew_bind(bar.get(), nullptr, &nobody, result.get()), SINEW_OK) << message_of(result);
}

int throw_something(void*, double, const char*) { throw std::runtime_error("from the outside"); }

TEST(CProgress, AFunctionThatThrowsMakesTheCallFail) {
  const ResultHandle result = new_result();
  const CharacterHandle bar = c_bar();
  const sinew_progress progress{throw_something, nullptr};
  EXPECT_EQ(sinew_bind(bar.get(), nullptr, &progress, result.get()), SINEW_ARGUMENT_INVALID);
  EXPECT_NE(message_of(result).find("progress"), std::string::npos);
  EXPECT_EQ(sinew_bind(bar.get(), nullptr, nullptr, result.get()), SINEW_OK) << message_of(result);
}

void throw_in_save_state(void*, const void*, std::size_t) { throw std::runtime_error("from the outside"); }

TEST(CProgress, ASaveStateThatThrowsMakesTheCallFail) {
  const ResultHandle result = new_result();
  const CharacterHandle bar = c_bar();
  sinew_bind_options options;
  sinew_bind_options_defaults(&options, sizeof options);
  const char* values[] = {"steps=10", "fit-steps=5"};
  options.method = "skincells";
  options.values = values;
  options.value_count = 2;
  options.save_state = throw_in_save_state;
  EXPECT_EQ(sinew_bind(bar.get(), &options, nullptr, result.get()), SINEW_ARGUMENT_INVALID);
  EXPECT_NE(message_of(result).find("save_state"), std::string::npos) << message_of(result);
  EXPECT_EQ(weights_of(bar).vertex_count, 0u);
}

struct Meddler {
  sinew_character* character;
  sinew_result* result;
  sinew_status reading, result_use;
};

int meddle(void* user, double fraction, const char* stage) {
  auto* meddler = static_cast<Meddler*>(user);
  EXPECT_GE(fraction, 0.0);
  EXPECT_LE(fraction, 1.0);
  EXPECT_NE(stage, nullptr);
  sinew_character_info info{};
  info.struct_size = sizeof info;
  const sinew_status reading = sinew_get_info(meddler->character, &info, nullptr);
  if (meddler->reading == SINEW_OK) meddler->reading = reading;
  meddler->result_use = sinew_list_methods(meddler->result);
  sinew_character_destroy(meddler->character);  // the call goes on, then it is gone
  return 0;
}

TEST(CProgress, WhatACallUsesIsRefusedToOthers) {
  const ResultHandle result = new_result();
  CharacterHandle bar = c_bar();
  Meddler meddler{bar.release(), result.get(), SINEW_OK, SINEW_OK};
  const sinew_progress progress{meddle, &meddler};
  EXPECT_EQ(sinew_bind(meddler.character, nullptr, &progress, result.get()), SINEW_OK) << message_of(result);
  EXPECT_EQ(meddler.reading, SINEW_NOT_NOW);
  EXPECT_EQ(meddler.result_use, SINEW_NOT_NOW);
  sinew_character_info info{};
  info.struct_size = sizeof info;
  EXPECT_EQ(sinew_get_info(meddler.character, &info, nullptr), SINEW_ARGUMENT_INVALID);
}

TEST(CProgress, OneCharacterTwiceInACallIsRefused) {
  const ResultHandle result = new_result();
  const CharacterHandle bar = c_bar();
  EXPECT_EQ(sinew_use_skeleton(bar.get(), bar.get(), result.get()), SINEW_NOT_NOW);
  EXPECT_NE(std::string(sinew_result_advice(result.get())).find("copy"), std::string::npos);
}

TEST(CThreads, CopiesAreBoundAtTheSameTimeWithTheSameBits) {
  const CharacterHandle bar = c_bar();
  ASSERT_EQ(sinew_bind(bar.get(), nullptr, nullptr, nullptr), SINEW_OK);
  const std::vector<float> expected = weights_copied(bar);
  std::vector<std::vector<float>> found(4);
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < found.size(); ++i) {
    threads.emplace_back([&, i] {
      for (int again = 0; again < 3; ++again) {
        sinew_character* copied = nullptr;
        ASSERT_EQ(sinew_character_copy(bar.get(), &copied, nullptr), SINEW_OK);
        const CharacterHandle copy(copied);
        ASSERT_EQ(sinew_bind(copied, nullptr, nullptr, nullptr), SINEW_OK);
        found[i] = weights_copied(copy);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const std::vector<float>& weights : found) EXPECT_EQ(weights, expected);
}

}  // namespace
}  // namespace sinew::test
