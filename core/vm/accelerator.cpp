// SPDX-License-Identifier: Apache-2.0
#include "vm/accelerator.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "base/json.hpp"
#include "base/units.hpp"
#include "system/clock.hpp"
#include "system/file.hpp"
#include "system/machine.hpp"
#include "system/signals.hpp"
#include "system/unique_fd.hpp"
#include "vm/console.hpp"
#include "vm/guest_machine.hpp"
#include "vm/virtual_machine.hpp"

namespace cowbench {

namespace {

constexpr char kKvm[] = "/dev/kvm";
// With KVM a guest is there in about two; waiting longer costs every user of
// a machine where it never comes.
constexpr std::uint64_t kProbeLimitNs = 10 * kNsPerSecond;
constexpr std::uint64_t kPollNs = 100 * kNsPerMs;
constexpr std::uint32_t kProbeMemoryMib = 512;

std::string memory_path(const std::string& cache) {
  return cache + "/accelerator.json";
}

// Why the device cannot be used at all; empty: it opens.
std::string cannot_open() {
  const UniqueFd fd(open(kKvm, O_RDWR | O_CLOEXEC));
  if (fd.valid()) return {};
  return std::string(kKvm) + " cannot be opened: " + std::strerror(errno);
}

// What only this attempt met with says nothing of KVM and is an error.
Result<ProbeAnswer> boot(const GuestImage& image) {
  const char* base = std::getenv("TMPDIR");
  std::string console =
      std::string(base == nullptr || *base == '\0' ? "/tmp" : base) +
      "/cowbench-probe-XXXXXX";
  const UniqueFd file(mkostemp(console.data(), O_CLOEXEC));
  if (!file.valid()) {
    return Error(Category::kEnvironment,
                 "probe KVM: make " + console + ": " + std::strerror(errno) +
                     "; set TMPDIR to a folder that can be written to");
  }
  GuestMachine machine = guest_machine(image, {"cowbench.mode=probe"});
  machine.accelerator = "kvm";
  machine.memory_mib = kProbeMemoryMib;
  machine.console_path = console;
  auto running = VirtualMachine::start(std::move(machine), {});
  if (!running) {
    unlink(console.c_str());
    return running.error().within("probe KVM");
  }
  ProbeAnswer answer{false, ""};
  const std::uint64_t deadline = now_ns() + kProbeLimitNs;
  while (!answer.works && pending_signal() == 0) {
    const bool ended = running->wait_for(kPollNs);
    const auto text = read_file(console);
    answer.works = text && text->find("cowbench-probe-ok") != std::string::npos;
    if (ended || now_ns() >= deadline) break;
  }
  if (!answer.works) {
    const bool ended = !running->running();
    const CommandResult result = running->stop();
    const auto text = read_file(console);
    answer.reason =
        ended
            ? "a guest ended at once: " +
                  last_lines(result.err.empty() && text ? *text : result.err, 1)
            : "a guest did not boot within " + format_duration(kProbeLimitNs);
  }
  unlink(console.c_str());
  return answer;
}

}  // namespace

std::string ProbeKey::text() const {
  return emulator + " | " + guest_kernel + " | " + boot_id;
}

std::optional<ProbeAnswer> remembered_answer(std::string_view text,
                                             const ProbeKey& key) {
  auto json = parse_json(text);
  if (!json || !json->IsObject()) return std::nullopt;
  const JsonValue* answers = member_at(*json, "answers");
  if (answers == nullptr || !answers->IsObject()) return std::nullopt;
  const JsonValue* answer = member_at(*answers, key.text().c_str());
  if (answer == nullptr || !answer->IsObject()) return std::nullopt;
  return ProbeAnswer{bool_at(*answer, "works"), string_at(*answer, "reason")};
}

std::string with_answer(std::string_view text, const ProbeKey& key,
                        const ProbeAnswer& answer) {
  JsonWriter json;
  json.begin_object().key("answers").begin_object();
  auto old = parse_json(text);
  const JsonValue* answers =
      old && old->IsObject() ? member_at(*old, "answers") : nullptr;
  if (answers != nullptr && answers->IsObject()) {
    for (const auto& one : answers->GetObject()) {
      const std::string name = one.name.GetString();
      if (name == key.text() || !name.ends_with(key.boot_id)) continue;
      json.field(name, one.value);
    }
  }
  json.key(key.text())
      .begin_object()
      .field("works", answer.works)
      .field("reason", answer.reason)
      .end_object();
  return json.end_object().end_object().text() + "\n";
}

Accelerator known_accelerator(const std::string& wanted,
                              const GuestImage& image,
                              const std::string& emulator,
                              const std::string& cache) {
  if (wanted == "tcg") return {"tcg", ""};
  if (const std::string reason = cannot_open(); !reason.empty()) {
    return {"tcg", reason};
  }
  auto text = read_file(memory_path(cache));
  if (!text) return {};
  const auto answer =
      remembered_answer(*text, {emulator, image.kernel_release, boot_id()});
  if (!answer) return {};
  return answer->works ? Accelerator{"kvm", ""}
                       : Accelerator{"tcg", answer->reason};
}

Result<Accelerator> choose_accelerator(const std::string& wanted,
                                       const GuestImage& image,
                                       const std::string& emulator,
                                       const std::string& cache) {
  Accelerator chosen = known_accelerator(wanted, image, emulator, cache);
  // Who insists on it may know of a change that the memory does not.
  const bool again =
      wanted == "kvm" && chosen.name == "tcg" && cannot_open().empty();
  if (chosen.name.empty() || again) {
    auto probed = boot(image);
    if (pending_signal() != 0) {
      return Error(Category::kCancelled, "probe KVM: interrupted");
    }
    if (!probed) return probed.error();
    const ProbeAnswer answer = *probed;
    // A cache that cannot be written only costs the next run a probe.
    if (make_directories(cache)) {
      const auto old = read_file(memory_path(cache));
      (void)write_file_durable(
          memory_path(cache),
          with_answer(old ? *old : "",
                      {emulator, image.kernel_release, boot_id()}, answer));
    }
    chosen = answer.works ? Accelerator{"kvm", ""}
                          : Accelerator{"tcg", answer.reason};
  }
  if (wanted == "kvm" && chosen.name != "kvm") {
    return Error(Category::kEnvironment,
                 "--accel kvm: KVM does not work here: " + chosen.reason);
  }
  return chosen;
}

}  // namespace cowbench
