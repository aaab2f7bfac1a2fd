#include "apps/viewer/server.h"

#include <httplib.h>
#include <sys/random.h>

#include <charconv>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "apps/viewer/document.h"
#include "apps/viewer/packet.h"
#include "apps/viewer/requests.h"
#include "apps/viewer/worker.h"

namespace sinew::viewer {
namespace {

using httplib::Request;
using httplib::Response;
using nlohmann::json;
using HandlerResponse = httplib::Server::HandlerResponse;

// 128 bits in hexadecimal.
std::string random_token() {
  unsigned char bytes[16];
  if (getrandom(bytes, sizeof bytes, 0) != sizeof bytes) throw Error(ErrorKind::failed, "no random numbers");
  std::string token;
  for (const unsigned char byte : bytes) {
    token += "0123456789abcdef"[byte >> 4];
    token += "0123456789abcdef"[byte & 15];
  }
  return token;
}

// Takes the same time wherever the two differ.
bool same_secret(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  unsigned char difference = 0;
  for (std::size_t i = 0; i < a.size(); ++i) difference |= static_cast<unsigned char>(a[i] ^ b[i]);
  return difference == 0;
}

void answer(Response& response, const json& object, int status = 200) {
  response.status = status;
  response.set_content(object.dump(-1, ' ', false, json::error_handler_t::replace), "application/json");
}

void refuse(Response& response, int status, const std::string& message, const std::string& advice = {}) {
  answer(response, {{"error", {{"message", message}, {"advice", advice}}}}, status);
}

int status_of(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::usage:
    case ErrorKind::bad_input:
      return 400;
    case ErrorKind::cancelled:
      return 409;
    default:
      return 500;
  }
}

// A whole number of a query string or path; refuses what is not one.
std::uint64_t number(const std::string& text) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) {
    throw Error(ErrorKind::usage, "'" + text.substr(0, 40) + "' is not a whole number");
  }
  return value;
}

}  // namespace

struct Server::State {
  ServerOptions options;
  std::string token = random_token();
  int port = 0;
  Document document;
  LiveCache cache;  // used by jobs only, and these run one at a time
  Worker worker;    // behind what its jobs use: it ends first
  httplib::Server http;
  std::thread thread;

  HandlerResponse check(const Request& request, Response& response) const;
  std::size_t allowed_body(const Request& request) const;
  void add_page();
  void add_reading();
  void add_changes();
  void start_job(Response& response, Worker::Job job);
};

// Everything that can be refused before a byte of the body is read.
HandlerResponse Server::State::check(const Request& request, Response& response) const {
  const auto no = [&](int status, const char* message) {
    refuse(response, status, message);
    return HandlerResponse::Handled;
  };
  const std::string here = "127.0.0.1:" + std::to_string(port), local = "localhost:" + std::to_string(port);
  const std::string host = request.get_header_value("Host");
  if (request.get_header_value_count("Host") != 1 || (host != here && host != local)) return no(403, "foreign Host");
  if (request.has_header("Origin") && request.get_header_value("Origin") != "http://" + host) {
    return no(403, "foreign Origin");
  }
  const std::string site = request.get_header_value("Sec-Fetch-Site");
  if (!site.empty() && site != "same-origin" && site != "none") return no(403, "asked from another site");
  const std::string_view path = request.path;
  if (path.size() < token.size() + 2 || path[token.size() + 1] != '/' ||
      !same_secret(path.substr(1, token.size()), token)) {
    return no(403, "wrong or missing token: use the address that sinew view printed");
  }
  if (request.method != "GET" && request.method != "POST") return no(405, "only GET and POST");
  if (request.has_header("Transfer-Encoding")) return no(411, "say the length of the body");
  if (request.has_header("Content-Encoding")) return no(415, "send the body as it is");
  if (request.get_header_value("Content-Type").rfind("multipart/", 0) == 0) return no(415, "send one plain body");
  if (request.get_header_value_count("Content-Length") > 1) return no(400, "more than one length");
  if (request.has_header("Content-Length")) {
    std::uint64_t length = 0;
    try {
      length = number(request.get_header_value("Content-Length"));
    } catch (const Error&) {
      return no(400, "the length is not a number");
    }
    if (length > allowed_body(request)) return no(413, "the body is too large");
  } else if (request.method == "POST") {
    return no(411, "say the length of the body");
  }
  return HandlerResponse::Unhandled;
}

std::size_t Server::State::allowed_body(const Request& request) const {
  if (request.method != "POST") return 0;
  return request.path == "/" + token + "/api/open" ? options.max_file_bytes : options.max_request_bytes;
}

void Server::State::start_job(Response& response, Worker::Job job) {
  const int id = worker.start(std::move(job));
  if (id == 0) return refuse(response, 409, "something else is being computed", "wait for it or cancel it");
  answer(response, {{"job", id}}, 202);
}

void Server::State::add_page() {
  for (const PageFile& file : options.page) {
    http.Get("/" + token + "/" + file.path,
             [&file](const Request&, Response& response) { response.set_content(file.bytes, file.type); });
  }
}

