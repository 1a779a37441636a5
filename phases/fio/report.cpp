// SPDX-License-Identifier: Apache-2.0
#include "fio/report.hpp"

#include <rapidjson/document.h>
#include <rapidjson/error/en.h>

#include <algorithm>
#include <charconv>
#include <cowbench/error.hpp>
#include <cowbench/text.hpp>
#include <optional>

namespace cowbench::fio {
namespace {

using Json = rapidjson::Value;

[[noreturn]] void refuse(const std::string& what) {
  throw Error(COWBENCH_TOOL_FAILED, what);
}

// An object and where it is in the document, for messages.
struct Place {
  const Json& value;
  std::string path;

  bool has(const char* key) const { return value.HasMember(key); }
  Place at(const char* key) const {
    const auto found = value.FindMember(key);
    if (found == value.MemberEnd()) {
      refuse("fio's report has an unknown shape: no \"" + std::string(key) +
             "\" in " + path);
    }
    return {found->value, path + "/" + key};
  }
  Place object(const char* key) const {
    Place place = at(key);
    if (!place.value.IsObject()) refuse_type(place, "an object");
    return place;
  }
  double number(const char* key) const {
    const Place place = at(key);
    if (!place.value.IsNumber()) refuse_type(place, "a number");
    return place.value.GetDouble();
  }
  std::uint64_t count(const char* key) const {
    const Place place = at(key);
    if (!place.value.IsUint64()) refuse_type(place, "a whole number");
    return place.value.GetUint64();
  }
  std::string text(const char* key) const {
    const Place place = at(key);
    if (!place.value.IsString()) refuse_type(place, "a text");
    return place.value.GetString();
  }

  [[noreturn]] static void refuse_type(const Place& place, const char* wanted) {
    refuse("fio's report has an unknown shape: " + place.path + " is not " +
           wanted);
  }
};

Transfer read_transfer(const Place& direction) {
  constexpr std::uint64_t kKib = 1024;
  Transfer transfer;
  transfer.bytes =
      direction.count("io_bytes") * (direction.has("io_kbytes") ? 1 : kKib);
  transfer.operations = direction.count("total_ios");
  transfer.runtime_s = direction.number("runtime") / 1e3;
  return transfer;
}

Flushes read_flushes(const Place& job) {
  // fio 2 doesn't time flushes at all.
  if (!job.has("sync")) return {};
  const Place sync = job.object("sync");
  const bool in_ns = sync.has("lat_ns");
  const Place latency = sync.object(in_ns ? "lat_ns" : "lat");
  const double per_ms = in_ns ? 1e6 : 1e3;
  Flushes flushes;
  // Not "total_ios", which fio 3.33 leaves at 0 for engines that flush with
  // a system call.
  flushes.count = latency.count("N");
  if (!latency.has("percentile")) return flushes;
  const Place percentiles = latency.object("percentile");
  for (const auto& [key, value] : percentiles.value.GetObject()) {
    if (!value.IsNumber()) Place::refuse_type(percentiles, "all numbers");
    double percent = 0;
    std::from_chars(key.GetString(), key.GetString() + key.GetStringLength(),
                    percent);
    flushes.percentiles_ms[percent] = value.GetDouble() / per_ms;
  }
  return flushes;
}

JobReport read_job(const Place& job) {
  JobReport report;
  report.name = job.text("jobname");
  report.error = static_cast<int>(job.number("error"));
  report.read = read_transfer(job.object("read"));
  report.write = read_transfer(job.object("write"));
  report.flushes = read_flushes(job);
  return report;
}

// The report within fio's output: from `begin` up to `end`.
struct Found {
  rapidjson::Document document;
  std::size_t begin;
  std::size_t end;
};

// Parses from the line that starts at `begin`. Nothing when that isn't the
// report; when it breaks off, `problem` says where.
std::optional<Found> parse_at(const std::string& text, std::size_t begin,
                              std::string& problem) {
  Found found{{}, begin, begin};
  rapidjson::StringStream stream(text.c_str() + begin);
  found.document.ParseStream<rapidjson::kParseStopWhenDoneFlag>(stream);
  if (found.document.HasParseError()) {
    problem = std::string("the JSON document breaks off at byte ") +
              std::to_string(begin + found.document.GetErrorOffset()) + ": " +
              rapidjson::GetParseError_En(found.document.GetParseError());
    return std::nullopt;
  }
  found.end += stream.Tell();
  if (!found.document.IsObject() || !found.document.HasMember("jobs")) {
    return std::nullopt;
  }
  return found;
}

// Tries each line that opens an object.
std::optional<Found> find_report(const std::string& text,
                                 std::string& problem) {
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t first = text.find_first_not_of(" \t", begin);
    if (first != std::string::npos && text[first] == '{') {
      std::optional<Found> found = parse_at(text, begin, problem);
      if (found) return found;
    }
    const std::size_t line_end = text.find('\n', begin);
    begin = line_end == std::string::npos ? text.size() : line_end + 1;
  }
  return std::nullopt;
}

std::string beginning(const std::string& text) {
  constexpr std::size_t kShown = 300;
  const std::string body = trimmed(text);
  return body.size() <= kShown ? body : body.substr(0, kShown) + "...";
}

}  // namespace

Report parse_report(const std::string& text) {
  if (trimmed(text).empty()) refuse("fio wrote no output");
  std::string problem = "it holds no JSON document";
  const std::optional<Found> found = find_report(text, problem);
  if (!found) {
    refuse("fio's output can't be read: " + problem +
           ". It begins: " + beginning(text));
  }

  Report report;
  report.diagnostics = trimmed(trimmed(text.substr(0, found->begin)) + "\n" +
                               trimmed(text.substr(found->end)));
  const Place root{found->document, ""};
  report.version = root.text("fio version");
  const Place jobs = root.at("jobs");
  if (!jobs.value.IsArray()) Place::refuse_type(jobs, "an array");
  for (const Json& job : jobs.value.GetArray()) {
    const std::string path =
        jobs.path + "/" + std::to_string(report.jobs.size());
    if (!job.IsObject()) Place::refuse_type({job, path}, "an object");
    report.jobs.push_back(read_job({job, path}));
  }
  return report;
}

double Total::mib_per_s() const {
  return runtime_s > 0 ? static_cast<double>(bytes) / 1048576.0 / runtime_s : 0;
}

double Total::iops() const {
  return runtime_s > 0 ? static_cast<double>(operations) / runtime_s : 0;
}

Total total(const Report& report, Transfer JobReport::*direction) {
  Total sum;
  for (const JobReport& job : report.jobs) {
    const Transfer& one = job.*direction;
    sum.bytes += one.bytes;
    sum.operations += one.operations;
    sum.runtime_s = std::max(sum.runtime_s, one.runtime_s);
  }
  return sum;
}

}  // namespace cowbench::fio
