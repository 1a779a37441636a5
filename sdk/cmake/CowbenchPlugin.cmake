# SPDX-License-Identifier: Apache-2.0
#
# cowbench_add_plugin(<name> <source>...)
#
# Builds <name>.so the way the runner wants it: hidden symbols but the entry,
# no undefined symbols, C++17. Needs the target cowbench::sdk. Installing is
# left to the caller: the directory is COWBENCH_PLUGIN_DIR.
set(_cowbench_exports "${CMAKE_CURRENT_LIST_DIR}/plugin.exports")

function(cowbench_add_plugin name)
  add_library(${name} MODULE ${ARGN})
  target_link_libraries(${name} PRIVATE cowbench::sdk)
  target_link_options(${name} PRIVATE
    "LINKER:--version-script=${_cowbench_exports}" LINKER:--no-undefined
    LINKER:--exclude-libs,ALL)
  set_target_properties(${name} PROPERTIES
    PREFIX ""
    CXX_STANDARD 17 CXX_STANDARD_REQUIRED ON CXX_EXTENSIONS OFF
    CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON
    C_VISIBILITY_PRESET hidden
    LINK_DEPENDS "${_cowbench_exports}")
endfunction()
