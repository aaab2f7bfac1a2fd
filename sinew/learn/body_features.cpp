#include "sinew/learn/body_features.h"

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <string>

#include "sinew/error.h"

namespace sinew {
namespace {

namespace fs = std::filesystem;

// A folder of its own that goes away with this object.
class ScratchFolder {
 public:
  ScratchFolder() {
    std::string pattern = (fs::temp_directory_path() / "sinew-XXXXXX").string();
    if (mkdtemp(pattern.data()) == nullptr) throw Error(ErrorCode::system_refused, "cannot make a temporary folder");
    path_ = pattern;
  }
  ~ScratchFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

std::vector<FeatureMap> run_script(const fs::path& script, const std::vector<FeatureView>& views) {
  const ScratchFolder folder;
  NetworkFile file;
  NetworkArray& pictures = file.arrays["pictures"];
  const auto height = static_cast<std::uint32_t>(views.front().picture.height);
  pictures.shape = {static_cast<std::uint32_t>(views.size()), 3, height, height};
  for (const FeatureView& view : views) {
    const FeatureMap picture = shaded_picture(view);
    pictures.values.insert(pictures.values.end(), picture.values.data(), picture.values.data() + picture.values.size());
  }
  const fs::path in = folder.path() / "pictures", out = folder.path() / "maps";
  save_network_file(file, in);
  run_torch_program({"features", script.string(), in.string(), out.string()});
  const NetworkFile result = load_network_file(out);
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

void run_torch_program(const std::vector<std::string>& arguments) {
  const std::string program = torch_program_path().string();
  std::vector<std::string> words{program};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  const pid_t child = fork();
  if (child < 0) throw Error(ErrorCode::system_refused, "cannot start " + program);
  if (child == 0) {
    execv(program.c_str(), pointers.data());
    _exit(127);
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) throw Error(ErrorCode::process_failed, "lost " + program);
  }
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return;
  const int code = WIFEXITED(status) ? WEXITSTATUS(status) : 1;
  throw Error(code == 3 ? ErrorCode::network_invalid : ErrorCode::process_failed,
              "sinew-torch failed; see its message above");
}

}  // namespace sinew
