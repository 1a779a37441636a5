// SPDX-License-Identifier: Apache-2.0
#include "result/fold.hpp"

#include <cstddef>

#include "base/text.hpp"
#include "result/event_fold.hpp"
#include "system/file.hpp"

namespace cowbench {

Result<std::string> fold_events(std::string_view log) {
  EventFold fold;
  std::size_t number = 0;
  while (!log.empty()) {
    ++number;
    const std::size_t end = log.find('\n');
    const bool torn = end == std::string_view::npos;
    const std::string_view line = log.substr(0, end);
    log.remove_prefix(torn ? log.size() : end + 1);
    if (trim(line).empty()) continue;
    Result<JsonDocument> event = parse_json(line);
    if (!event || !event->IsObject()) {
      if (torn) break;
      fold.warn("line " + std::to_string(number) +
                " of the event log is no event and was left out");
      continue;
    }
    if (Status status = fold.apply(*event); !status) return status.error();
  }
  if (!fold.has_job_start()) {
    return Error(Category::kUsage,
                 "the event log holds no job-start, so nothing is known of "
                 "the job");
  }
  const Result<JsonDocument> document = parse_json(fold.finish());
  if (!document) return document.error().within("fold the event log");
  return pretty_json(*document);
}

Status refold(const std::string& directory) {
  const std::string events = directory + "/events.jsonl";
  const Result<std::string> log = read_file(events);
  if (!log) return log.error();
  const Result<std::string> document = fold_events(*log);
  if (!document) return document.error().within(events);
  const std::string path = directory + "/result.json";
  if (Status status = write_file_durable(path, *document); !status) {
    return status;
  }
  return chown_to_invoker(path);
}

}  // namespace cowbench
