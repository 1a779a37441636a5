// SPDX-License-Identifier: Apache-2.0
#include "report/figure.hpp"

#include <catch2/catch.hpp>
#include <clocale>

using cowbench::exact_figure;
using cowbench::percentage;
using cowbench::rounded_figure;

TEST_CASE("figures are rounded to three digits") {
  CHECK(rounded_figure(0.0) == "0");
  CHECK(rounded_figure(0.012345) == "0.0123");
  CHECK(rounded_figure(4.2549) == "4.25");
  CHECK(rounded_figure(81.52) == "81.5");
  CHECK(rounded_figure(812.5) == "812");
  CHECK(rounded_figure(12345.6) == "12346");
  CHECK(rounded_figure(-4.2549) == "-4.25");
}

TEST_CASE("whole numbers stay whole") {
  CHECK(rounded_figure(1.0) == "1");
  CHECK(rounded_figure(20000.0) == "20000");
  CHECK(rounded_figure(1073741824.0) == "1073741824");
}

TEST_CASE("very large and very small figures stay short") {
  CHECK(rounded_figure(1e300) == "1e+300");
  CHECK(rounded_figure(2e-7) == "2e-07");
}

TEST_CASE("an exact figure reads back as the same number") {
  for (const double value : {0.1, 1.0 / 3.0, 812.5, 1e22, -2.25e-308}) {
    CHECK(std::stod(exact_figure(value)) == value);
  }
}

TEST_CASE("figures heed no locale") {
  const std::string before = std::setlocale(LC_ALL, nullptr);
  for (const char* name : {"de_DE.UTF-8", "fr_FR.UTF-8", "C.UTF-8"}) {
    std::setlocale(LC_ALL, name);
    CHECK(rounded_figure(4.25) == "4.25");
    CHECK(percentage(0.0214) == "2.1 %");
  }
  std::setlocale(LC_ALL, before.c_str());
}
