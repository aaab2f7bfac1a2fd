// The list of commands; each lives in NAME_command.cpp. main.cpp calls them in this order, which is the order of
// --help.
#pragma once

namespace CLI {
class App;
}

namespace sinew::cli {

class Session;

void add_info_command(CLI::App& app, Session& session);
void add_convert_command(CLI::App& app, Session& session);
void add_make_character_command(CLI::App& app, Session& session);
void add_bind_command(CLI::App& app, Session& session);
void add_field_command(CLI::App& app, Session& session);
void add_simulate_command(CLI::App& app, Session& session);
void add_fit_command(CLI::App& app, Session& session);
void add_rig_command(CLI::App& app, Session& session);
void add_retarget_command(CLI::App& app, Session& session);
void add_lod_command(CLI::App& app, Session& session);
void add_train_command(CLI::App& app, Session& session);
void add_pose_command(CLI::App& app, Session& session);
void add_evaluate_command(CLI::App& app, Session& session);
void add_render_command(CLI::App& app, Session& session);
void add_view_command(CLI::App& app, Session& session);

}  // namespace sinew::cli
