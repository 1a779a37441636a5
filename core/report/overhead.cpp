// SPDX-License-Identifier: Apache-2.0
#include "report/overhead.hpp"

#include "base/json.hpp"
#include "base/units.hpp"
#include "report/conditions.hpp"
#include "report/figure.hpp"
#include "report/table.hpp"

namespace cowbench {

namespace {

constexpr const char* kLegend =
    "overhead = (prepare + assemble + teardown + other) / (wall - quiesce)";

void settle_share(OverheadRow& row) {
  const TimeSplit& time = row.time;
  const std::uint64_t outside =
      time.prepare_ns + time.assemble_ns + time.teardown_ns + time.other_ns;
  if (row.duration_ns <= time.quiesce_ns) return;
  row.share = static_cast<double>(outside) /
              static_cast<double>(row.duration_ns - time.quiesce_ns);
}

void add(OverheadRow& total, const OverheadRow& row) {
  total.duration_ns += row.duration_ns;
  total.time.prepare_ns += row.time.prepare_ns;
  total.time.assemble_ns += row.time.assemble_ns;
  total.time.phases_ns += row.time.phases_ns;
  total.time.quiesce_ns += row.time.quiesce_ns;
  total.time.teardown_ns += row.time.teardown_ns;
  total.time.other_ns += row.time.other_ns;
}

// The columns that all forms share, in their order.
std::vector<std::uint64_t> times_of(const OverheadRow& row) {
  return {row.duration_ns,     row.time.phases_ns,   row.time.quiesce_ns,
          row.time.prepare_ns, row.time.assemble_ns, row.time.teardown_ns,
          row.time.other_ns};
}
constexpr const char* kTimes[] = {"wall",     "phases",   "quiesce", "prepare",
                                  "assemble", "teardown", "other"};

Table overhead_table(const Overhead& overhead) {
  Table table;
  table.columns.push_back({"job"});
  for (const char* heading : kTimes) {
    table.columns.push_back({heading, Align::kRight});
  }
  table.columns.push_back({"overhead", Align::kRight});
  const auto add_row = [&](const OverheadRow& row) {
    TableRow line;
    line.cells.push_back(
        row.outcome == Outcome::kOk
            ? row.job
            : row.job + " (" + std::string(outcome_text(row.outcome)) + ")");
    for (const std::uint64_t ns : times_of(row)) {
      line.cells.push_back(format_duration(ns));
    }
    line.cells.push_back(row.share ? percentage(*row.share) : "-");
    table.rows.push_back(std::move(line));
  };
  for (const OverheadRow& row : overhead.rows) add_row(row);
  if (overhead.rows.size() > 1) add_row(overhead.total);
  return table;
}

void write_row(JsonWriter& writer, const OverheadRow& row) {
  writer.begin_object()
      .field("job", row.job)
      .field("run_id", row.run_id)
      .field("outcome", outcome_text(row.outcome));
  const std::vector<std::uint64_t> times = times_of(row);
  for (std::size_t i = 0; i < times.size(); ++i) {
    writer.field(std::string(kTimes[i]) + "_ns", times[i]);
  }
  writer.key("overhead");
  if (row.share) {
    writer.value(*row.share);
  } else {
    writer.null();
  }
  writer.end_object();
}

}  // namespace

Overhead measure_overhead(const std::vector<ResultDocument>& documents) {
  Overhead overhead;
  overhead.total.job = "all";
  for (const ResultDocument& document : documents) {
    OverheadRow row;
    row.job = job_name(document);
    row.run_id = document.run.id;
    row.outcome = document.job.outcome;
    row.duration_ns = document.job.duration_ns;
    row.time = document.time;
    settle_share(row);
    add(overhead.total, row);
    overhead.rows.push_back(std::move(row));
  }
  settle_share(overhead.total);
  return overhead;
}

std::string overhead_text(const Overhead& overhead, std::size_t width) {
  return table_text(overhead_table(overhead), width) + "\n" + kLegend + "\n";
}

std::string overhead_markdown(const Overhead& overhead) {
  return table_markdown(overhead_table(overhead)) + "\n" + kLegend + "\n";
}

std::string overhead_csv(const Overhead& overhead) {
  Table table;
  table.columns = {{"job"}, {"run_id"}, {"outcome"}};
  for (const char* heading : kTimes) {
    table.columns.push_back({std::string(heading) + "_ns"});
  }
  table.columns.push_back({"overhead"});
  for (const OverheadRow& row : overhead.rows) {
    TableRow record;
    record.cells = {row.job, row.run_id,
                    std::string(outcome_text(row.outcome))};
    for (const std::uint64_t ns : times_of(row)) {
      record.cells.push_back(std::to_string(ns));
    }
    record.cells.push_back(row.share ? exact_figure(*row.share) : "");
    table.rows.push_back(std::move(record));
  }
  return table_csv(table);
}

std::string overhead_json(const Overhead& overhead) {
  JsonWriter writer;
  writer.begin_object()
      .field("schema", "cowbench-overhead")
      .field("schema_version", 1);
  writer.key("jobs").begin_array();
  for (const OverheadRow& row : overhead.rows) write_row(writer, row);
  writer.end_array().key("total");
  write_row(writer, overhead.total);
  return writer.end_object().text();
}

}  // namespace cowbench
