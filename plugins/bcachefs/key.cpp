// SPDX-License-Identifier: Apache-2.0
#include "bcachefs/key.hpp"

#include <fcntl.h>
#include <linux/keyctl.h>
#include <sys/random.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>
#include <system_error>

namespace cowbench::bcachefs {
namespace {

std::string file_in(const std::string& memory_directory) {
  return memory_directory + "/passphrase";
}

[[noreturn]] void fail(const std::string& action) {
  throw std::system_error(errno, std::generic_category(), action);
}

std::string random_hex() {
  unsigned char bytes[32];
  if (getrandom(bytes, sizeof bytes, 0) != sizeof bytes) {
    fail("get random bytes");
  }
  static const char kDigits[] = "0123456789abcdef";
  std::string text;
  for (const unsigned char byte : bytes) {
    text += kDigits[byte >> 4];
    text += kDigits[byte & 15];
  }
  return text;
}

// glibc has no wrappers for these calls.
long keyring_call(int operation, long a = 0, long b = 0, long c = 0) {
  return syscall(SYS_keyctl, operation, a, b, c, 0L);
}

}  // namespace

std::string make_passphrase(const std::string& memory_directory) {
  const std::string path = file_in(memory_directory);
  if (unlink(path.c_str()) != 0 && errno != ENOENT) fail("remove " + path);
  const int fd = open(
      path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (fd < 0) fail("make " + path);
  std::string text = random_hex();
  const ssize_t count = write(fd, text.data(), text.size());
  const int error = count < 0 ? errno : EIO;
  close(fd);
  if (count == static_cast<ssize_t>(text.size())) return text;
  errno = error;
  fail("write " + path);
}

std::string read_passphrase(const std::string& memory_directory) {
  const std::string path = file_in(memory_directory);
  std::ifstream file(path);
  std::string text;
  if (std::getline(file, text) && !text.empty()) return text;
  throw Error(COWBENCH_NOT_AVAILABLE,
              "read the passphrase of the encrypted filesystem: " + path +
                  " is not there or empty. It lives in memory only, so the "
                  "filesystem cannot be opened any more; run the job again");
}

void forget_passphrase(const std::string& memory_directory) {
  unlink(file_in(memory_directory).c_str());
}

UnlockedKey::UnlockedKey(const Host& host, const std::string& uuid,
                         const std::string& device) {
  Command unlock;
  unlock.argv = {"bcachefs", "unlock", "-k", "session", device};
  unlock.input = read_passphrase(host.memory_directory());
  if (keyring_call(KEYCTL_JOIN_SESSION_KEYRING) < 0) {
    fail("make a session keyring for the key of bcachefs " + uuid);
  }
  const CommandResult result = host.run(unlock);
  if (!result.succeeded()) {
    throw Error(COWBENCH_TOOL_FAILED,
                "unlock the encrypted bcachefs " + uuid + " on " + device +
                    " with the passphrase in " +
                    file_in(host.memory_directory()) + ": " +
                    (result.err.empty() ? result.out : result.err));
  }
  const std::string description = "bcachefs:" + uuid;
  if (keyring_call(KEYCTL_SEARCH, KEY_SPEC_SESSION_KEYRING,
                   reinterpret_cast<long>("user"),
                   reinterpret_cast<long>(description.c_str())) >= 0) {
    return;
  }
  throw Error(COWBENCH_TOOL_FAILED,
              "unlock the encrypted bcachefs " + uuid + " on " + device +
                  ": the tool reports success, but the session keyring lacks "
                  "the key \"" +
                  description +
                  "\", without which the kernel cannot mount it; does "
                  "\"bcachefs unlock -k session\" of this release keep it "
                  "elsewhere?");
}

UnlockedKey::~UnlockedKey() {
  keyring_call(KEYCTL_CLEAR, KEY_SPEC_SESSION_KEYRING);
}

}  // namespace cowbench::bcachefs
