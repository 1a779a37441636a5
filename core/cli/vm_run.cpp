// SPDX-License-Identifier: Apache-2.0
// `vm run` and `vm shell`: a guest for a command, or for a person.
#include <poll.h>
#include <termios.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>

#include "base/text.hpp"
#include "base/units.hpp"
#include "cli/common.hpp"
#include "cli/run_vm.hpp"
#include "cli/vm.hpp"
#include "ledger/ledger.hpp"
#include "ledger/undo.hpp"
#include "system/clock.hpp"
#include "system/file.hpp"
#include "system/file_lock.hpp"
#include "system/machine.hpp"
#include "system/process.hpp"
#include "system/signals.hpp"
#include "vm/console.hpp"
#include "vm/guest_machine.hpp"
#include "vm/guest_plan.hpp"
#include "vm/virtual_machine.hpp"

namespace cowbench {

namespace {

constexpr std::uint32_t kMostDisks = kMaximumMemberDisks;
constexpr std::uint64_t kBootLimitNs = 300 * kNsPerSecond;
constexpr std::uint64_t kPowerOffNs = 60 * kNsPerSecond;

// Copies what comes from `from` to standard output, and what is typed to it,
// until its other side is closed, `vm` ends, a signal comes, or `give_up` says
// so.
void relay(int from, bool typed, const VirtualMachine& vm,
           const ShouldStop& give_up) {
  bool input = typed;
  while (pending_signal() == 0 && !(give_up && give_up())) {
    pollfd items[2] = {{from, POLLIN, 0},
                       {input ? STDIN_FILENO : -1, POLLIN, 0}};
    if (poll(items, 2, 200) < 0 && errno != EINTR) return;
    char piece[16384];
    if (items[0].revents != 0) {
      const ssize_t count = read(from, piece, sizeof piece);
      if (count == 0 || (count < 0 && errno != EINTR)) return;
      if (count > 0) {
        (void)write_all(STDOUT_FILENO, {piece, static_cast<std::size_t>(count)},
                        "output");
      }
    } else if (!vm.running()) {
      return;
    }
    if (items[1].revents == 0) continue;
    const ssize_t count = read(STDIN_FILENO, piece, sizeof piece);
    if (count <= 0) {
      input = false;
    } else if (!write_all(from, {piece, static_cast<std::size_t>(count)},
                          "the guest's console")) {
      return;
    }
  }
}

// Keys go to the guest as they are, Ctrl-C too. Does nothing without a
// terminal.
class RawTerminal {
 public:
  RawTerminal() {
    if (tcgetattr(STDIN_FILENO, &before_) != 0) return;
    termios raw = before_;
    cfmakeraw(&raw);
    changed_ = tcsetattr(STDIN_FILENO, TCSANOW, &raw) == 0;
  }
  RawTerminal(const RawTerminal&) = delete;
  RawTerminal& operator=(const RawTerminal&) = delete;
  ~RawTerminal() {
    if (changed_) tcsetattr(STDIN_FILENO, TCSANOW, &before_);
  }

 private:
  termios before_{};
  bool changed_ = false;
};

// A folder for images and exchange that the ledger knows, so that `clean`
// takes it away after a kill -9.
class Workplace {
 public:
  explicit Workplace(const std::string& state)
      : id_("vm-" + std::to_string(getpid()) + "-" +
            std::to_string(now_ns() / kNsPerMs)),
        ledger_path_(state + "/ledgers/" + id_ + ".jsonl"),
        folder_(state + "/images/" + id_) {}
  Workplace(const Workplace&) = delete;
  Workplace& operator=(const Workplace&) = delete;
  ~Workplace() {
    if (!lock_) return;
    auto undone = undo_ledger(ledger_path_, UndoMoment::kEndOfJob);
    if (!undone) {
      complain(undone.error().message());
    } else {
      for (const std::string& text : undone->failed) {
        complain("not removed: " + text);
      }
    }
  }

