// SPDX-License-Identifier: Apache-2.0
// From the event log of a job to its result document.
#pragma once

#include <string>
#include <string_view>

#include "base/result.hpp"

namespace cowbench {

// The text of result.json for the content of an events.jsonl, as README.md
// describes both. Pure: the same log always gives the same text.
//
// Events and fields of newer versions are ignored. A last line torn by a crash
// is left out without a word; any other line that is no JSON object is left
// out with a warning in the result's own log. A log without a job-end gives an
// interrupted job whose running steps and phases end at the last event.
//
// Errors: no job-start, so that nobody knows what was measured; a log format
// newer than this program.
Result<std::string> fold_events(std::string_view log);

// Folds <directory>/events.jsonl into <directory>/result.json, durably. Under
// sudo the file belongs to the invoking user.
Status refold(const std::string& directory);

}  // namespace cowbench
