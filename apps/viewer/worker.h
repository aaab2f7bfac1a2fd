// One thread that computes what the page asks for, one job at a time, so that the server always answers.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <thread>

#include "sinew/error.h"
#include "sinew/progress.h"

namespace sinew::viewer {

enum class JobState { running, done, failed, cancelled };

struct JobStatus {
  int id = 0;  // counts from 1; 0 means that there was none yet
  JobState state = JobState::done;
  double fraction = 0;
  std::string stage;
  std::optional<Error> error;  // when failed
  std::uint64_t version = 0;   // grows with every change
};

nlohmann::json to_json(const JobStatus& status);

class Worker {
 public:
  using Job = std::function<void(const Progress&)>;

  // `threads`: that a job may use; 0: all cores.
  explicit Worker(int threads = 0);
  ~Worker();  // cancels and waits

  // Returns the new job's id, or 0 while another one runs.
  int start(Job job);
  // Asks the job to stop; returns false when it is not the one that runs. It ends as cancelled at its next report.
  bool cancel(int id);
  // The last job. Waits up to `patience` while nothing changes since `version`.
  JobStatus status(std::uint64_t version = 0, std::chrono::milliseconds patience = {});

 private:
  void run();
  void finish(JobState state, const std::optional<Error>& error = {});

  int threads_;
  std::mutex mutex_;
  std::condition_variable changed_;
  JobStatus status_;
  Job next_;
  std::atomic<bool> cancel_{false};
  bool stop_ = false;
  std::thread thread_;  // last: it uses all of the above
};

}  // namespace sinew::viewer
