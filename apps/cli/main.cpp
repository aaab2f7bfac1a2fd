// sinew: the command-line program. Parses, runs one command, and turns an Error into an exit code.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <new>

#include "commands.h"
#include "session.h"

int main(int argc, char** argv) {
  using namespace sinew;
  CLI::App app("Sinew turns a bare mesh into a moving character.", "sinew");
  app.require_subcommand(1);
  app.set_version_flag("--version", SINEW_VERSION);
  app.failure_message(CLI::FailureMessage::simple);
  cli::Session session;
  cli::add_info_command(app, session);
  cli::add_convert_command(app, session);
  cli::add_make_character_command(app, session);
  cli::add_bind_command(app, session);
  cli::add_field_command(app, session);
  cli::add_simulate_command(app, session);
  cli::add_fit_command(app, session);
  cli::add_rig_command(app, session);
  cli::add_retarget_command(app, session);
  cli::add_lod_command(app, session);
  cli::add_train_command(app, session);
  cli::add_pose_command(app, session);
  cli::add_evaluate_command(app, session);
  cli::add_render_command(app, session);
  cli::add_view_command(app, session);

  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : exit_code(ErrorKind::usage);
  }
  try {
    session.run();
    return session.exit_code();
  } catch (const Error& error) {
    session.fail(error);
    return exit_code(error.kind());
  } catch (const std::bad_alloc&) {
    session.fail(Error(ErrorKind::failed, "out of memory", "the input is too large for this machine"));
  } catch (const std::exception& error) {
    session.fail(Error(ErrorKind::failed, error.what()));
  }
  return exit_code(ErrorKind::failed);
}
