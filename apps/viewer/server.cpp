#include "apps/viewer/server.h"

#include <sys/random.h>

#include <charconv>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "apps/viewer/server_state.h"
#include "sinew/base/file_bytes.h"
#include "sinew/base/parallel.h"

namespace sinew::viewer {
namespace {

using httplib::Request;
using httplib::Response;
using nlohmann::json;
using HandlerResponse = httplib::Server::HandlerResponse;

// 128 bits in hexadecimal.
std::string random_token() {
  unsigned char bytes[16];
  if (getrandom(bytes, sizeof bytes, 0) != sizeof bytes) throw Error(ErrorCode::system_refused, "no random numbers");
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

// The threads that answer requests, each within the limit on threads.
class AnsweringThreads : public httplib::ThreadPool {
 public:
  explicit AnsweringThreads(int threads) : ThreadPool(CPPHTTPLIB_THREAD_POOL_COUNT), threads_(threads) {}

  void enqueue(std::function<void()> answer) override {
    ThreadPool::enqueue([this, answer = std::move(answer)] { run_with_threads(threads_, answer); });
  }

 private:
  int threads_;
};

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

}  // namespace

void answer(Response& response, const json& object, int status) {
  response.status = status;
  response.set_content(object.dump(-1, ' ', false, json::error_handler_t::replace), "application/json");
}

void refuse(Response& response, int status, const Error& error) {
  answer(response, {{"error", error_json(error)}}, status);
}

std::uint64_t whole_number(const std::string& text) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) {
    throw Error(ErrorCode::argument_invalid, "'" + text.substr(0, 40) + "' is not a whole number");
  }
  return value;
}

// Everything that can be refused before a byte of the body is read.
HandlerResponse Server::State::check(const Request& request, Response& response) const {
  const auto no = [&](int status, const char* message) {
    refuse(response, status, refused(message));
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
  if (request.has_header("Transfer-Encoding")) return no(411, "state the length of the body");
  if (request.has_header("Content-Encoding")) return no(415, "send the body as it is");
  if (request.get_header_value("Content-Type").rfind("multipart/", 0) == 0) return no(415, "send one plain body");
  if (request.get_header_value_count("Content-Length") > 1) return no(400, "more than one length");
  if (request.has_header("Content-Length")) {
    std::uint64_t length = 0;
    try {
      length = whole_number(request.get_header_value("Content-Length"));
    } catch (const Error&) {
      return no(400, "the length is not a number");
    }
    if (length > allowed_body(request)) return no(413, "the body is too large");
  } else if (request.method == "POST") {
    return no(411, "state the length of the body");
  }
  return HandlerResponse::Unhandled;
}

std::size_t Server::State::allowed_body(const Request& request) const {
  if (request.method != "POST") return 0;
  const auto is = [&](const char* name) { return request.path == "/" + token + "/api/" + name; };
  if (is("open")) return options.max_file_bytes;
  return is("paint") || is("pose") ? options.max_packet_bytes : options.max_request_bytes;
}

Server::Server(Character character, const std::string& file_name, const ServerOptions& options)
    : state_(std::make_unique<State>(options)) {
  State& state = *state_;
  state.token = random_token();
  state.document.open(std::move(character), std::filesystem::path(file_name).filename().string());
  if (!options.correctives.empty()) {
    parse_file(options.correctives, [&](std::span<const std::byte> bytes) {
      state.correctives.load_correctives(bytes, options.correctives.filename().string(), *state.document.opened());
    });
  }
  if (!options.truth.empty()) state.correctives.load_truth(options.truth, *state.document.opened());
  httplib::Server& http = state.http;
  http.new_task_queue = [threads = options.threads] { return new AnsweringThreads(threads); };
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
      refuse(response, status_of(error.kind()), error);
    } catch (const std::exception& error) {
      refuse(response, 500, Error(ErrorCode::internal, error.what()));
    }
  });
  http.set_error_handler([](const Request&, Response& response) {
    if (!response.body.empty()) return;
    refuse(response, response.status, Error(ErrorCode::command_unknown, "nothing here answers to that"));
  });
  state.add_page();
  state.add_reading();
  state.add_changes();
  state.port = http.bind_to_any_port("127.0.0.1");
  if (state.port <= 0) throw Error(ErrorCode::system_refused, "no free port on 127.0.0.1");
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