void Server::State::add_reading() {
  const std::string api = "/" + token + "/api/";
  http.Get(api + "methods", [](const Request&, Response& response) { answer(response, describe_methods()); });
  http.Get(api + "state", [this](const Request&, Response& response) { answer(response, document.state()); });
  http.Get(api + "character", [this](const Request&, Response& response) {
    const std::shared_ptr<const OpenedCharacter> opened = document.opened();
    response.set_content(character_packet(opened->character, {{"generation", opened->generation},
                                                              {"has_materials", opened->character.source != nullptr}}),
                         "application/octet-stream");
  });
  http.Get(api + "opened.glb", [this](const Request&, Response& response) {
    response.set_content(opened_glb(document), "model/gltf-binary");
  });
  http.Get(api + "result.glb", [this](const Request&, Response& response) {
    response.set_content(result_glb(document), "model/gltf-binary");
  });
  http.Get(api + "weights/([0-9]{1,9})", [this](const Request& request, Response& response) {
    const auto entry = document.find(static_cast<int>(number(request.matches[1])));
    if (!entry) return refuse(response, 404, "these weights are no longer there");
    response.set_content(weights_packet(entry->weights, {{"id", entry->id}}), "application/octet-stream");
  });
  // Answers when something changed since `after`, or after a second: the page asks again and again.
  http.Get(api + "job", [this](const Request& request, Response& response) {
    if (!request.has_param("after")) return answer(response, to_json(worker.status()));
    const std::uint64_t after = number(request.get_param_value("after"));
    answer(response, to_json(worker.status(after, std::chrono::seconds(1))));
  });
}

void Server::State::add_changes() {
  const std::string api = "/" + token + "/api/";
  http.Post(api + "bind", [this](const Request& request, Response& response) {
    BindRequest parsed = parse_bind_request(request.body, options.seed);
    start_job(response, [this, parsed = std::move(parsed)](const Progress& progress) {
      run_bind(document, cache, parsed, progress);
    });
  });
  http.Post(api + "open", [this](const Request& request, Response& response) {
    const std::string name = request.get_param_value("name");
    if (name.empty() || name.size() > 255 || name.find('\0') != std::string::npos) {
      return refuse(response, 400, "the file needs a name of 1 … 255 bytes");
    }
    auto bytes = std::make_shared<std::string>(request.body);
    start_job(response, [this, name, bytes](const Progress& progress) { run_open(document, name, *bytes, progress); });
  });
  http.Post(api + "cancel/([0-9]{1,9})", [this](const Request& request, Response& response) {
    answer(response, {{"cancelled", worker.cancel(static_cast<int>(number(request.matches[1])))}});
  });
  http.Post(api + "undo", [this](const Request&, Response& response) {
    document.undo();
    answer(response, document.state());
  });
  http.Post(api + "redo", [this](const Request&, Response& response) {
    document.redo();
    answer(response, document.state());
  });
}

Server::Server(Character character, const std::string& file_name, const ServerOptions& options)
    : state_(std::make_unique<State>()) {
  State& state = *state_;
  state.options = options;
  state.document.open(std::move(character), std::filesystem::path(file_name).filename().string());
  httplib::Server& http = state.http;
  // One request per connection: what follows a refused body can never be taken for a request.
  http.set_keep_alive_max_count(1);
  http.set_payload_max_length(options.max_file_bytes);
  http.set_tcp_nodelay(true);
  http.set_read_timeout(10);
  http.set_default_headers({{"Cache-Control", "no-store"},
                            {"Referrer-Policy", "no-referrer"},
                            {"X-Content-Type-Options", "nosniff"},
                            {"X-Frame-Options", "DENY"},
                            {"Cross-Origin-Resource-Policy", "same-origin"},
                            {"Cross-Origin-Opener-Policy", "same-origin"},
                            {"Content-Security-Policy",
                             "default-src 'none'; script-src 'self'; style-src 'self'; connect-src "
                             "'self' blob: data:; img-src 'self' blob: data:; base-uri 'none'; form-action 'none'; "
                             "frame-ancestors 'none'"}});
  http.set_pre_routing_handler(
      [&state](const Request& request, Response& response) { return state.check(request, response); });
  http.set_exception_handler([](const Request&, Response& response, std::exception_ptr thrown) {
    try {
      std::rethrow_exception(thrown);
    } catch (const Error& error) {
      refuse(response, status_of(error.kind()), error.what(), error.advice());
    } catch (const std::exception& error) {
      refuse(response, 500, error.what());
    }
  });
  http.set_error_handler([](const Request&, Response& response) {
    if (response.body.empty()) refuse(response, response.status, "nothing here answers to that");
  });
  state.add_page();
  state.add_reading();
  state.add_changes();
  state.port = http.bind_to_any_port("127.0.0.1");
  if (state.port <= 0) throw Error(ErrorKind::failed, "no free port on 127.0.0.1");
  state.thread = std::thread([&http] { http.listen_after_bind(); });
  // stop() before the loop runs would be lost.
  while (!http.is_running()) std::this_thread::yield();
}

Server::~Server() {
  state_->http.stop();
  state_->thread.join();
}

int Server::port() const { return state_->port; }

const std::string& Server::token() const { return state_->token; }

std::string Server::address() const {
  return "http://127.0.0.1:" + std::to_string(state_->port) + "/" + state_->token + "/";
}

}  // namespace sinew::viewer
