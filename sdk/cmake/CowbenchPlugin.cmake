# SPDX-License-Identifier: Apache-2.0
#
# cowbench_add_plugin(<name> <source>...)
#
# Builds <name>.so the way the runner wants it: hidden symbols but the entry,
# no undefined symbols; C++17 unless CMAKE_CXX_STANDARD says otherwise, C11
# likewise. Needs the target cowbench::sdk. Installing is left to the caller:
# the directory is COWBENCH_PLUGIN_DIR.
function(cowbench_add_plugin name)
  set(exports "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/plugin.exports")
  add_library(${name} MODULE ${ARGN})
  target_link_libraries(${name} PRIVATE cowbench::sdk)
  target_link_options(${name} PRIVATE
    "LINKER:--version-script=${exports}" LINKER:--no-undefined
    LINKER:--exclude-libs,ALL)
  set_target_properties(${name} PROPERTIES
    PREFIX ""
    CXX_STANDARD_REQUIRED ON CXX_EXTENSIONS OFF
    CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON
    C_VISIBILITY_PRESET hidden
    LINK_DEPENDS "${exports}")
  if(NOT CMAKE_CXX_STANDARD)
    set_target_properties(${name} PROPERTIES CXX_STANDARD 17)
  endif()
  if(NOT CMAKE_C_STANDARD)
    set_target_properties(${name} PROPERTIES C_STANDARD 11)
  endif()
endfunction()
