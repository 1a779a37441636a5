// SPDX-License-Identifier: Apache-2.0
#include "system/process.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <csignal>
#include <cstdlib>

#include "base/text.hpp"
#include "system/clock.hpp"
#include "system/file.hpp"
#include "system/process_list.hpp"
#include "temporary_folder.hpp"

using namespace cowbench;

namespace {

Command command(std::vector<std::string> argv) {
  Command made;
  made.argv = std::move(argv);
  return made;
}

Command script(const std::string& text) { return command({"sh", "-c", text}); }

CommandResult run(const Command& what, const ShouldStop& should_stop = {}) {
  auto result = run_command(what, should_stop);
  if (!result) FAIL(result.error().message());
  return std::move(*result);
}

bool process_exists(pid_t pid) { return kill(pid, 0) == 0; }

// Whoever adopts orphans here may be slow to reap them.
bool is_dead(pid_t pid) {
  const auto stat = read_file("/proc/" + std::to_string(pid) + "/stat");
  return !stat || stat->find(") Z ") != std::string::npos;
}

// The program that a process started before it was killed.
pid_t pid_from_killed_starter(const Command& what) {
  int ends[2];
  REQUIRE(pipe(ends) == 0);
  const pid_t starter = fork();
  if (starter == 0) {
    auto process = Process::start(what);
    const pid_t started = process ? process->pid() : -1;
    if (write(ends[1], &started, sizeof started) < 0) _exit(1);
    kill(getpid(), SIGKILL);
  }
  waitpid(starter, nullptr, 0);
  pid_t pid = 0;
  REQUIRE(read(ends[0], &pid, sizeof pid) == sizeof pid);
  close(ends[0]);
  close(ends[1]);
  return pid;
}

}  // namespace

TEST_CASE("a command's output and exit status are captured") {
  const auto result = run(script("echo out; echo err >&2; exit 3"));
  CHECK(result.out == "out\n");
  CHECK(result.err == "err\n");
  CHECK(result.exit_status == 3);
  CHECK_FALSE(result.succeeded());
  CHECK(result.ending() == "exit status 3");
  CHECK(result.duration_ns > 0);
}

TEST_CASE("arguments reach a command as they are") {
  const auto result = run(command({"printf", "%s|", "a b", "$HOME", "*", ""}));
  CHECK(result.out == "a b|$HOME|*||");
}

TEST_CASE("a missing command is not available") {
  const auto result = run_command(command({"cowbench-no-such-program"}));
  REQUIRE_FALSE(result.ok());
  CHECK(result.error().category() == Category::kNotAvailable);
  CHECK(result.error().message() ==
        "cowbench-no-such-program: command not found");
}

TEST_CASE("a command that cannot be started says why") {
  const TemporaryFolder folder;
  const auto path = folder.file("noise");
  REQUIRE(write_file_durable(path, "\x7f not a program", 0755));
  const auto broken = run_command(command({path}));
  REQUIRE_FALSE(broken.ok());
  CHECK(broken.error().category() == Category::kToolFailed);

  auto lost = command({"true"});
  lost.cwd = folder.file("absent");
  const auto result = run_command(lost);
  REQUIRE_FALSE(result.ok());
  CHECK(result.error().message().find(lost.cwd) != std::string::npos);
}

TEST_CASE("a command ends at its time limit") {
  auto sleeper = command({"sleep", "30"});
  sleeper.timeout_ns = 50 * kNsPerMs;
  const auto result = run(sleeper);
  CHECK(result.timed_out);
  CHECK_FALSE(result.stopped);
  CHECK(result.signal == SIGTERM);
  CHECK(result.duration_ns < 3 * kNsPerSecond);
}

TEST_CASE("a command that ignores SIGTERM is killed with its children") {
  auto stubborn = script("trap '' TERM; sleep 31 & echo $!; wait; sleep 32");
  stubborn.timeout_ns = 100 * kNsPerMs;
  const auto result = run(stubborn);
  CHECK(result.timed_out);
  CHECK(result.signal == SIGKILL);
  CHECK(result.duration_ns >= 3 * kNsPerSecond);
  const pid_t child = std::stoi(result.out);
  for (int i = 0; i < 100 && !is_dead(child); ++i) sleep_ns(10 * kNsPerMs);
  CHECK(is_dead(child));
}

TEST_CASE("a command is stopped on request") {
  int asked = 0;
  const auto result =
      run(command({"sleep", "30"}), [&asked] { return ++asked > 2; });
  CHECK(result.stopped);
  CHECK_FALSE(result.timed_out);
  CHECK(result.ending() == "stopped on request");
}

