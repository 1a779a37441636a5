// SPDX-License-Identifier: Apache-2.0
#include "fio/run.hpp"

#include <cstring>
#include <fstream>
#include <sstream>

namespace cowbench::fio {
namespace {

// The end of a text, where the reason stands.
std::string tail(const std::string& text) {
  constexpr std::size_t kShown = 500;
  const std::size_t end = text.find_last_not_of(" \t\r\n");
  if (end == std::string::npos) return {};
  const std::size_t begin = end + 1 > kShown ? end + 1 - kShown : 0;
  return ": " + text.substr(begin, end + 1 - begin);
}

std::string read_file(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

// How fio ended before anything in its report counts.
void check_end(const std::string& who, const CommandResult& result) {
  if (result.stopped) {
    throw Error(COWBENCH_CANCELLED, who + " was stopped on request");
  }
  if (result.timed_out) {
    throw Error(COWBENCH_TIMEOUT, who + " ran out of time" + tail(result.err));
  }
  if (result.signal != 0) {
    throw Error(COWBENCH_TOOL_FAILED,
                who + " was killed by signal " + std::to_string(result.signal) +
                    " (" + strsignal(result.signal) + ")" + tail(result.err));
  }
}

// All failed jobs in one message, under the status of the first.
void check_jobs(const std::string& who, const Report& report) {
  int first = 0;
  std::string reasons;
  for (const JobReport& job : report.jobs) {
    if (job.error == 0) continue;
    if (first == 0) first = job.error;
    reasons += (reasons.empty() ? "job " : "; job ") + job.name +
               " failed with error " + std::to_string(job.error) + " (" +
               std::strerror(job.error) + ")";
  }
  if (first != 0) {
    throw Error(detail::status_of_errno(first), who + ": " + reasons);
  }
}

void check_complete(const std::string& who, const Request& request,
                    const Report& report) {
  bool same = request.jobs.size() == report.jobs.size();
  for (std::size_t i = 0; same && i < request.jobs.size(); ++i) {
    same = request.jobs[i].name == report.jobs[i].name;
  }
  if (same) return;
  throw Error(COWBENCH_TOOL_FAILED,
              who + ": asked for " + std::to_string(request.jobs.size()) +
                  " jobs, the report holds " +
                  std::to_string(report.jobs.size()) + " or others");
}

}  // namespace

std::vector<std::string> command_line(const Request& request,
                                      const std::string& output_path) {
  std::vector<std::string> argv = {"fio", "--output=" + output_path,
                                   "--output-format=json", "--eta=never"};
  const auto add = [&argv](const std::vector<std::string>& options) {
    for (const std::string& option : options) argv.push_back("--" + option);
  };
  add(request.options);
  for (const Job& job : request.jobs) {
    argv.push_back("--name=" + job.name);
    add(job.options);
  }
  return argv;
}

Report judge(const Request& request, const CommandResult& result,
             const std::string& output) {
  const std::string who = "fio (" + request.name + ")";
  check_end(who, result);
  const std::string status =
      who + " exited with " + std::to_string(result.exit_status);
  Report report;
  try {
    report = parse_report(output);
  } catch (const Error& error) {
    throw Error(error.status(),
                status + ": " + error.what() + tail(result.err));
  }
  check_jobs(who, report);
  if (result.exit_status != 0) {
    throw Error(COWBENCH_TOOL_FAILED, status + tail(result.err));
  }
  check_complete(who, request, report);
  return report;
}

Report run(const Host& host, const Request& request) {
  const std::string path =
      host.artifact_directory() + "/fio-" + request.name + ".json";
  CommandResult result;
  try {
    result = host.run(command_line(request, path));
  } catch (const Error& error) {
    if (error.status() != COWBENCH_NOT_AVAILABLE) throw;
    throw Error(COWBENCH_NOT_AVAILABLE,
                "fio can't be started; the Debian package fio brings it");
  }
  if (!result.err.empty())
    host.warn("fio (" + request.name + "): " + result.err);
  Report report = judge(request, result, read_file(path));
  if (!report.diagnostics.empty()) {
    host.warn("fio (" + request.name +
              ") beside its report: " + report.diagnostics);
  }
  return report;
}

void lay_out(const Host& host, const Request& request) {
  Request layout = request;
  layout.name += "-layout";
  layout.options.push_back("create_only=1");
  run(host, layout);
}

Measurement measure(const Host& host, const Request& request) {
  Measurement measurement;
  host.quiesce();
  Host::Section section(host, request.name.c_str());
  measurement.report = run(host, request);
  measurement.io = section.close();
  return measurement;
}

std::uint64_t derive_seed(std::uint64_t seed, const std::string& name,
                          std::uint64_t index) {
  // splitmix64's finaliser over what goes in, one after the other.
  const auto mix = [](std::uint64_t value) {
    value += 0x9e3779b97f4a7c15U;
    value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9U;
    value = (value ^ (value >> 27)) * 0x94d049bb133111ebU;
    return value ^ (value >> 31);
  };
  std::uint64_t state = mix(seed);
  for (const char letter : name) {
    state = mix(state ^ static_cast<unsigned char>(letter));
  }
  return (mix(state ^ index) >> 33) | 1U;
}

void report_version(const Host& host) {
  std::string version = host.run_checked({"fio", "--version"});
  version.erase(version.find_last_not_of(" \t\r\n") + 1);
  if (version.rfind("fio-", 0) == 0) version.erase(0, 4);
  host.version("fio", version);
}

}  // namespace cowbench::fio
