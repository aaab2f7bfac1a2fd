// sinew view: the page, on a server that only this machine can reach.
#include <spawn.h>

#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>

#include "apps/viewer/server.h"
#include "character_source.h"
#include "commands.h"
#include "files.h"
#include "session.h"
#include "sinew/bind.h"

extern char** environ;

namespace sinew::cli {
namespace {

struct ViewArguments {
  std::string file, skeleton, correctives, truth;
  bool no_open = false;
};

// Returns false where there is no browser to open.
bool open_browser(const std::string& address) {
  std::string program = "xdg-open", argument = address;
  char* arguments[] = {program.data(), argument.data(), nullptr};
  pid_t child = 0;
  return posix_spawnp(&child, program.c_str(), nullptr, nullptr, arguments, environ) == 0;
}

void run_view(const ViewArguments& options, Session& session) {
  viewer::ServerOptions server_options;
  server_options.page = viewer::load_page(viewer::page_folder());
  Character character = load_with_skeleton(options.file, options.skeleton, session);
  server_options.seed = session.seed();
  server_options.threads = session.threads();
  server_options.correctives = options.correctives;
  server_options.truth = options.truth;
  const viewer::Server server(std::move(character), name_of_input(options.file), server_options);
  session.finish({{"address", server.address()}, {"port", server.port()}}, server.address());
  std::fflush(stdout);
  if (!options.no_open && !open_browser(server.address())) session.say("no browser found: open the address above");
  session.say("Ctrl-C ends it");
  session.wait_for_interrupt();
}

}  // namespace

void add_view_command(Session& session) {
  auto options = std::make_shared<ViewArguments>();
  Command* command =
      session.add_command("view", "open a character in the browser: look, pose, bind, paint, compare, save");
  command->add_option("FILE", options->file, "mesh or character")->required();
  command->add_option("--skeleton", options->skeleton, "skeleton and motions from another file: .glb .gltf .fbx .bvh");
  command->add_option("--correctives", options->correctives,
                      "correctives from sinew train to switch on and off (.sinewc)");
  command->add_option("--truth", options->truth, "folder of training shapes to show errors against");
  command->add_flag("--no-open", options->no_open, "print the address, do not open a browser");
  session.on_run(command, [options, &session] { run_view(*options, session); });
}

}  // namespace sinew::cli
