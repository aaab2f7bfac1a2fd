// sinew: the command-line program. Parses, runs one command, and turns an Error into an exit code.
#include <new>

#include "commands.h"
#include "session.h"
#include "sinew/version.h"

int main(int argc, char** argv) {
  using namespace sinew;
  cli::CommandLine line("sinew", "Sinew turns a bare mesh into a moving character.", version());
  cli::Session session(line);
  cli::add_info_command(session);
  cli::add_convert_command(session);
  cli::add_make_character_command(session);
  cli::add_bind_command(session);
  cli::add_weights_command(session);
  cli::add_field_command(session);
  cli::add_simulate_command(session);
  cli::add_fit_command(session);
  cli::add_rig_command(session);
  cli::add_retarget_command(session);
  cli::add_lod_command(session);
  cli::add_train_command(session);
  cli::add_train_fit_command(session);
  cli::add_train_weights_command(session);
  cli::add_pose_command(session);
  cli::add_evaluate_command(session);
  cli::add_check_command(session);
  cli::add_fix_command(session);
  cli::add_render_command(session);
  cli::add_view_command(session);
  cli::add_completion_command(session);
  cli::add_help_command(session);

  try {
    if (line.parse(argc, argv) == cli::CommandLine::Outcome::answered) return 0;
    session.run();
    return session.exit_code();
  } catch (const Error& error) {
    session.fail(error);
    return exit_code(error.kind());
  } catch (const std::bad_alloc&) {
    session.fail(Error(ErrorCode::out_of_memory, "out of memory", "the input is too large for this machine"));
  } catch (const std::exception& error) {
    session.fail(Error(ErrorCode::internal, error.what()));
  }
  return exit_code(ErrorKind::failed);
}
