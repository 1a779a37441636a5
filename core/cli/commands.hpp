// SPDX-License-Identifier: Apache-2.0
// One function a command, each in the file of its name.
#pragma once

#include "cli/command.hpp"

namespace cowbench {

CliCommand make_run_command();
CliCommand make_list_command();
CliCommand make_show_command();
CliCommand make_report_command();
CliCommand make_compare_command();
CliCommand make_score_command();
CliCommand make_clean_command();
CliCommand make_doctor_command();
CliCommand make_plugin_command();
CliCommand make_vm_command();
CliCommand make_man_command();
CliCommand make_completion_command();

}  // namespace cowbench
