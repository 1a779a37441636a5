// SPDX-License-Identifier: Apache-2.0
#include "plugin/trust.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <string>

namespace cowbench {
namespace {

// Set by sudo; only root's environment is worth believing.
std::optional<uid_t> sudo_user() {
  const char* text = std::getenv("SUDO_UID");
  if (text == nullptr || ::geteuid() != 0) return std::nullopt;
  uid_t user = 0;
  const char* end = text + std::strlen(text);
  const auto [stop, error] = std::from_chars(text, end, user);
  if (error != std::errc() || stop != end || stop == text) return std::nullopt;
  return user;
}

std::string octal(mode_t mode) {
  std::string digits = "0000";
  for (std::size_t i = 4; i-- > 0; mode >>= 3U) {
    digits[i] = static_cast<char>('0' + (mode & 7U));
  }
  return digits;
}

Error refusal(const std::string& message) {
  return Error(Category::kUnsupported, message);
}

Status check_one(const std::filesystem::path& path,
                 const std::vector<uid_t>& owners) {
  struct stat status {};
  if (::lstat(path.c_str(), &status) != 0) {
    return refusal("cannot be trusted: " + path.string() + ": " +
                   std::strerror(errno));
  }
  const bool directory = S_ISDIR(status.st_mode);
  const std::string what = (directory ? "directory " : "file ") + path.string();
  if (std::find(owners.begin(), owners.end(), status.st_uid) == owners.end()) {
    return refusal("cannot be trusted: " + what + " belongs to user " +
                   std::to_string(status.st_uid) +
                   ", neither root nor the invoking user; run \"chown root " +
                   path.string() + "\" if you trust it");
  }
  const bool shared = (status.st_mode & (S_IWGRP | S_IWOTH)) != 0;
  const bool sticky = directory && (status.st_mode & S_ISVTX) != 0;
  if (shared && !sticky) {
    return refusal("cannot be trusted: " + what +
                   " can be written by others (mode " +
                   octal(status.st_mode & 07777U) + "); run \"chmod go-w " +
                   path.string() + "\"");
  }
  return {};
}

}  // namespace

std::vector<uid_t> trusted_owners() {
  std::vector<uid_t> owners = {0, ::geteuid()};
  if (const std::optional<uid_t> user = sudo_user()) owners.push_back(*user);
  return owners;
}

bool privileges_raised() {
  return ::geteuid() != ::getuid() || sudo_user().has_value();
}

Status check_trusted(const std::filesystem::path& real_path,
                     const std::vector<uid_t>& owners) {
  std::filesystem::path path;
  for (const std::filesystem::path& part : real_path) {
    path /= part;
    if (Status one = check_one(path, owners); !one) return one;
  }
  return {};
}

}  // namespace cowbench
