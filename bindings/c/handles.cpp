#include "bindings/c/handles.h"

#include "bindings/c/format_names.h"

namespace sinew::binding {
namespace {

template <typename Handle, typename Object>
std::shared_ptr<Object> found(Registry<Handle, Object>& registry, const Handle* handle, const char* name) {
  if (handle == nullptr) throw Error(ErrorCode::argument_invalid, std::string(name) + " is missing: NULL");
  std::shared_ptr<Object> object = registry.find(handle);
  if (!object) {
    throw Error(ErrorCode::argument_invalid,
                std::string(name) + " is not a living " + Object::kind + ": it was destroyed, or is another handle");
  }
  return object;
}

Error busy(const char* name) {
  return Error(ErrorCode::not_now, std::string(name) + " is in use by another call, or twice in this one",
               "wait until the other call has returned, or give a copy");
}

}  // namespace

bool Use::begin_reading() {
  int users = users_.load(std::memory_order_relaxed);
  while (users >= 0) {
    if (users_.compare_exchange_weak(users, users + 1, std::memory_order_acquire)) return true;
  }
  return false;
}

void Use::end_reading() { users_.fetch_sub(1, std::memory_order_release); }

bool Use::begin_writing() {
  int nobody = 0;
  return users_.compare_exchange_strong(nobody, -1, std::memory_order_acquire);
}

void Use::end_writing() { users_.store(0, std::memory_order_release); }

void ResultObject::clear() {
  status = 0;
  for (std::string* text : {&message, &advice, &option, &json}) text->clear();
  warnings.clear();
  numbers.clear();
  values = {};
  files.clear();
  explains_failure = false;
}

void CharacterState::describe() {
  joint_names.clear();
  parts.clear();
  for (const std::string& name : character.skeleton.names) joint_names.push_back(name.c_str());
  for (const Part& part : character.parts) {
    parts.push_back({part.name.c_str(), part.material.c_str(), part.first_vertex, part.vertex_count,
                     part.first_triangle, part.triangle_count, static_cast<int>(part.binding)});
  }
  format = character.format ? name_of_format(*character.format) : "";
}

std::uintptr_t next_handle() {
  static std::atomic<std::uintptr_t> last{0};
  return ++last;
}

// Never destroyed: languages with finalisers destroy handles while the process ends.
Results& results() {
  static auto* const registry = new Results;
  return *registry;
}

Characters& characters() {
  static auto* const registry = new Characters;
  return *registry;
}

Painters& painters() {
  static auto* const registry = new Painters;
  return *registry;
}

CheckReports& check_reports() {
  static auto* const registry = new CheckReports;
  return *registry;
}

FixReports& fix_reports() {
  static auto* const registry = new FixReports;
  return *registry;
}

sinew_character* new_handle(Character character) {
  auto object = std::make_shared<CharacterObject>();
  object->state = std::make_shared<CharacterState>();
  object->state->character = std::move(character);
  object->state->describe();
  return characters().add(std::move(object));
}

std::shared_ptr<CharacterObject> object_of(const sinew_character* handle, const char* name) {
  return found(characters(), handle, name);
}

std::shared_ptr<PainterObject> object_of(const sinew_painter* handle, const char* name) {
  return found(painters(), handle, name);
}

std::shared_ptr<CheckReportObject> object_of(const sinew_check_report* handle, const char* name) {
  return found(check_reports(), handle, name);
}

std::shared_ptr<FixReportObject> object_of(const sinew_fix_report* handle, const char* name) {
  return found(fix_reports(), handle, name);
}

Reading::Reading(const sinew_character* handle, const char* name) : object_(object_of(handle, name)) {
  if (!object_->use.begin_reading()) throw busy(name);
}

Reading::~Reading() { object_->use.end_reading(); }

Writing::Writing(sinew_character* handle, const char* name) : object_(object_of(handle, name)) {
  if (!object_->use.begin_writing()) throw busy(name);
  try {
    if (object_->state.use_count() > 1) {
      auto own = std::make_shared<CharacterState>();
      own->character = object_->state->character;
      own->describe();
      object_->state = std::move(own);
    }
  } catch (...) {
    object_->use.end_writing();
    throw;
  }
  // A copy that was let go by another thread has read for the last time.
  std::atomic_thread_fence(std::memory_order_acquire);
}

Writing::~Writing() { object_->use.end_writing(); }

}  // namespace sinew::binding
