#include "apps/viewer/worker.h"

#include <utility>

#include "apps/viewer/refusal.h"
#include "sinew/base/parallel.h"

namespace sinew::viewer {
namespace {

const char* state_name(JobState state) {
  switch (state) {
    case JobState::running:
      return "running";
    case JobState::done:
      return "done";
    case JobState::failed:
      return "failed";
    case JobState::cancelled:
      return "cancelled";
  }
  return "failed";
}

}  // namespace

nlohmann::json to_json(const JobStatus& status) {
  nlohmann::json object = {{"id", status.id},
                           {"state", state_name(status.state)},
                           {"fraction", status.fraction},
                           {"stage", status.stage},
                           {"version", status.version}};
  if (status.error) object["error"] = error_json(*status.error);
  return object;
}

Worker::Worker(int threads) : threads_(threads), thread_([this] { run(); }) {}

Worker::~Worker() {
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
    cancel_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

int Worker::start(Job job) {
  const std::lock_guard lock(mutex_);
  if (status_.state == JobState::running) return 0;
  cancel_ = false;
  next_ = std::move(job);
  JobStatus fresh;
  fresh.id = status_.id + 1;
  fresh.state = JobState::running;
  fresh.version = status_.version + 1;
  status_ = fresh;
  changed_.notify_all();
  return status_.id;
}

bool Worker::cancel(int id) {
  const std::lock_guard lock(mutex_);
  if (status_.id != id || status_.state != JobState::running) return false;
  cancel_ = true;
  return true;
}

JobStatus Worker::status(std::uint64_t version, std::chrono::milliseconds patience) {
  std::unique_lock lock(mutex_);
  changed_.wait_for(lock, patience, [&] { return stop_ || status_.version != version; });
  return status_;
}

void Worker::finish(JobState state, const std::optional<Error>& error) {
  const std::lock_guard lock(mutex_);
  status_.state = state;
  status_.error = error;
  if (state == JobState::done) status_.fraction = 1;
  ++status_.version;
  changed_.notify_all();
}

void Worker::run() {
  const Progress progress(
      [this](double fraction, std::string_view stage) {
        const std::lock_guard lock(mutex_);
        // A change of a thousandth is not worth a wake-up.
        if (fraction < status_.fraction + 1e-3 && stage == status_.stage) return;
        status_.fraction = fraction;
        status_.stage = stage;
        ++status_.version;
        changed_.notify_all();
      },
      &cancel_);
  while (true) {
    Job job;
    {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [this] { return stop_ || next_; });
      if (stop_) return;
      job = std::exchange(next_, nullptr);
    }
    try {
      with_threads(threads_, progress, [&] { job(progress); });
      finish(JobState::done);
    } catch (const Error& error) {
      if (error.kind() == ErrorKind::cancelled) {
        finish(JobState::cancelled);
      } else {
        finish(JobState::failed, error);
      }
    } catch (const std::bad_alloc&) {
      finish(JobState::failed,
             Error(ErrorCode::out_of_memory, "out of memory", "the character is too large for this machine"));
    } catch (const std::exception& error) {
      finish(JobState::failed, Error(ErrorCode::internal, error.what()));
    }
  }
}

}  // namespace sinew::viewer
