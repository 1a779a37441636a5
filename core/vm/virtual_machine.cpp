// SPDX-License-Identifier: Apache-2.0
#include "vm/virtual_machine.hpp"

#include <charconv>

#include "base/json.hpp"
#include "base/text.hpp"
#include "system/clock.hpp"

namespace cowbench {

namespace {

constexpr char kEnableEvents[] = R"({"execute":"qmp_capabilities"})";
constexpr std::uint64_t kVersionLimitNs = 10 * kNsPerSecond;

std::vector<std::string> serials_of(const GuestMachine& machine) {
  std::vector<std::string> serials;
  for (const auto* disks : {&machine.own_disks, &machine.member_disks}) {
    for (const GuestDisk& disk : *disks) serials.push_back(disk.serial);
  }
  return serials;
}

}  // namespace

std::string parse_emulator_version(std::string_view text) {
  constexpr std::string_view kBefore = "emulator version ";
  const auto found = text.find(kBefore);
  if (found == std::string_view::npos) return {};
  std::string_view rest = text.substr(found + kBefore.size());
  return std::string(trim(rest.substr(0, rest.find('\n'))));
}

Result<std::string> emulator_version() {
  Command command;
  command.argv = {kEmulator, "--version"};
  command.timeout_ns = kVersionLimitNs;
  auto said = run_checked(command);
  if (!said && said.error().category() == Category::kNotAvailable) {
    return Error(Category::kEnvironment,
                 std::string("the emulator ") + kEmulator +
                     " is not installed; install it with: apt-get install "
                     "qemu-system-x86");
  }
  if (!said) return said.error();
  return parse_emulator_version(said->out);
}

void EmulatorReports::take(const std::string& line) {
  auto json = parse_json(line);
  if (!json || !json->IsObject()) return;
  const std::string event = string_at(*json, "event");
  const JsonValue* data = member_at(*json, "data");
  if (data == nullptr) return;
  if (event == "SHUTDOWN") shutdown_ = string_at(*data, "reason");
  if (event != "BLOCK_IO_ERROR") return;
  const std::string text = string_at(*data, "operation") + " below disk " +
                           disk_of(string_at(*data, "node-name")) + ": " +
                           string_at(*data, "reason");
  if (string_at(*data, "action") == "stop") {
    if (store_full_.empty()) store_full_ = text;
  } else {
    disk_errors_.push_back(text);
  }
}

std::vector<std::string> EmulatorReports::take_disk_errors() {
  return std::exchange(disk_errors_, {});
}

// Nodes are named disk<number>-<kind>.
std::string EmulatorReports::disk_of(const std::string& node) const {
  constexpr std::string_view kBefore = "disk";
  if (!node.starts_with(kBefore)) return node;
  std::size_t number = 0;
  const char* begin = node.data() + kBefore.size();
  const char* end = node.data() + node.size();
  const auto parsed = std::from_chars(begin, end, number);
  if (parsed.ec != std::errc() || number >= serials_.size()) return node;
  return serials_[number];
}

VirtualMachine::VirtualMachine(Process process, Channel control, Channel port,
                               EmulatorReports reports)
    : process_(std::move(process)),
      control_(std::make_unique<Channel>(std::move(control))),
      port_(std::make_unique<Channel>(std::move(port))),
      reports_(std::move(reports)),
      started_ns_(now_ns()) {
  (void)control_->send_line(kEnableEvents);
}

Result<VirtualMachine> VirtualMachine::start(GuestMachine machine,
                                             const std::string& job_tag) {
  auto control = Channel::create_pair();
  if (!control) return control.error();
  auto port = Channel::create_pair();
  if (!port) return port.error();
  machine.control_fd = control->second.fd();
  machine.port_fd = port->second.fd();
  Command command;
  command.argv = qemu_command(machine);
  command.kept_descriptors = {machine.control_fd, machine.port_fd};
  if (machine.console_fd >= 0) {
    command.kept_descriptors.push_back(machine.console_fd);
  }
  if (!job_tag.empty()) command.environment = {{kJobTagVariable, job_tag}};
  auto process = Process::start(command);
  if (!process) return process.error();
  control->second.close();
  port->second.close();
  return VirtualMachine(std::move(process).value(), std::move(control->first),
                        std::move(port->first),
                        EmulatorReports(serials_of(machine)));
}

const EmulatorReports& VirtualMachine::reports() {
  for (;;) {
    auto received = control_->receive_line(0);
    if (!received || !received->is_line()) return reports_;
    reports_.take(received->line);
  }
}

CommandResult VirtualMachine::stop() {
  return process_.running() ? process_.stop() : process_.wait();
}

}  // namespace cowbench
