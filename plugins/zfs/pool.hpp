// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cowbench/host.hpp>
#include <string>
#include <vector>

#include "zfs/layout.hpp"
#include "zfs/read_back.hpp"

namespace cowbench::zfs {

// The pool below either layer, with one dataset or volume in it. Its name is
// the object name of the layer, so no other job has it. Functions throw Error.
// State: "pool" (its name, once it is ours), "guid", "leaves" (a line each),
// "tickets" (of the ledger, separated by blanks), "dataset_guid".
class Pool {
 public:
  // `child`: the name of the dataset within the pool.
  Pool(const Host& host, const char* child) : host_(host), child_(child) {}

  std::string name() const { return host_.object_name(); }
  std::string dataset() const { return name() + "/" + child_; }
  bool encrypted() const { return host_.text("encryption") != "off"; }

  // The commands of create() and create_dataset().
  std::vector<std::string> create_command() const;
  std::vector<std::string> dataset_command(
      const std::vector<std::string>& arguments,
      const std::vector<std::string>& properties) const;

  // Makes the pool, on devices without any label of ZFS, and reads it back.
  // Refuses a name that is in use.
  void create() const;
  // Makes the dataset with these `properties` ("name=value") besides the
  // layer's own, and requires each of them from what zfs says.
  void create_dataset(const std::vector<std::string>& arguments,
                      const std::vector<std::string>& properties) const;

  // The pool and the dataset that are up are those that were made.
  void verify() const;
  // Exports the pool: nothing of it stays in memory.
  void stop() const;
  // Imports it from its own devices alone and loads the key.
  void start() const;
  // Destroys it, in whatever state, and leaves no label and no partition on
  // the devices. Nothing to do when create() never made it ours.
  void remove() const;

  bool imported() const;
  Properties pool_properties() const;
  Properties dataset_properties() const;
  std::vector<VdevSpace> space() const;

  // Reports the module's tunables that decide about memory and clones.
  void report_tunables() const;
  void report_versions() const;

 private:
  std::vector<std::string> devices() const;
  std::string key_path() const;
  std::vector<std::string> key_properties() const;
  std::vector<std::string> own_properties() const;
  void refuse_name_in_use() const;
  void refuse_old_labels() const;
  void enter_in_ledger() const;
  void strike_from_ledger() const;
  void read_back() const;
  void read_back_dataset(const std::vector<std::string>& properties) const;
  void resolve_xattr(Properties& found) const;
  void report_dataset(const Properties& found) const;
  void load_key() const;
  void refuse_stranger() const;
  std::string only_line_of(const std::vector<std::string>& command) const;
  void clear_labels() const;
  void clear_labels_of(const std::string& device) const;
  // Runs the command until the pool is no longer imported.
  void until_gone(const std::vector<std::string>& command) const;

  Host host_;
  const char* child_;
};

// The value of a parameter of the kernel module; "not-available" when this
// release has none of that name.
std::string module_parameter(const std::string& name);

}  // namespace cowbench::zfs