TEST_CASE("a killed command tells its signal") {
  const auto result = run(script("kill -SEGV $$"));
  CHECK(result.signal == SIGSEGV);
  CHECK(result.ending() == "killed by SIGSEGV");
}

TEST_CASE("huge output is bounded and counted") {
  const auto result = run(command({"head", "-c", "20000000", "/dev/zero"}));
  CHECK(result.succeeded());
  CHECK(result.out.size() == 16U << 20);
  CHECK(result.out.size() + result.out_dropped_bytes == 20'000'000);
}

TEST_CASE("input reaches a command") {
  auto counter = command({"wc", "-c"});
  counter.input = std::string(1 << 20, 'x');
  CHECK(trim(run(counter).out) == "1048576");
  CHECK(run(command({"cat"})).out.empty());
}

TEST_CASE("a command that does not read its input ends normally") {
  auto deaf = command({"true"});
  deaf.input = std::string(1 << 20, 'x');
  CHECK(run(deaf).succeeded());
}

TEST_CASE("the environment is the parent's with a fixed locale") {
  setenv("LANG", "de_DE.UTF-8", 1);
  setenv("LC_TIME", "de_DE.UTF-8", 1);
  setenv(kJobTagVariable, "tag-1", 1);
  auto env = command({"env"});
  env.environment = {{"COWBENCH_EXTRA", "a=b"}, {"HOME", "/nowhere"}};
  const auto lines = split(run(env).out, '\n');
  unsetenv("LANG");
  unsetenv("LC_TIME");
  unsetenv(kJobTagVariable);
  const auto count = [&lines](const std::string& start) {
    return std::count_if(lines.begin(), lines.end(), [&](const auto& line) {
      return line.starts_with(start);
    });
  };
  CHECK(count("LANG=") == 0);
  CHECK(count("LC_TIME=") == 0);
  CHECK(count("LC_ALL=C") == 1);
  CHECK(count("COWBENCH_JOB_TAG=tag-1") == 1);
  CHECK(count("COWBENCH_EXTRA=a=b") == 1);
  CHECK(count("HOME=") == 1);
  CHECK(count("HOME=/nowhere") == 1);
}

TEST_CASE("system folders are searched") {
  const char* before = std::getenv("PATH");
  const std::string saved = before == nullptr ? "" : before;
  setenv("PATH", "/usr/bin:/bin", 1);
  const auto path = run(script("echo $PATH")).out;
  setenv("PATH", saved.c_str(), 1);
  CHECK(path == "/usr/bin:/bin:/usr/sbin:/sbin\n");
  CHECK(find_program("sh").has_value());
  CHECK_FALSE(find_program("cowbench-no-such-program").has_value());
  CHECK_FALSE(find_program("").has_value());
}

TEST_CASE("descriptors are closed unless named") {
  int ends[2];
  REQUIRE(pipe(ends) == 0);
  const auto number = std::to_string(ends[1]);
  auto talk = script("echo kept >&" + number);
  CHECK_FALSE(run(talk).succeeded());
  talk.kept_descriptors = {ends[1]};
  CHECK(run(talk).succeeded());
  char text[8] = "";
  CHECK(read(ends[0], text, sizeof text) == 5);
  close(ends[0]);
  close(ends[1]);
}

TEST_CASE("both streams may go to one file") {
  const TemporaryFolder folder;
  auto talk = script("echo out; echo err >&2; echo more");
  talk.output_path = folder.file("log");
  talk.error_path = talk.output_path;
  const auto result = run(talk);
  CHECK(result.out.empty());
  CHECK(*read_file(talk.output_path) == "out\nerr\nmore\n");
}

TEST_CASE("signals are as a fresh program expects them") {
  sigset_t blocked;
  sigset_t before;
  sigemptyset(&blocked);
  sigaddset(&blocked, SIGUSR1);
  pthread_sigmask(SIG_BLOCK, &blocked, &before);
  const auto old = std::signal(SIGPIPE, SIG_IGN);
  const auto status = run(command({"cat", "/proc/self/status"})).out;
  std::signal(SIGPIPE, old);
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  CHECK(status.find("SigBlk:\t0000000000000000") != std::string::npos);
  CHECK(status.find("SigIgn:\t0000000000000000") != std::string::npos);
}

TEST_CASE("a program left behind does not hold its starter up") {
  const auto result = run(script("sleep 2 & echo started"));
  CHECK(result.out == "started\n");
  CHECK(result.duration_ns < kNsPerSecond);
}