  Status make() {
    const std::string ledgers = ledger_path_.substr(0, ledger_path_.rfind('/'));
    if (Status made = make_directories(ledgers, 0700); !made) return made;
    auto lock = FileLock::try_lock(ledger_path_);
    if (!lock) return lock.error();
    if (!*lock) return Error(Category::kInternal, ledger_path_ + " is locked");
    lock_.emplace(std::move(**lock));
    auto ledger =
        Ledger::create(ledger_path_, {id_, boot_id(), utc_now_iso8601(), ""});
    if (!ledger) return ledger.error();
    for (const auto& [kind, identity] :
         {std::pair("folder", folder_), std::pair("processes", id_)}) {
      LedgerEntry entry;
      entry.kind = kind;
      entry.identity = identity;
      if (auto id = ledger->add(entry); !id) return id.error();
    }
    return make_directories(exchange(), 0700);
  }

  const std::string& id() const { return id_; }
  const std::string& folder() const { return folder_; }
  std::string exchange() const { return folder_ + "/exchange"; }
  std::string console() const { return folder_ + "/console.txt"; }

 private:
  const std::string id_;
  const std::string ledger_path_;
  const std::string folder_;
  std::optional<FileLock> lock_;
};

Status add_disks(const CommandLine& line, const Workplace& place,
                 GuestMachine& machine) {
  const auto count = line.values["disks"].as<std::uint32_t>();
  auto size = parse_size(line.text("size"));
  if (!size) return size.error().within("--size");
  if (count > kMostDisks) {
    return Error(Category::kUsage,
                 "--disks: give at most " + std::to_string(kMostDisks));
  }
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::string serial = "data" + std::to_string(i);
    const std::string image = place.folder() + "/" + serial + ".img";
    if (Status made = create_sparse_file(image, *size); !made) return made;
    machine.member_disks.push_back({serial, image, false, 0, 0});
  }
  return {};
}

// One guest from --kernel and its like, and what it is to do.
class GuestSession {
 public:
  GuestSession(const CommandLine& line, const VmWords& words)
      : line_(line), words_(words), place_(state_folder_of(line, true)) {}

  int run(bool shell) {
    std::vector<std::string> faults;
    vm_ = read_guest_options(line_, {line_.text("kernel")}, faults);
    auto folders = same_path_shares(line_.texts("share"));
    if (folders) {
      shares_ = std::move(*folders);
    } else {
      faults.push_back("--share " + folders.error().message());
    }
    if (!faults.empty()) return fail(faults, kExitUsage);
    if (!vm_.environment.empty())
      return fail(vm_.environment, kExitEnvironment);
    if (Status ready = install_signal_handlers(); !ready) {
      return fail(ready.error());
    }
    const GuestImage& image = vm_.settings.images.begin()->second;
    auto accelerator = choose_accelerator(vm_.accelerator, image,
                                          vm_.settings.emulator, vm_.cache);
    if (!accelerator) return fail(accelerator.error());
    if (Status made = place_.make(); !made) return fail(made.error());
    GuestMachine machine = guest_machine(
        image, {shell ? "cowbench.mode=shell" : "cowbench.mode=command"});
    machine.accelerator = accelerator->name;
    machine.memory_mib =
        static_cast<std::uint32_t>(vm_.settings.memory_bytes >> 20U);
    machine.cpus = vm_.settings.cpus;
    machine.console_path = place_.console();
    if (Status added = add_disks(line_, place_, machine); !added) {
      return fail(added.error());
    }
    if (Status shared = share(machine, shell); !shared) {
      return fail(shared.error());
    }
    return shell ? talk(std::move(machine)) : command(std::move(machine));
  }

 private:
  Status share(GuestMachine& machine, bool shell) {
    JobPlan none;
    none.result_folder = place_.folder();
    std::vector<GuestShare> shares = lay_out(none, vm_.settings.program).shares;
    shares.pop_back();  // artifacts: there is no job
    shares.insert(shares.end(), shares_.begin(), shares_.end());
    if (Status saved = write_file_durable(place_.exchange() + "/mounts",
                                          mounts_text(shares));
        !saved) {
      return saved;
    }
    machine.shares = {{"exchange", place_.exchange(), kGuestExchange, false}};
    machine.shares.insert(machine.shares.end(), shares.begin(), shares.end());
    if (shell) return {};
    const std::string text =
        "PATH=" + std::string(kGuestPayload) + "/bin:$PATH\n" +
        (words_.size() == 1 ? words_[0] : shell_quote(words_)) + "\n";
    return write_file_durable(place_.exchange() + "/command", text);
  }

