// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cowbench/text.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace cowbench::bcachefs {

std::vector<std::string> words_of(const std::string& text);

// Of an option that may have one of several values the one in effect: the tool
// and the kernel put it in brackets, "none [crc32c] crc64". Any other text as
// it is, trimmed.
std::string selected(const std::string& text);

// "128 KiB", "64.0 KiB", "512 B", "4096". Nothing when it is none of these.
std::optional<std::uint64_t> bytes_of(const std::string& text);

std::optional<std::uint64_t> number_of(const std::string& text);

}  // namespace cowbench::bcachefs
