#include "sinew/learn/body_features.h"

#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <string>

#include "sinew/error.h"

namespace sinew {
namespace {

namespace fs = std::filesystem;

std::vector<FeatureMap> run_script(const fs::path& script, const std::vector<FeatureView>& views) {
  NetworkFile file;
  NetworkArray& pictures = file.arrays["pictures"];
  const auto height = static_cast<std::uint32_t>(views.front().picture.height);
  pictures.shape = {static_cast<std::uint32_t>(views.size()), 3, height, height};
  for (const FeatureView& view : views) {
    const FeatureMap picture = shaded_picture(view);
    pictures.values.insert(pictures.values.end(), picture.values.data(), picture.values.data() + picture.values.size());
  }
  const NetworkFile result = parse_network_file(run_torch_program({"features", script.string()}, to_bytes(file)));
  const auto found = result.arrays.find("maps");
  if (found == result.arrays.end() || found->second.shape.size() != 4) {
    throw Error(ErrorCode::process_failed, "no features came back");
  }
  const std::vector<std::uint32_t>& shape = found->second.shape;
  std::vector<FeatureMap> maps;
  const std::size_t each = static_cast<std::size_t>(shape[1]) * shape[2] * shape[3];
  for (std::uint32_t v = 0; v < shape[0]; ++v) {
    maps.push_back({static_cast<int>(shape[2]), static_cast<int>(shape[3]),
                    Eigen::Map<const NetMatrix>(found->second.values.data() + v * each, shape[1],
                                                static_cast<Eigen::Index>(shape[2]) * shape[3])});
  }
  return maps;
}

}  // namespace

BodyFeatures::BodyFeatures(ImageNetwork network) : network_(std::move(network)) {}

BodyFeatures::BodyFeatures(const fs::path& script, int size) : script_(script), size_(size) {
  if (!fs::exists(script)) throw Error(ErrorCode::file_not_found, "there is no file '" + script.string() + "'");
}

NetMatrix BodyFeatures::of_vertices(const TriangleMesh& body) const {
  const std::vector<FeatureView> views = render_feature_views(body, size_);
  if (network_) return gather_features(views, network_->run(views), body.positions, image_certainty_channel);
  return gather_features(views, run_script(script_, views), body.positions, -1);
}

fs::path torch_program_path() {
  std::error_code problem;
  const fs::path own = fs::read_symlink("/proc/self/exe", problem);
  const fs::path program = own.parent_path() / "sinew-torch";
  if (!problem && fs::exists(program)) return program;
  throw Error(ErrorCode::installation_incomplete, "sinew-torch, which runs libtorch, is not beside this program",
              "install libtorch-dev and build the target sinew_torch");
}

namespace {

// `stream`: what becomes its standard input and output; negative: they stay as they are.
pid_t start_torch_program(const std::vector<std::string>& arguments, int stream) {
  const std::string program = torch_program_path().string();
  std::vector<std::string> words{program};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  const pid_t child = fork();
  if (child < 0) throw Error(ErrorCode::system_refused, "cannot start " + program);
  if (child == 0) {
    if (stream >= 0 && (dup2(stream, STDIN_FILENO) < 0 || dup2(stream, STDOUT_FILENO) < 0)) _exit(127);
    execv(program.c_str(), pointers.data());
    _exit(127);
  }
  return child;
}

void wait_for_torch_program(pid_t child) {
  int status = 0;
  while (waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) throw Error(ErrorCode::process_failed, "lost sinew-torch");
  }
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return;
  const int code = WIFEXITED(status) ? WEXITSTATUS(status) : 1;
  throw Error(code == 3 ? ErrorCode::network_invalid : ErrorCode::process_failed,
              "sinew-torch failed; see its message above");
}

// The program reads everything before it answers, so that one after the other cannot block. A program that ends early
// is noticed when it is waited for.
std::vector<std::byte> exchange(int socket, std::span<const std::byte> input) {
  while (!input.empty()) {
    const ssize_t sent = send(socket, input.data(), input.size(), MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) break;
    input = input.subspan(static_cast<std::size_t>(sent));
  }
  shutdown(socket, SHUT_WR);
  std::vector<std::byte> output;
  std::array<std::byte, 1 << 16> buffer;
  for (;;) {
    const ssize_t got = recv(socket, buffer.data(), buffer.size(), 0);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return output;
    output.insert(output.end(), buffer.begin(), buffer.begin() + got);
  }
}

}  // namespace

void run_torch_program(const std::vector<std::string>& arguments) {
  wait_for_torch_program(start_torch_program(arguments, -1));
}

std::vector<std::byte> run_torch_program(const std::vector<std::string>& arguments, std::span<const std::byte> input) {
  std::array<int, 2> ends;
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) {
    throw Error(ErrorCode::system_refused, "no connection to sinew-torch can be made");
  }
  pid_t child = -1;
  try {
    child = start_torch_program(arguments, ends[1]);
  } catch (...) {
    close(ends[0]);
    close(ends[1]);
    throw;
  }
  close(ends[1]);
  std::vector<std::byte> output = exchange(ends[0], input);
  close(ends[0]);
  wait_for_torch_program(child);
  return output;
}

}  // namespace sinew
