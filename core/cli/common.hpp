// SPDX-License-Identifier: Apache-2.0
// What several commands share: where plugins, configurations and state are.
#pragma once

#include <string>
#include <vector>

#include "cli/command.hpp"
#include "config/library.hpp"
#include "ledger/clean.hpp"
#include "plugin/catalog.hpp"

namespace cowbench {

// --plugin-dir and --config-dir.
void add_search_options(options::options_description& description);
// --state-dir.
void add_state_option(options::options_description& description);

// --format and --json, of commands that report.
enum class Format { kText, kMarkdown, kCsv, kJson };
void add_format_options(options::options_description& description);
// What they say; a fault, and kText, for a name that is none.
Format format_of(const CommandLine& line, std::vector<std::string>& faults);

PluginSearch plugin_search_of(const CommandLine& line);
// Loads, and tells of refused plugins and warnings on standard error.
Catalog load_catalog(const PluginSearch& search);
ConfigLibrary config_library_of(const CommandLine& line);
// Folds the log of a job that died to an interrupted result.
void conclude_dead_job(const CleanedLedger& ledger);
// --state-dir, else COWBENCH_STATE_DIR, else /var/lib/cowbench; where work is
// done without root (`unprivileged`) and this is not root: else
// $XDG_STATE_HOME/cowbench or ~/.local/state/cowbench.
std::string state_folder_of(const CommandLine& line, bool unprivileged);

}  // namespace cowbench
