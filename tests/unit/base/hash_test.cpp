// SPDX-License-Identifier: Apache-2.0
// The vectors are those of the algorithm's own page.
#include "base/hash.hpp"

#include <catch2/catch.hpp>

using cowbench::fnv1a;

TEST_CASE("FNV-1a gives its published values") {
  CHECK(fnv1a("") == 0xcbf29ce484222325U);
  CHECK(fnv1a("a") == 0xaf63dc4c8601ec8cU);
  CHECK(fnv1a("foobar") == 0x85944171f73967e8U);
  CHECK(fnv1a("bar", fnv1a("foo")) == fnv1a("foobar"));
}
