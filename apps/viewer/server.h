// The local server behind `sinew view`: the page, the character as binary packets, and the weight methods as jobs.
//
// Who may ask: only programs on this machine (127.0.0.1) that know the address, which begins with a random token. The
// Host and Origin of a request must be the server's own, so that no web page elsewhere can reach it, not even by
// rebinding a name. The server reads and writes no file on request: what is opened later comes in a request's body,
// what is saved goes out in an answer. docs/formats/viewer-protocol.md lists the requests.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "apps/viewer/page.h"
#include "sinew/character.h"

namespace sinew::viewer {

struct ServerOptions {
  std::vector<PageFile> page{};  // load_page; without it only the requests are answered
  std::uint64_t seed = 1;
  int threads = 0;                                       // that each answer and each job may use; 0: all cores
  std::size_t max_request_bytes = 64 << 10;              // a JSON body
  std::size_t max_packet_bytes = std::size_t{64} << 20;  // a stroke or a pose
  std::size_t max_file_bytes = std::size_t{1} << 30;     // a file dropped on the page
  // For the character that is opened: a .sinewc, and a folder of training shapes to measure it against.
  std::filesystem::path correctives{}, truth{};
};

class Server {
 public:
  // Starts to listen on a free port and answers from threads of its own until it is destroyed. `file_name` is what the
  // page shows, without folder. Throws Error(bad_input) for a character without mesh,
  // Error(failed) when there is no port.
  Server(Character character, const std::string& file_name, const ServerOptions& options = {});
  ~Server();

  int port() const;
  const std::string& token() const;
  std::string address() const;  // http://127.0.0.1:PORT/TOKEN/

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace sinew::viewer
