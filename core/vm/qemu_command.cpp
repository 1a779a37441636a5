// SPDX-License-Identifier: Apache-2.0
#include "vm/qemu_command.hpp"

#include "base/json.hpp"
#include "base/text.hpp"

namespace cowbench {

namespace {

// A comma ends a value on this command line unless it is doubled.
std::string value_text(const std::string& text) {
  std::string escaped;
  for (const char c : text) {
    escaped += c;
    if (c == ',') escaped += c;
  }
  return escaped;
}

class Arguments {
 public:
  explicit Arguments(const GuestMachine& machine) : machine_(machine) {}

  std::vector<std::string> take() {
    add_machine();
    add_channels();
    std::size_t number = 0;
    for (const GuestDisk& disk : machine_.own_disks) add_disk(disk, number++);
    for (const GuestDisk& disk : machine_.member_disks) {
      add_disk(disk, number++);
    }
    number = 0;
    for (const GuestShare& share : machine_.shares) add_share(share, number++);
    return std::move(all_);
  }

 private:
  void add(const std::string& option) { all_.push_back(option); }
  void add(const std::string& option, const std::string& value) {
    all_.push_back(option);
    all_.push_back(value);
  }

  void add_machine() {
    add(kEmulator);
    add("-M", "pc,usb=off,hpet=off");
    if (machine_.accelerator == "kvm") {
      add("-accel", "kvm");
      add("-cpu", "host");
    } else {
      // A larger translation cache, so that it need not be flushed.
      add("-accel", "tcg,thread=multi,tb-size=512");
      add("-cpu", "max");
    }
    add("-m", std::to_string(machine_.memory_mib));
    add("-smp", std::to_string(machine_.cpus));
    // Nothing that was not asked for: no network card, no screen, no floppy.
    for (const char* word : {"-nodefaults", "-no-user-config", "-no-reboot"}) {
      add(word);
    }
    add("-display", "none");
    add("-device", "virtio-rng-pci");
    add("-kernel", machine_.vmlinuz);
    add("-initrd", machine_.initrd);
    add("-append", join(machine_.command_line, " "));
  }

  void add_channels() {
    if (machine_.console_fd >= 0) {
      add_socket("console", machine_.console_fd);
    } else {
      add("-chardev",
          "file,id=console,path=" + value_text(machine_.console_path));
    }
    add("-serial", "chardev:console");
    if (machine_.control_fd >= 0) {
      add_socket("control", machine_.control_fd);
      add("-mon", "chardev=control,mode=control");
    }
    if (machine_.port_fd >= 0) {
      add_socket("port", machine_.port_fd);
      add("-device", "virtio-serial-pci");
      add("-device", "virtserialport,chardev=port,name=cowbench");
    }
  }

  void add_socket(const std::string& id, int fd) {
    add("-chardev", "socket,id=" + id + ",fd=" + std::to_string(fd));
  }

  // file <- raw <- (throttle) <- device. Described as JSON, in which no path
  // needs escaping.
  void add_disk(const GuestDisk& disk, std::size_t number) {
    const std::string id = "disk" + std::to_string(number);
    std::string top = id + "-raw";
    add("-blockdev", node(disk, "file", id + "-file", "filename", disk.image));
    add("-blockdev", node(disk, "raw", top, "file", id + "-file"));
    if (disk.iops != 0 || disk.bytes_per_second != 0) {
      add("-object", throttle_group(disk, id + "-limit"));
      JsonWriter json = open_node(disk, "throttle", id + "-throttle");
      json.field("throttle-group", id + "-limit").field("file", top);
      add("-blockdev", json.end_object().text());
      top = id + "-throttle";
    }
    std::string device = "virtio-blk-pci,drive=" + top +
                         ",serial=" + value_text(disk.serial) +
                         ",num-queues=" + std::to_string(machine_.cpus);
    if (!disk.read_only) {
      add("-object", "iothread,id=" + id + "-thread");
      // A full store stops the machine, so that the guest never sees errors
      // that no disk of its kind would give; whoever supervises it ends it.
      device += ",iothread=" + id + "-thread,write-cache=on,werror=enospc" +
                ",rerror=report";
    }
    add("-device", device);
  }

  // An open object; cache mode writeback: the host's cache is used, and
  // flushes of the guest reach the store.
  static JsonWriter open_node(const GuestDisk& disk, const char* driver,
                              const std::string& name) {
    JsonWriter json;
    json.begin_object().field("driver", driver).field("node-name", name);
    json.field("read-only", disk.read_only);
    json.field("discard", disk.read_only ? "ignore" : "unmap");
    json.key("cache")
        .begin_object()
        .field("direct", false)
        .field("no-flush", false)
        .end_object();
    return json;
  }

  static std::string node(const GuestDisk& disk, const char* driver,
                          const std::string& name, const char* key,
                          const std::string& value) {
    JsonWriter json = open_node(disk, driver, name);
    json.field(key, value);
    return json.end_object().text();
  }

  // With no burst above the rate: a disk does not save up.
  static std::string throttle_group(const GuestDisk& disk,
                                    const std::string& id) {
    JsonWriter json;
    json.begin_object().field("qom-type", "throttle-group").field("id", id);
    json.key("limits").begin_object();
    if (disk.iops != 0) {
      json.field("iops-total", disk.iops).field("iops-total-max", disk.iops);
    }
    if (disk.bytes_per_second != 0) {
      json.field("bps-total", disk.bytes_per_second);
    }
    return json.end_object().end_object().text();
  }

  void add_share(const GuestShare& share, std::size_t number) {
    const std::string id = "share" + std::to_string(number);
    // security_model=none: owners stay those of the user who runs this.
    add("-fsdev", "local,id=" + id + ",path=" + value_text(share.folder) +
                      ",security_model=none,multidevs=remap" +
                      (share.read_only ? ",readonly=on" : ""));
    add("-device",
        "virtio-9p-pci,fsdev=" + id + ",mount_tag=" + value_text(share.tag));
  }

  const GuestMachine& machine_;
  std::vector<std::string> all_;
};

}  // namespace

std::vector<std::string> qemu_command(const GuestMachine& machine) {
  return Arguments(machine).take();
}

}  // namespace cowbench
