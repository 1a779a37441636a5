// SPDX-License-Identifier: Apache-2.0
#include "device/member.hpp"

#include "base/text.hpp"
#include "device/safety.hpp"
#include "ledger/undo.hpp"
#include "system/clock.hpp"
#include "system/file.hpp"
#include "system/filesystem.hpp"
#include "system/loop.hpp"
#include "system/partition.hpp"
#include "system/signature.hpp"

namespace cowbench {

namespace {

// Attaches `image` and fills in what a loop device is. size_limit in bytes.
Status attach(const std::string& image, std::uint64_t size_limit,
              Ledger& ledger, Member& member) {
  LedgerEntry entry;
  entry.kind = "loop";
  entry.identity = image;
  if (auto id = ledger.add(entry); !id) return id.error();
  LoopOptions options;
  options.direct_io = true;
  options.size_limit = size_limit;
  auto loop = attach_loop(image, options);
  if (!loop) return loop.error();
  member.path = loop->path;
  member.direct_io = loop->direct_io;
  return {};
}

Status make_image_member(const MemberPlan& plan,
                         const std::string& image_folder, Ledger& ledger,
                         Member& member) {
  member.kind = "loop";
  member.image = image_folder + "/" + plan.name() + ".img";
  LedgerEntry entry;
  entry.kind = "image";
  entry.identity = member.image;
  if (auto id = ledger.add(entry); !id) return id.error();
  if (Status made = create_sparse_file(member.image, plan.size_bytes); !made) {
    return made;
  }
  member.known_blank = true;
  return attach(member.image, 0, ledger, member);
}

// Cuts the first size_bytes off a disk as a partition that only the kernel
// knows. Where it cannot (a partition is no disk), a loop device over the
// disk does it, at the price of one more layer; the result says which.
Status cut_slice(const MemberPlan& plan, Ledger& ledger, Member& member) {
  constexpr int kNumber = 1;
  LedgerEntry entry;
  entry.kind = "slice";
  entry.identity = member.disk;
  entry.parameters = {{"number", std::to_string(kNumber)}};
  auto id = ledger.add(entry);
  if (!id) return id.error();
  auto slice = add_partition(member.disk, kNumber, 0, plan.size_bytes);
  member.kind = "slice";
  if (slice) {
    member.path = *slice;
    member.slice = "kernel partition";
    return {};
  }
  if (Status struck = ledger.strike(*id); !struck) return struck;
  member.slice = "loop";
  return attach(member.disk, plan.size_bytes, ledger, member);
}

// From here on the signatures on `device` are ours to remove.
Status own_signatures(const std::string& device, Ledger& ledger) {
  auto facts = block_facts(device);
  if (!facts) return facts.error();
  LedgerEntry entry;
  entry.kind = "wipe";
  entry.identity = device;
  entry.parameters = {{"number", facts->number.text()},
                      {"size_bytes", std::to_string(facts->size_bytes)}};
  auto id = ledger.add(entry);
  return id ? Status() : Status(id.error());
}

// A driver may still be finding its disks.
Result<std::string> await_disk(const std::string& serial) {
  constexpr std::uint64_t kWaitNs = 10 * kNsPerSecond;
  const std::uint64_t deadline = now_ns() + kWaitNs;
  for (;;) {
    for (const std::string& name : list_folder("/sys/block")) {
      if (read_trimmed("/sys/block/" + name + "/serial") == serial) {
        return "/dev/" + name;
      }
    }
    if (now_ns() >= deadline) {
      return Error(Category::kEnvironment,
                   "no disk of this machine has the serial " + serial);
    }
    sleep_ns(50 * kNsPerMs);
  }
}

// Nothing of it outlives the guest, so nothing goes into the ledger.
Status make_virtual_member(const MemberPlan& plan, Member& member) {
  member.kind = "virtual";
  member.virtual_disk = plan.disk;
  member.image = plan.disk->image;
  auto path = await_disk(plan.disk->serial);
  if (!path) return path.error();
  member.path = *path;
  auto found = find_signatures(member.path);
  if (!found) return found.error();
  if (!found->empty()) {
    return Error(Category::kEnvironment,
                 member.path + " is not blank: " + signature_list(*found));
  }
  member.known_blank = true;
  return {};
}

Status make_device_member(const MemberPlan& plan, Ledger& ledger,
                          Member& member) {
  member.kind = "device";
  member.disk = canonical_path(plan.device);
  member.path = member.disk;
  // Hours and other jobs may lie between the check of the plan and this.
  const std::vector<std::string> refusals =
      device_refusals({{plan.group, member.disk, plan.size_bytes}},
                      plan.wipe ? std::vector<std::string>{member.disk}
                                : std::vector<std::string>());
  if (!refusals.empty()) {
    return Error(Category::kEnvironment, join(refusals, "; "));
  }
  auto facts = block_facts(member.disk);
  if (!facts) return facts.error();
  if (plan.wipe) {
    if (Status wiped = wipe_signatures(member.disk); !wiped) return wiped;
  }
  if (Status owned = own_signatures(member.disk, ledger); !owned) return owned;
  if (plan.size_bytes == 0 || plan.size_bytes >= facts->size_bytes) return {};
  if (Status cut = cut_slice(plan, ledger, member); !cut) return cut;
  return own_signatures(member.path, ledger);
}

}  // namespace

Result<std::vector<Member>> make_members(const std::vector<MemberPlan>& plans,
                                         const std::string& image_folder,
                                         Ledger& ledger) {
  std::vector<Member> members;
  for (const MemberPlan& plan : plans) {
    Member member;
    member.name = plan.name();
    member.group = plan.group;
    member.index = plan.index;
    const Status made =
        plan.disk ? make_virtual_member(plan, member)
        : plan.device.empty()
            ? make_image_member(plan, image_folder, ledger, member)
            : make_device_member(plan, ledger, member);
    if (!made) return made.error().within("make member " + plan.name());
    auto facts = block_facts(member.path);
    if (!facts) return facts.error().within("make member " + plan.name());
    member.facts = *facts;
    member.size_bytes = facts->size_bytes;
    members.push_back(std::move(member));
  }
  return members;
}

Status zero_virtual_members(const std::vector<Member>& members) {
  for (const Member& member : members) {
    if (member.kind != "virtual") continue;
    if (Status zeroed = zero_device(member.path); !zeroed) return zeroed;
  }
  return {};
}

Status record_signatures(Ledger& ledger) {
  auto contents = read_ledger(ledger.path());
  if (!contents) return contents.error();
  for (const LedgerEntry& entry : contents->open) {
    if (entry.kind != "wipe") continue;
    auto found = find_signatures(entry.identity);
    if (!found) return found.error();
    if (found->empty()) continue;
    if (Status amended =
            ledger.amend(entry.id, "signatures", signature_list(*found));
        !amended) {
      return amended;
    }
  }
  return {};
}

void VirtualDisk::write(JsonWriter& json) const {
  json.begin_object()
      .field("serial", serial)
      .field("image", image)
      .field("filesystem", filesystem)
      .field("memory_backed", memory_backed)
      .field("model", model)
      .field("iops", iops)
      .field("bytes_per_second", bytes_per_second)
      .end_object();
}

VirtualDisk VirtualDisk::read(const JsonValue& json) {
  VirtualDisk disk;
  disk.serial = string_at(json, "serial");
  disk.image = string_at(json, "image");
  disk.filesystem = string_at(json, "filesystem");
  disk.memory_backed = bool_at(json, "memory_backed");
  disk.model = string_at(json, "model");
  disk.iops = uint_at(json, "iops");
  disk.bytes_per_second = uint_at(json, "bytes_per_second");
  return disk;
}

void Member::write(JsonWriter& json) const {
  json.begin_object()
      .field("name", name)
      .field("group", group)
      .field("index", index)
      .field("path", path)
      .field("number", facts.number.text())
      .field("size_bytes", size_bytes)
      .field("kind", kind)
      .field("known_blank", known_blank);
  if (virtual_disk) {
    json.key("backing")
        .begin_object()
        .field("path", virtual_disk->image)
        .field("filesystem", virtual_disk->filesystem)
        .field("memory_backed", virtual_disk->memory_backed)
        .end_object();
    json.key("disk_of_guest");
    virtual_disk->write(json);
  } else if (!image.empty()) {
    json.key("backing").begin_object().field("path", image);
    if (auto store = filesystem_facts(image); store) {
      json.field("filesystem", store->type)
          .field("memory_backed", store->memory_backed);
    }
    json.end_object();
  }
  if (!disk.empty()) json.field("disk", disk);
  if (!slice.empty()) json.field("slice", slice);
  if (kind == "loop" || slice == "loop") json.field("direct_io", direct_io);
  json.field("logical_sector_bytes", facts.logical_sector_bytes)
      .field("physical_sector_bytes", facts.physical_sector_bytes)
      .field("rotational", facts.rotational)
      .field("model", facts.model)
      .field("transport", facts.transport)
      .field("scheduler", facts.scheduler)
      .field("write_cache", facts.write_cache)
      .field("nr_requests", facts.queue_requests)
      .field("max_request_kib", facts.max_request_kib)
      .field("discard_max_bytes", facts.discard_max_bytes)
      .end_object();
}

Member Member::read(const JsonValue& json) {
  Member member;
  member.name = string_at(json, "name");
  member.group = string_at(json, "group");
  member.index = static_cast<std::uint32_t>(uint_at(json, "index"));
  member.path = string_at(json, "path");
  member.size_bytes = uint_at(json, "size_bytes");
  member.kind = string_at(json, "kind");
  member.known_blank = bool_at(json, "known_blank");
  member.disk = string_at(json, "disk");
  member.slice = string_at(json, "slice");
  member.direct_io = bool_at(json, "direct_io");
  member.facts.path = member.path;
  member.facts.rotational = bool_at(json, "rotational");
  if (auto number = parse_device_number(string_at(json, "number")); number) {
    member.facts.number = *number;
  }
  if (const JsonValue* backing = member_at(json, "backing")) {
    member.image = string_at(*backing, "path");
  }
  if (const JsonValue* disk = member_at(json, "disk_of_guest")) {
    member.virtual_disk = VirtualDisk::read(*disk);
  }
  return member;
}

}  // namespace cowbench
