// SPDX-License-Identifier: Apache-2.0
// What lvs, vgs and pvs report with --reportformat json.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace cowbench::lvm {

// One line of a report: texts by field, as LVM wrote them. Sizes are in bytes
// when asked for with --units b --nosuffix.
class Row {
 public:
  explicit Row(std::map<std::string, std::string> fields)
      : fields_(std::move(fields)) {}

  // Throws Error(COWBENCH_TOOL_FAILED) when the report lacks the field: an LVM
  // that doesn't know it would have refused the command, so this is a report
  // of an unknown shape.
  const std::string& text(const std::string& field) const;
  // The field as a whole number; 0 where LVM leaves it empty. Throws as
  // text() does, and when it isn't a number.
  std::uint64_t number(const std::string& field) const;

 private:
  std::map<std::string, std::string> fields_;
};

// The rows of the report named `kind` ("lv", "vg", "pv", "seg") in LVM's JSON.
// Warnings before the document are passed over. Throws
// Error(COWBENCH_TOOL_FAILED) when there is no such report.
std::vector<Row> parse_report(const std::string& json, const std::string& kind);

// The row whose `field` is `value`; throws when there is none. Names of hidden
// volumes stand in brackets in LVM's reports; those are not part of the name.
const Row& row_of(const std::vector<Row>& rows, const std::string& field,
                  const std::string& value);

// "2.03.31(2)" from what `lvm version` prints; empty when it says none.
std::string parse_version(const std::string& text);

}  // namespace cowbench::lvm
