# SPDX-License-Identifier: Apache-2.0
# cmake -D SOURCE=... -D BUILD=... -D OUTPUT=... [-D NPM=...] -P build.cmake
# Makes the C++ source that holds the report's page. Where npm is missing or
# fails (no network, a version that is too old) that is the page of tables
# alone: a report without charts is no reason for a build to fail.
file(READ ${SOURCE}/src/page.css style)
file(READ ${SOURCE}/static.html page)
string(REPLACE "<!--style-->" "${style}" page "${page}")
set(scripts false)

# Runs in the copy, so that nothing lands among the sources.
function(run_npm)
  execute_process(COMMAND ${NPM} ${ARGN} WORKING_DIRECTORY ${BUILD}
    OUTPUT_VARIABLE output ERROR_VARIABLE output RESULT_VARIABLE code)
  if(NOT code EQUAL 0)
    string(REGEX REPLACE "^.*\n([^\n]*\n[^\n]*\n[^\n]*\n[^\n]*\n)$" "\\1" end
      "${output}\n")
    message("report page: npm ${ARGV0} failed (${code}): ${end}")
  endif()
  set(code ${code} PARENT_SCOPE)
endfunction()

if(NPM)
  file(COPY ${SOURCE}/ DESTINATION ${BUILD}
    PATTERN node_modules EXCLUDE PATTERN dist EXCLUDE)
  file(SHA256 ${BUILD}/package-lock.json wanted)
  set(installed)
  if(EXISTS ${BUILD}/installed.sha256)
    file(READ ${BUILD}/installed.sha256 installed)
  endif()
  set(code 0)
  if(NOT installed STREQUAL wanted)
    run_npm(ci --no-audit --no-fund --prefer-offline --loglevel=error
      --fetch-retries=1)
    if(code EQUAL 0)
      file(WRITE ${BUILD}/installed.sha256 ${wanted})
    endif()
  endif()
  if(code EQUAL 0)
    run_npm(run --silent build)
  endif()
  if(code EQUAL 0 AND EXISTS ${BUILD}/dist/index.html)
    file(READ ${BUILD}/dist/index.html page)
    set(scripts true)
  endif()
endif()
if(NOT scripts)
  message("report page: without npm `cowbench report --html` writes tables "
    "without charts; to have them, install nodejs and npm and build again "
    "after `touch ${SOURCE}/package.json`")
endif()

# The compiler takes a literal of this size, but some limit one to 64 KiB.
string(LENGTH "${page}" length)
set(at 0)
set(literals "")
while(at LESS length)
  string(SUBSTRING "${page}" ${at} 16000 part)
  string(APPEND literals "R\"cowbench(${part})cowbench\"\n")
  math(EXPR at "${at} + 16000")
endwhile()
file(WRITE ${OUTPUT} "// Made by core/report/page/build.cmake.
#include \"report/page_output.hpp\"

namespace cowbench {

const bool kPageHasScripts = ${scripts};
const std::string_view kPageTemplate =
${literals};

}  // namespace cowbench
")