  int command(GuestMachine machine) {
    auto vm = VirtualMachine::start(std::move(machine), place_.id());
    if (!vm) return fail(vm.error());
    const std::uint64_t limit = vm_.settings.boot_limit_ns != 0
                                    ? vm_.settings.boot_limit_ns
                                    : kBootLimitNs;
    const std::uint64_t deadline = now_ns() + limit;
    bool booted = false;
    relay(vm->port().fd(), false, *vm, [&] {
      booted = booted || path_exists(place_.exchange() + "/started");
      return (!booted && now_ns() >= deadline) || store_is_full(*vm);
    });
    const bool full = store_is_full(*vm);
    const bool late = !booted && now_ns() >= deadline;
    if (pending_signal() == 0 && booted && !full) vm->wait_for(kPowerOffNs);
    const CommandResult ended = vm->stop();
    if (const int signal = pending_signal(); signal != 0) return 128 + signal;
    if (full) return fail({full_store(*vm)}, kExitJobFailed);
    const std::string status = read_trimmed(place_.exchange() + "/status");
    if (!status.empty()) return std::atoi(status.c_str());
    return lost(
        ended, late ? "the guest had not booted after " + format_duration(limit)
                    : "the guest ended without running the command (" +
                          ended.ending() + ")");
  }

  int talk(GuestMachine machine) {
    auto console = Channel::create_pair();
    if (!console) return fail(console.error());
    machine.console_fd = console->second.fd();
    auto vm = VirtualMachine::start(std::move(machine), place_.id());
    if (!vm) return fail(vm.error());
    console->second.close();
    complain("booting; the guest powers off when its shell ends");
    {
      const RawTerminal raw;
      relay(console->first.fd(), true, *vm, [&] { return store_is_full(*vm); });
    }
    const bool full = store_is_full(*vm);
    const bool alone = vm->wait_for(full ? 0 : kNsPerSecond);
    const CommandResult ended = vm->stop();
    if (const int signal = pending_signal(); signal != 0) return 128 + signal;
    if (full) return fail({full_store(*vm)}, kExitJobFailed);
    if (alone && !ended.succeeded()) {
      return lost(ended, "the emulator failed (" + ended.ending() + ")");
    }
    return kExitOk;
  }

  // The machine stands still then, and nobody would ever wake it.
  static bool store_is_full(VirtualMachine& vm) {
    return !vm.reports().store_full().empty();
  }
  static std::string full_store(VirtualMachine& vm) {
    return "the store of the disks' images is full: " +
           vm.reports().store_full() +
           "; use --state-dir on a larger one, or a smaller --size";
  }

  // With what the emulator said, else the guest's console.
  int lost(const CommandResult& ended, const std::string& how) const {
    const auto console = read_file(place_.console());
    const std::string text = console ? *console : "";
    if (const std::string panic = panic_in(text); !panic.empty()) {
      return fail({"the guest's kernel panicked: " + panic}, kExitJobFailed);
    }
    const std::string said(trim(ended.err));
    return fail({how + ": " + (said.empty() ? last_lines(text, 3) : said)},
                kExitJobFailed);
  }

  const CommandLine& line_;
  const VmWords& words_;
  VmRun vm_;
  std::vector<GuestShare> shares_;
  Workplace place_;
};

}  // namespace

int vm_run(const CommandLine& line, const VmWords& words) {
  if (words.empty()) {
    return fail({"vm run: give a command: cowbench vm run -- COMMAND..."},
                kExitUsage);
  }
  return GuestSession(line, words).run(false);
}

int vm_shell(const CommandLine& line, const VmWords& words) {
  if (!words.empty()) {
    return fail({"vm shell takes no command; see: cowbench vm run"},
                kExitUsage);
  }
  return GuestSession(line, words).run(true);
}

void add_vm_run_options(options::options_description& description) {
  add_guest_options(description);
  description.add_options()(
      "disks",
      options::value<std::uint32_t>()->default_value(0)->value_name("N"),
      "run, shell: blank disks, /dev/disk/by-id/virtio-data0 and so on")(
      "size",
      options::value<std::string>()->default_value("1GiB")->value_name("SIZE"),
      "run, shell: of each")(
      "share", options::value<std::vector<std::string>>()->value_name("DIR"),
      "run, shell: this folder of the host, read-only, at the same path "
      "(repeatable)");
  add_state_option(description);
}

}  // namespace cowbench
