// SPDX-License-Identifier: Apache-2.0
#include "plugin/elf.hpp"

#include <fcntl.h>
#include <link.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <optional>

#include "system/unique_fd.hpp"

namespace cowbench {
namespace {

using Header = ElfW(Ehdr);
using Section = ElfW(Shdr);
using Symbol = ElfW(Sym);

constexpr std::uint64_t kLargestTable = 256U << 20;  // a sparse file may lie

Error refusal(const std::string& message) {
  return Error(Category::kUnsupported, message);
}

// An open file, read in pieces that are known to lie within it.
class Image {
 public:
  static Result<Image> open(const std::filesystem::path& file) {
    UniqueFd fd(::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    struct stat status {};
    if (fd.get() < 0 || ::fstat(fd.get(), &status) != 0) {
      return refusal(std::string("cannot be read: ") + std::strerror(errno));
    }
    if (!S_ISREG(status.st_mode)) return refusal("is not a regular file");
    return Image(std::move(fd), static_cast<std::uint64_t>(status.st_size));
  }

  bool holds(std::uint64_t offset, std::uint64_t bytes) const {
    return offset <= size_ && bytes <= size_ - offset;
  }

  // Empty when the range is not in the file, or no table of any library.
  std::vector<char> read(std::uint64_t offset, std::uint64_t bytes) const {
    if (!holds(offset, bytes) || bytes > kLargestTable) return {};
    std::vector<char> data(bytes);
    std::size_t done = 0;
    while (done < data.size()) {
      const ssize_t got =
          ::pread(fd_.get(), data.data() + done, data.size() - done,
                  static_cast<off_t>(offset + done));
      if (got < 0 && errno == EINTR) continue;
      if (got <= 0) return {};
      done += static_cast<std::size_t>(got);
    }
    return data;
  }

  template <typename T>
  std::optional<T> read_one(std::uint64_t offset) const {
    const std::vector<char> data = read(offset, sizeof(T));
    if (data.empty()) return std::nullopt;
    T one;
    std::memcpy(&one, data.data(), sizeof one);
    return one;
  }

 private:
  Image(UniqueFd fd, std::uint64_t size) : fd_(std::move(fd)), size_(size) {}

  UniqueFd fd_;
  std::uint64_t size_;
};

// The runner's own header is what this machine loads.
Result<Header> native_header() {
  const Result<Image> self = Image::open("/proc/self/exe");
  if (!self) return self.error().within("look at /proc/self/exe");
  const std::optional<Header> header = self->read_one<Header>(0);
  if (!header) return refusal("cannot read /proc/self/exe");
  return *header;
}

Status check_header(const Header& header) {
  const Result<Header> native = native_header();
  if (!native) return native.error();
  const bool same_form =
      header.e_ident[EI_CLASS] == native->e_ident[EI_CLASS] &&
      header.e_ident[EI_DATA] == native->e_ident[EI_DATA];
  if (!same_form || header.e_machine != native->e_machine) {
    return refusal("is built for another machine (ELF machine " +
                   std::to_string(header.e_machine) + ", class " +
                   std::to_string(header.e_ident[EI_CLASS]) + "; this one is " +
                   std::to_string(native->e_machine) + ", class " +
                   std::to_string(native->e_ident[EI_CLASS]) +
                   "): build it here");
  }
  if (header.e_type != ET_DYN) return refusal("is not a shared library");
  return {};
}

Result<std::vector<std::string>> names_of(const Image& image,
                                          const Section& symbols,
                                          const Section& strings) {
  const std::vector<char> table =
      image.read(symbols.sh_offset, symbols.sh_size);
  const std::vector<char> text = image.read(strings.sh_offset, strings.sh_size);
  if (table.empty() || text.empty() || text.back() != '\0') {
    return refusal("is cut short: its symbols lie beyond its end");
  }
  std::vector<std::string> names;
  for (std::size_t at = 0; at + sizeof(Symbol) <= table.size();
       at += sizeof(Symbol)) {
    Symbol symbol;
    std::memcpy(&symbol, table.data() + at, sizeof symbol);
    const bool visible = ELF64_ST_BIND(symbol.st_info) != STB_LOCAL;
    if (!visible || symbol.st_shndx == SHN_UNDEF) continue;
    if (symbol.st_name < text.size()) {
      names.emplace_back(text.data() + symbol.st_name);
    }
  }
  return names;
}

}  // namespace

Result<std::vector<std::string>> exported_symbols(
    const std::filesystem::path& file) {
  const Result<Image> image = Image::open(file);
  if (!image) return image.error();
  const std::vector<char> magic = image->read(0, SELFMAG);
  if (magic.empty() || std::memcmp(magic.data(), ELFMAG, SELFMAG) != 0) {
    return refusal("is not an ELF file");
  }
  const std::optional<Header> header = image->read_one<Header>(0);
  if (!header) return refusal("is cut short: its header is not complete");
  if (const Status native = check_header(*header); !native) {
    return native.error();
  }
  if (header->e_shnum == 0 || header->e_shentsize != sizeof(Section)) {
    return refusal("has no section table to look for symbols in");
  }
  if (!image->holds(header->e_shoff, header->e_shnum * sizeof(Section))) {
    return refusal("is cut short: its section table lies beyond its end");
  }
  for (std::uint32_t i = 0; i < header->e_shnum; ++i) {
    const auto section_at = [&](std::uint32_t index) {
      return image->read_one<Section>(header->e_shoff +
                                      std::uint64_t{index} * sizeof(Section));
    };
    const std::optional<Section> symbols = section_at(i);
    if (!symbols) break;
    if (symbols->sh_type != SHT_DYNSYM) continue;
    const std::optional<Section> strings = section_at(symbols->sh_link);
    if (!strings || symbols->sh_link >= header->e_shnum) break;
    return names_of(*image, *symbols, *strings);
  }
  return refusal("has no dynamic symbol table");
}

}  // namespace cowbench
