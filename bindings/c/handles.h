// What handles of the C interface stand for, and how calls get hold of it.
//
// A handle is a number in the shape of a pointer. The registry knows the living ones and gives out every number once, so
// a destroyed handle is told from a new one without touching memory. The registry is the only state of the process that
// the library keeps.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include "sinew/character.h"
#include "sinew/fix.h"
#include "sinew/io.h"
#include "sinew/paint.h"
#include "sinew/sinew_c.h"

namespace sinew::binding {

// Any number of readers or one writer; who comes second is refused instead of waiting, because it may be the progress
// function of the first.
class Use {
 public:
  bool begin_reading();
  void end_reading();
  bool begin_writing();
  void end_writing();

 private:
  std::atomic<int> users_{0};  // -1: one writer
};

struct ResultObject {
  static constexpr const char* kind = "result";
  Use use;
  int status = 0;
  std::string message, advice, option, json;
  Warnings warnings;
  std::map<std::string, double> numbers;
  std::vector<float> values;
  std::vector<WrittenFile> files;
  bool explains_failure = false;  // report and files stay when the call fails

  void clear();
};

// A character with what the C structs need beside it. Shared by copies of a character; whoever changes it while it is
// shared makes his own first.
struct CharacterState {
  Character character;
  std::vector<const char*> joint_names;
  std::vector<sinew_part> parts;
  std::string format;

  void describe();  // fills what follows from the character
};

struct CharacterObject {
  static constexpr const char* kind = "character";
  Use use;
  std::shared_ptr<CharacterState> state;
};

struct PainterObject {
  static constexpr const char* kind = "painter";
  PainterObject(WeightPainter made, Character of, std::vector<WeightPin> given)
      : painter(std::move(made)), character(std::move(of)), pins(std::move(given)) {}

  WeightPainter painter;
  Character character;  // that it was made for, without motions
  std::vector<WeightPin> pins;
  Use use{};
};

// What a check found in a character, which stays as it was then. Nobody changes it, so any number of calls may read it.
struct CheckReportObject {
  static constexpr const char* kind = "check report";
  std::shared_ptr<const CharacterState> state;
  CheckReport report;
};

struct FixReportObject {
  static constexpr const char* kind = "fix report";
  std::shared_ptr<CheckReportObject> before, after;
  std::vector<Repair> repairs;
  std::vector<std::string> beyond_weights;
  std::vector<const char*> beyond;  // the same for C
};

std::uintptr_t next_handle();

template <typename Handle, typename Object>
class Registry {
 public:
  Handle* add(std::shared_ptr<Object> object) {
    const std::scoped_lock lock(mutex_);
    const std::uintptr_t number = next_handle();
    living_.emplace(number, std::move(object));
    return reinterpret_cast<Handle*>(number);
  }
  // Null for what is not a living handle.
  std::shared_ptr<Object> find(const Handle* handle) {
    const std::scoped_lock lock(mutex_);
    const auto at = living_.find(reinterpret_cast<std::uintptr_t>(handle));
    return at == living_.end() ? nullptr : at->second;
  }
  void remove(const Handle* handle) {
    std::shared_ptr<Object> last;  // goes outside the lock
    const std::scoped_lock lock(mutex_);
    const auto at = living_.find(reinterpret_cast<std::uintptr_t>(handle));
    if (at == living_.end()) return;
    last = std::move(at->second);
    living_.erase(at);
  }

 private:
  std::mutex mutex_;
  std::unordered_map<std::uintptr_t, std::shared_ptr<Object>> living_;
};

using Results = Registry<sinew_result, ResultObject>;
using Characters = Registry<sinew_character, CharacterObject>;
using Painters = Registry<sinew_painter, PainterObject>;
using CheckReports = Registry<sinew_check_report, CheckReportObject>;
using FixReports = Registry<sinew_fix_report, FixReportObject>;

Results& results();
Characters& characters();
Painters& painters();
CheckReports& check_reports();
FixReports& fix_reports();

sinew_character* new_handle(Character character);

// The object of a handle. Throws Error(usage) for NULL, a destroyed handle or one of another kind.
std::shared_ptr<CharacterObject> object_of(const sinew_character* handle, const char* name);
std::shared_ptr<PainterObject> object_of(const sinew_painter* handle, const char* name);
std::shared_ptr<CheckReportObject> object_of(const sinew_check_report* handle, const char* name);
std::shared_ptr<FixReportObject> object_of(const sinew_fix_report* handle, const char* name);

// Uses a character without changing it. `name`: what messages call it.
class Reading {
 public:
  Reading(const sinew_character* handle, const char* name);
  ~Reading();
  Reading(const Reading&) = delete;
  Reading& operator=(const Reading&) = delete;

  const Character& operator*() const { return object_->state->character; }
  const Character* operator->() const { return &object_->state->character; }
  const std::shared_ptr<CharacterState>& state() const { return object_->state; }

 private:
  std::shared_ptr<CharacterObject> object_;
};

// Uses a character alone, to change it.
class Writing {
 public:
  Writing(sinew_character* handle, const char* name);
  ~Writing();
  Writing(const Writing&) = delete;
  Writing& operator=(const Writing&) = delete;

  Character& operator*() const { return object_->state->character; }
  Character* operator->() const { return &object_->state->character; }
  const std::shared_ptr<CharacterState>& state() const { return object_->state; }
  // After every change.
  void done() const { object_->state->describe(); }

 private:
  std::shared_ptr<CharacterObject> object_;
};

}  // namespace sinew::binding
