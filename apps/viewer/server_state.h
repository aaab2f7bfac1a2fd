// What the two halves of the server share: server.cpp decides who is answered, routes.cpp what the answer is.
#pragma once

#include <httplib.h>

#include <nlohmann/json.hpp>

#include "apps/viewer/corrective_view.h"
#include "apps/viewer/document.h"
#include "apps/viewer/levels.h"
#include "apps/viewer/paint.h"
#include "apps/viewer/refusal.h"
#include "apps/viewer/server.h"
#include "apps/viewer/worker.h"

namespace sinew::viewer {

struct Server::State {
  explicit State(const ServerOptions& options_in) : options(options_in) {}

  ServerOptions options;
  std::string token;
  int port = 0;
  Document document;
  CorrectiveView correctives;
  Levels levels;
  Binder binder;  // these two are used by jobs only, and jobs run one at a time
  PaintJobs painter;
  Worker worker{options.threads};  // behind what its jobs use: it ends first
  httplib::Server http;
  std::thread thread;

  httplib::Server::HandlerResponse check(const httplib::Request& request, httplib::Response& response) const;
  std::size_t allowed_body(const httplib::Request& request) const;
  nlohmann::json state() const;
  // Every request that is answered, behind the token.
  void add_page();
  void add_reading();
  void add_changes();
  void start_job(httplib::Response& response, Worker::Job job);
};

void answer(httplib::Response& response, const nlohmann::json& object, int status = 200);
void refuse(httplib::Response& response, int status, const Error& error);
// A whole number of a query string, path or header. Throws Error(usage) for what is not one.
std::uint64_t whole_number(const std::string& text);

}  // namespace sinew::viewer
