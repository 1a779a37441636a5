// SPDX-License-Identifier: Apache-2.0
#include "report/page_output.hpp"

#include <catch2/catch.hpp>
#include <cmath>

#include "base/json.hpp"
#include "page_sample.hpp"

using namespace cowbench;
using namespace cowbench_test;

namespace {

// What the page's unpack() makes of a packed series.
std::vector<double> unpacked(const std::string& packed) {
  std::vector<double> series;
  const auto json = parse_json(packed);
  if (!json->IsArray()) return series;
  constexpr std::string_view kAlphabet =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const auto& parts = *json;
  const int form = parts[0].GetInt();
  const double low = parts[1].GetDouble();
  const double high = parts[2].GetDouble();
  series.resize(parts[3].GetUint(), kGap);
  const std::string text = parts[4].GetString();
  for (std::size_t i = 0; i < text.size(); i += 2) {
    if (text[i] == '-') {
      series.push_back(kGap);
      continue;
    }
    const auto level = static_cast<double>(kAlphabet.find(text[i]) * 64 +
                                           kAlphabet.find(text[i + 1]));
    series.push_back(form == 0   ? low + level
                     : form == 1 ? low + (high - low) * level / 4094
                                 : low * std::pow(high / low, level / 4094));
  }
  return series;
}

void check_close(const std::vector<double>& series, double tolerance) {
  const auto back = unpacked(packed_series(series));
  REQUIRE(back.size() <= series.size());
  for (std::size_t i = 0; i < series.size(); ++i) {
    CAPTURE(i);
    if (std::isnan(series[i])) {
      CHECK((i >= back.size() || std::isnan(back[i])));
    } else {
      REQUIRE(i < back.size());
      CHECK(back[i] == Approx(series[i]).epsilon(tolerance));
    }
  }
}

PublishedHistory hostile_history() {
  PublishedHistory history;
  const std::string name = "<img src=x onerror=alert(1)>";
  history.runs.push_back(
      run_of(1, name, "</script><script>alert(2)</script>",
             "\"seqwrite_mbps\":4,\"<b>key\":1,\"data_intact\":false"));
  history.unreadable.push_back({"<!--x", "\"quoted\" & <reason>"});
  return history;
}

std::size_t occurrences(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos;
       at = text.find(part, at + part.size())) {
    ++count;
  }
  return count;
}

}  // namespace

TEST_CASE("whole numbers of a small range come back exactly") {
  check_close({5, 4099, 17, kGap, 5}, 0);
  check_close({0, 1, 0, 1}, 0);
  check_close({-3, 7}, 0);
  check_close({42}, 0);
}

TEST_CASE("other series come back to a part in a thousand") {
  check_close({0.5, 123.25, 99999.5, kGap, 1e-3}, 3e-3);
  check_close({18.25, 18.5, 19.125}, 1e-4);
  check_close({1e6, 3e9, 1.5}, 3e-3);
  check_close({0.25, 0.25}, 1e-6);
}

TEST_CASE("gaps at both ends of a series take no room") {
  CHECK(packed_series({kGap, kGap, 7, kGap}) == "[0,7,7,2,\"AA\"]");
  CHECK(packed_series({kGap}) == "0");
  CHECK(packed_series({}) == "0");
}

TEST_CASE("hostile names neither end the data nor become markup") {
  const Page page = page_of(hostile_history());
  const std::string data = page_data(page);
  CHECK(data.find('<') == std::string::npos);
  const auto json = parse_json(data);
  REQUIRE(json);
  CHECK(std::string((*json)["entries"][0]["name"].GetString()) ==
        "<img src=x onerror=alert(1)>/</script><script>alert(2)</script>");
  const std::string tables = page_tables(page);
  CHECK(tables.find("<img") == std::string::npos);
  CHECK(tables.find("<script") == std::string::npos);
  CHECK(tables.find("<b>key") == std::string::npos);
  CHECK(tables.find("&lt;img src=x onerror=alert(1)&gt;") != std::string::npos);
}

TEST_CASE("the file has a policy and asks for nothing from outside") {
  Page page = page_of(hostile_history());
  page.title = "</title><script>alert(3)</script>";
  const std::string html = page_html(page);
  CHECK(html.find("default-src 'none'") != std::string::npos);
  CHECK(html.find("<!--cowbench:") == std::string::npos);
  CHECK(html.find("<script>alert") == std::string::npos);
  CHECK(html.find("src=\"") == std::string::npos);
  CHECK(html.find("<link") == std::string::npos);
  CHECK(html.find("@import") == std::string::npos);
  CHECK(html.find("url(") == std::string::npos);
  CHECK(occurrences(html, "<script") == occurrences(html, "</script>"));
}

TEST_CASE("text for HTML keeps its letters and loses its markup") {
  CHECK(html_escaped("a<b>&\"'") == "a&lt;b&gt;&amp;&quot;&#39;");
  CHECK(html_escaped("\xffx") == "\xef\xbf\xbdx");
}

TEST_CASE("tables without scripts hold figures, outcomes and verdicts") {
  PublishedHistory history;
  for (int number = 200; number < 206; ++number) {
    history.runs.push_back(run_of(number, "zfs", "mirror",
                                  "\"seqwrite_mbps\":150,\"data_intact\":true,"
                                  "\"nearfull95_write_mbps\":0"));
  }
  const std::string tables = page_tables(page_of(history));
  CHECK(tables.find("<td>150 (150-150, n=6)</td>") != std::string::npos);
  CHECK(tables.find("<td>failed</td>") != std::string::npos);
  CHECK(tables.find("6 of 6 runs") != std::string::npos);
  CHECK(tables.find("Survived") != std::string::npos);
}

TEST_CASE("our own results fill cells, values and outcomes") {
  Page page;
  add_results({repetition(1, "800.5"), repetition(2, "810.5")}, page);
  REQUIRE(page.entries.size() == 1);
  const std::size_t m = index_of(page, "seqwrite_mbps");
  const PageCell& cell = page.cells[m][0];
  REQUIRE(cell.statistics);
  CHECK(cell.statistics->n == 2);
  CHECK(cell.values == std::vector<double>{800.5, 810.5});
  CHECK(page.series[m][0] == std::vector<double>{805.5});
  CHECK(page.sources.size() == 1);
  CHECK(page.sources[0].points.size() == 1);
  CHECK(!page.entries[0].facts.empty());
  const auto json = parse_json(page_data(page));
  REQUIRE(json);
  CHECK((*json)["values"].Size() >= 1);
}

TEST_CASE("what our own results withhold keeps its reason") {
  Page page;
  add_results({sample("withheld")}, page);
  bool withheld = false;
  for (const auto& row : page.cells) {
    withheld = withheld || row[0].outcome == "withheld";
  }
  CHECK(withheld);
}

TEST_CASE("published results and our own stand in one page") {
  Page page = page_of(hostile_history());
  add_results({sample("ok")}, page);
  CHECK(page.sources.size() == 2);
  CHECK(page.entries.size() == 2);
  CHECK(page.entries[1].source == 1);
  for (const auto& row : page.cells) CHECK(row.size() == 2);
  CHECK(parse_json(page_data(page)).ok());
}
