// SPDX-License-Identifier: Apache-2.0
// A complete backend: ext2 on one device.
#include <cowbench/mounted.hpp>
#include <cowbench/plugin.hpp>
#include <string>

namespace {

using namespace cowbench;

// The keys that a stack file may give for this layer.
constexpr cowbench_option kOptions[] = {
    choice("block_size", "4096", "1024|2048|4096",
           "Bytes; 4096 is what mkfs.ext2 chooses for all but tiny devices"),
    option(COWBENCH_TYPE_TEXT, "mount_options", "noatime",
           "noatime, so that reading does not write"),
};

constexpr cowbench_requirement kRequirements[] = {
    tool("mkfs.ext2", "e2fsprogs"),
    tool("dumpe2fs", "e2fsprogs"),
    filesystem("ext2"),
};

// The word after "NAME:" in the output of dumpe2fs.
std::string field(const std::string& text, const std::string& name) {
  const std::size_t line = text.find("\n" + name + ":");
  if (line == std::string::npos) {
    throw Error(COWBENCH_TOOL_FAILED, "dumpe2fs prints no \"" + name + "\"");
  }
  const std::size_t begin = text.find_first_not_of(' ', line + name.size() + 2);
  return text.substr(begin, text.find_first_of(" \n", begin) - begin);
}

class Ext2 : public Layer, public UsageAbility {
 public:
  static constexpr LayerInfo info() {
    return {{"org.example.ext2", "ext2", "1.0", "ext2 on one device"},
            COWBENCH_OUTPUT_MOUNT,
            1,
            1,
            kOptions,
            kRequirements};
  }
  using Layer::Layer;

  void plan() override { host().plan_command(mkfs()); }

  void versions() override {
    // It says so on standard error: "mke2fs 1.47.0 (5-Feb-2023)".
    const std::string text = host().run({"mkfs.ext2", "-V"}).err;
    const std::size_t begin = text.find(' ') + 1;
    host().version("e2fsprogs",
                   text.substr(begin, text.find(' ', begin) - begin));
  }

  void assemble() override {
    host().run_checked(mkfs());
    const std::string found = host().run_checked({"dumpe2fs", "-h", device()});
    const std::string block_size = field(found, "Block size");
    require_effective("block_size", host().text("block_size"), block_size);
    host().effective("block_size", block_size);
    host().effective("uuid", field(found, "Filesystem UUID"));
    mount();
  }

  // Nothing remembers an ext2 filesystem but its device, which the core wipes.
  void disassemble() override { host().unmount(); }

  // Unmounting empties every cache that ext2 has.
  void deactivate() override { host().unmount(); }
  void activate() override { mount(); }

  void usage(cowbench_usage& usage) override {
    usage_of_free_blocks(host(), usage);
  }

 private:
  std::string device() const { return host().devices().at(0)->path; }

  std::vector<std::string> mkfs() const {
    const std::uint64_t blocks = host().devices().at(0)->size_bytes /
                                 std::stoull(host().text("block_size"));
    return {"mkfs.ext2",
            "-q",
            "-F",
            "-b",
            host().text("block_size"),
            device(),
            std::to_string(blocks)};
  }

  void mount() const {
    host().mount(device(), "ext2", host().text("mount_options"));
  }
};

}  // namespace

COWBENCH_PLUGINS(Ext2);
