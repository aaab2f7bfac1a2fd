// The list of commands; each lives in NAME_command.cpp. main.cpp calls them in this order,
// which is the order of --help.
#pragma once

namespace sinew::cli {

class Session;

void add_info_command(Session& session);
void add_convert_command(Session& session);
void add_make_character_command(Session& session);
void add_bind_command(Session& session);
void add_weights_command(Session& session);
void add_field_command(Session& session);
void add_simulate_command(Session& session);
void add_fit_command(Session& session);
void add_rig_command(Session& session);
void add_retarget_command(Session& session);
void add_lod_command(Session& session);
void add_train_command(Session& session);
void add_train_fit_command(Session& session);
void add_train_weights_command(Session& session);
void add_pose_command(Session& session);
void add_evaluate_command(Session& session);
void add_check_command(Session& session);
void add_fix_command(Session& session);
void add_render_command(Session& session);
void add_view_command(Session& session);
void add_completion_command(Session& session);
void add_help_command(Session& session);  // last: it offers the others

}  // namespace sinew::cli
