/* SPDX-License-Identifier: Apache-2.0 */
/* Somebody else's library. That it was loaded shows: its constructor makes the
 * file that COWBENCH_TEST_WITNESS names. */
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

__attribute__((visibility("default"))) int foreign_function(void);
int foreign_function(void) { return 7; }

__attribute__((constructor)) static void testify(void) {
  const char* path = getenv("COWBENCH_TEST_WITNESS");
  if (path != NULL) close(open(path, O_CREAT | O_WRONLY, 0600));
}
