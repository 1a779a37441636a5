/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The layout of every structure that crosses the border, written down. A line
 * here changes only by appending, together with COWBENCH_ABI_MINOR; anything
 * else breaks plugins that exist. Compiling is the test.
 */
#include <cowbench/abi/ability.h>
#include <cowbench/abi/plugin.h>
#include <stddef.h>

_Static_assert(sizeof(void*) == 8, "this table is for 64-bit machines");

#define SIZE(type, bytes) \
  _Static_assert(sizeof(type) == (bytes), "size of " #type)
#define AT(type, field, offset) \
  _Static_assert(offsetof(type, field) == (offset), #type "." #field)

SIZE(cowbench_option, 64);
AT(cowbench_option, struct_size, 0);
AT(cowbench_option, type, 4);
AT(cowbench_option, key, 8);
AT(cowbench_option, default_value, 16);
AT(cowbench_option, summary, 24);
AT(cowbench_option, allowed, 32);
AT(cowbench_option, minimum, 40);
AT(cowbench_option, maximum, 48);
AT(cowbench_option, required, 56);

SIZE(cowbench_requirement, 24);
AT(cowbench_requirement, struct_size, 0);
AT(cowbench_requirement, kind, 4);
AT(cowbench_requirement, name, 8);
AT(cowbench_requirement, package, 16);

SIZE(cowbench_device, 40);
AT(cowbench_device, struct_size, 0);
AT(cowbench_device, index, 4);
AT(cowbench_device, path, 8);
AT(cowbench_device, group, 16);
AT(cowbench_device, size_bytes, 24);
AT(cowbench_device, known_blank, 32);
AT(cowbench_device, rotational, 33);

SIZE(cowbench_io, 72);
AT(cowbench_io, struct_size, 0);
AT(cowbench_io, members, 4);
AT(cowbench_io, read_ops, 8);
AT(cowbench_io, read_bytes, 16);
AT(cowbench_io, write_ops, 24);
AT(cowbench_io, write_bytes, 32);
AT(cowbench_io, discard_ops, 40);
AT(cowbench_io, discard_bytes, 48);
AT(cowbench_io, flush_ops, 56);
AT(cowbench_io, busy_ns, 64);

SIZE(cowbench_command, 56);
AT(cowbench_command, struct_size, 0);
AT(cowbench_command, input_bytes, 4);
AT(cowbench_command, argv, 8);
AT(cowbench_command, environment, 16);
AT(cowbench_command, working_directory, 24);
AT(cowbench_command, input, 32);
AT(cowbench_command, output_path, 40);
AT(cowbench_command, timeout_ns, 48);

SIZE(cowbench_command_result, 56);
AT(cowbench_command_result, struct_size, 0);
AT(cowbench_command_result, exit_status, 4);
AT(cowbench_command_result, signal, 8);
AT(cowbench_command_result, timed_out, 12);
AT(cowbench_command_result, stopped, 13);
AT(cowbench_command_result, out, 16);
AT(cowbench_command_result, out_bytes, 24);
AT(cowbench_command_result, err, 32);
AT(cowbench_command_result, err_bytes, 40);
AT(cowbench_command_result, duration_ns, 48);

SIZE(cowbench_object, 40);
AT(cowbench_object, struct_size, 0);
AT(cowbench_object, kind, 8);
AT(cowbench_object, identity, 16);
AT(cowbench_object, exists, 24);
AT(cowbench_object, undo, 32);

SIZE(cowbench_metric, 48);
AT(cowbench_metric, struct_size, 0);
AT(cowbench_metric, better, 4);
AT(cowbench_metric, key, 8);
AT(cowbench_metric, unit, 16);
AT(cowbench_metric, label, 24);
AT(cowbench_metric, definition, 32);
AT(cowbench_metric, method_version, 40);
AT(cowbench_metric, detail, 44);

SIZE(cowbench_condition, 16);
AT(cowbench_condition, key, 0);
AT(cowbench_condition, value, 8);

SIZE(cowbench_value, 64);
AT(cowbench_value, struct_size, 0);
AT(cowbench_value, outcome, 4);
AT(cowbench_value, key, 8);
AT(cowbench_value, reason, 16);
AT(cowbench_value, value, 24);
AT(cowbench_value, samples, 32);
AT(cowbench_value, sample_count, 40);
AT(cowbench_value, condition_count, 44);
AT(cowbench_value, observations, 48);
AT(cowbench_value, conditions, 56);

SIZE(cowbench_host, 376);
AT(cowbench_host, struct_size, 0);
AT(cowbench_host, reserved, 4);
AT(cowbench_host, context, 8);
AT(cowbench_host, log, 16);
AT(cowbench_host, fail, 24);
AT(cowbench_host, problem, 32);
AT(cowbench_host, progress, 40);
AT(cowbench_host, should_stop, 48);
AT(cowbench_host, now_ns, 56);
AT(cowbench_host, remaining_ns, 64);
AT(cowbench_host, has, 72);
AT(cowbench_host, text, 80);
AT(cowbench_host, integer, 88);
AT(cowbench_host, number, 96);
AT(cowbench_host, text_item, 104);
AT(cowbench_host, seed, 112);
AT(cowbench_host, device, 120);
AT(cowbench_host, mount_point, 128);
AT(cowbench_host, directory, 136);
AT(cowbench_host, memory_directory, 144);
AT(cowbench_host, artifact_directory, 152);
AT(cowbench_host, run, 160);
AT(cowbench_host, start, 168);
AT(cowbench_host, wait, 176);
AT(cowbench_host, stop, 184);
AT(cowbench_host, plan_command, 192);
AT(cowbench_host, mount, 200);
AT(cowbench_host, unmount, 208);
AT(cowbench_host, ledger_add, 216);
AT(cowbench_host, ledger_strike, 224);
AT(cowbench_host, state, 232);
AT(cowbench_host, set_state, 240);
AT(cowbench_host, add_output, 248);
AT(cowbench_host, effective, 256);
AT(cowbench_host, version, 264);
AT(cowbench_host, sync, 272);
AT(cowbench_host, quiesce, 280);
AT(cowbench_host, make_cold, 288);
AT(cowbench_host, cold_metadata_bytes, 296);
AT(cowbench_host, section_begin, 304);
AT(cowbench_host, section_end, 312);
AT(cowbench_host, member_io, 320);
AT(cowbench_host, declare_metric, 328);
AT(cowbench_host, emit, 336);
AT(cowbench_host, mark, 344);
AT(cowbench_host, ability, 352);
AT(cowbench_host, service, 360);
AT(cowbench_host, object_name, 368);

SIZE(cowbench_plugin, 64);
AT(cowbench_plugin, struct_size, 0);
AT(cowbench_plugin, reserved, 4);
AT(cowbench_plugin, id, 8);
AT(cowbench_plugin, name, 16);
AT(cowbench_plugin, version, 24);
AT(cowbench_plugin, summary, 32);
AT(cowbench_plugin, licence, 40);
AT(cowbench_plugin, home_page, 48);
AT(cowbench_plugin, interface, 56);

SIZE(cowbench_layer, 112);
AT(cowbench_layer, struct_size, 0);
AT(cowbench_layer, output, 4);
AT(cowbench_layer, minimum_devices, 8);
AT(cowbench_layer, maximum_devices, 12);
AT(cowbench_layer, option, 16);
AT(cowbench_layer, requirement, 24);
AT(cowbench_layer, create, 32);
AT(cowbench_layer, destroy, 40);
AT(cowbench_layer, check, 48);
AT(cowbench_layer, plan, 56);
AT(cowbench_layer, versions, 64);
AT(cowbench_layer, assemble, 72);
AT(cowbench_layer, disassemble, 80);
AT(cowbench_layer, deactivate, 88);
AT(cowbench_layer, activate, 96);
AT(cowbench_layer, verify, 104);

SIZE(cowbench_estimate, 32);
AT(cowbench_estimate, struct_size, 0);
AT(cowbench_estimate, reserved, 4);
AT(cowbench_estimate, written_bytes, 8);
AT(cowbench_estimate, peak_bytes, 16);
AT(cowbench_estimate, duration_ns, 24);

SIZE(cowbench_phase, 80);
AT(cowbench_phase, struct_size, 0);
AT(cowbench_phase, stage, 4);
AT(cowbench_phase, metric, 8);
AT(cowbench_phase, option, 16);
AT(cowbench_phase, requirement, 24);
AT(cowbench_phase, ability, 32);
AT(cowbench_phase, create, 40);
AT(cowbench_phase, destroy, 48);
AT(cowbench_phase, estimate, 56);
AT(cowbench_phase, versions, 64);
AT(cowbench_phase, run, 72);

SIZE(cowbench_entry, 48);
AT(cowbench_entry, struct_size, 0);
AT(cowbench_entry, abi_major, 4);
AT(cowbench_entry, abi_minor, 8);
AT(cowbench_entry, reserved, 12);
AT(cowbench_entry, sdk_version, 16);
AT(cowbench_entry, compiler, 24);
AT(cowbench_entry, build_type, 32);
AT(cowbench_entry, plugin, 40);

SIZE(cowbench_ability, 16);
AT(cowbench_ability, struct_size, 0);
AT(cowbench_ability, reserved, 4);
AT(cowbench_ability, supports, 8);

SIZE(cowbench_usage, 48);
AT(cowbench_usage, struct_size, 0);
AT(cowbench_usage, reserved, 4);
AT(cowbench_usage, raw_bytes, 8);
AT(cowbench_usage, allocated_bytes, 16);
AT(cowbench_usage, used_bytes, 24);
AT(cowbench_usage, usable_bytes, 32);
AT(cowbench_usage, source, 40);

SIZE(cowbench_usage_ability, 24);
AT(cowbench_usage_ability, head, 0);
AT(cowbench_usage_ability, usage, 16);

SIZE(cowbench_cold_ability, 24);
AT(cowbench_cold_ability, head, 0);
AT(cowbench_cold_ability, metadata_bytes, 16);

SIZE(cowbench_reflink_ability, 16);
AT(cowbench_reflink_ability, head, 0);