TEST_CASE("a failed command as an error quotes what it said") {
  const auto failed = run_checked(script("echo 'no such pool' >&2; exit 1"));
  REQUIRE_FALSE(failed.ok());
  CHECK(failed.error().category() == Category::kToolFailed);
  CHECK(failed.error().message().find("exit status 1: no such pool") !=
        std::string::npos);
  const auto wordy = run_checked(
      script("echo cause >&2; head -c 9000 /dev/zero | tr '\\0' x >&2; "
             "echo effect >&2; exit 1"));
  CHECK(wordy.error().message().find("cause") != std::string::npos);
  CHECK(wordy.error().message().find("effect") != std::string::npos);
  CHECK(wordy.error().message().size() < 1100);
  auto slow = command({"sleep", "30"});
  slow.timeout_ns = 20 * kNsPerMs;
  CHECK(run_checked(slow).error().category() == Category::kTimeout);
}

TEST_CASE("a background program can be watched and stopped") {
  auto started = Process::start(script("echo ready; exec sleep 30"));
  REQUIRE(started.ok());
  Process process = std::move(*started);
  CHECK(process.pid() > 0);
  CHECK(process.running());
  CHECK_FALSE(process.wait_for(20 * kNsPerMs));
  const auto result = process.stop();
  CHECK(result.stopped);
  CHECK(result.out == "ready\n");
  CHECK_FALSE(process.running());
  CHECK(process.wait().stopped);
}

TEST_CASE("a background program that writes much does not stall") {
  auto process =
      Process::start(command({"head", "-c", "1000000", "/dev/zero"}));
  REQUIRE(process.ok());
  CHECK(process->wait_for(10 * kNsPerSecond));
  CHECK(process->wait().out.size() == 1'000'000);
}

TEST_CASE("a destroyed process is killed and reaped") {
  pid_t pid = 0;
  {
    auto process = Process::start(command({"sleep", "30"}));
    REQUIRE(process.ok());
    pid = process->pid();
    auto other = Process::start(command({"sleep", "30"}));
    REQUIRE(other.ok());
    const pid_t replaced = other->pid();
    *other = std::move(*process);
    CHECK_FALSE(process_exists(replaced));
    CHECK(process_exists(pid));
  }
  CHECK_FALSE(process_exists(pid));
}

TEST_CASE("a program dies with its starter") {
  const pid_t pid = pid_from_killed_starter(command({"sleep", "30"}));
  for (int i = 0; i < 500 && !is_dead(pid); ++i) sleep_ns(10 * kNsPerMs);
  CHECK(is_dead(pid));
}

TEST_CASE("a program that may outlive its starter does") {
  auto heir = command({"sleep", "30"});
  heir.outlives_starter = true;
  const pid_t pid = pid_from_killed_starter(heir);
  sleep_ns(50 * kNsPerMs);
  CHECK_FALSE(is_dead(pid));
  kill(pid, SIGKILL);
}

TEST_CASE("processes of a job are found by their tag and killed") {
  const std::string tag = "unit-" + std::to_string(getpid());
  auto tagged = command({"sleep", "33"});
  tagged.environment = {{kJobTagVariable, tag}};
  auto process = Process::start(tagged);
  auto other = Process::start(command({"sleep", "33"}));
  REQUIRE(process.ok());
  REQUIRE(other.ok());
  const auto found = processes_with_environment(kJobTagVariable, tag);
  REQUIRE(found.size() == 1);
  CHECK(found[0].pid == process->pid());
  CHECK(found[0].command == "sleep 33");
  CHECK(kill_processes_with_environment(kJobTagVariable, tag));
  CHECK(processes_with_environment(kJobTagVariable, tag).empty());
  CHECK(process->wait().signal == SIGKILL);
  CHECK(other->running());
}

TEST_CASE("evidence of a stall names thread and state") {
  auto process = Process::start(command({"sleep", "30"}));
  REQUIRE(process.ok());
  const auto evidence = stall_evidence(process->pid());
  CHECK(evidence.find("(sleep), state ") != std::string::npos);
  CHECK(evidence.find("wchan") != std::string::npos);
  CHECK(stall_evidence(1 << 30).empty());
}

TEST_CASE("holders of a folder are found by what they have open") {
  const TemporaryFolder folder;
  CHECK(describe_holders(holders_of(folder.path())) == "no holder found");
  auto sitter = command({"sleep", "30"});
  sitter.cwd = folder.path();
  sitter.output_path = folder.file("log");
  auto process = Process::start(sitter);
  REQUIRE(process.ok());
  const auto text = describe_holders(holders_of(folder.path()));
  const auto pid = "pid " + std::to_string(process->pid());
  CHECK(text.find(pid + " (sleep 30): open as fd 1") != std::string::npos);
  CHECK(text.find(pid + " (sleep 30): current directory") != std::string::npos);
}
