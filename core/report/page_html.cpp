// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "base/json.hpp"
#include "report/figure.hpp"
#include "report/page_output.hpp"

namespace cowbench {

namespace {

// "<tag>text</tag>", the text escaped.
std::string element(const char* tag, std::string_view text,
                    const char* attributes = "") {
  return std::string("<") + tag + attributes + ">" + html_escaped(text) + "</" +
         tag + ">";
}

std::string entry_heading(const Page& page, std::size_t e) {
  const PageEntry& entry = page.entries[e];
  return page.sources.size() < 2
             ? entry.name
             : entry.name + " on " + page.sources[entry.source].name;
}

std::string fate_words(const PageVerdict& verdict) {
  switch (verdict.fate) {
    case Fate::kSurvived:
      return "Survived: damaged, and every byte came back";
    case Fate::kUnproven:
      return "Unproven: unchanged, but nothing in this stack checks data";
    case Fate::kSometimes:
      return "Lost sometimes: bytes had changed";
    case Fate::kLost:
      return "Lost: bytes had changed in every run";
    case Fate::kUntested:
      break;
  }
  return "Not tested: " + verdict.reason;
}

std::string verdict_table(const Page& page) {
  if (page.verdicts.empty()) return {};
  std::string html =
      "<h2>What happened to the data</h2><div class=\"scroll\"><table><thead>"
      "<tr><th>Stack</th><th>Verdict</th><th>Unchanged</th></tr></thead>"
      "<tbody>";
  for (const PageVerdict& verdict : page.verdicts) {
    html += "<tr>" + element("th", entry_heading(page, verdict.entry)) +
            element("td", fate_words(verdict));
    html += element("td", verdict.runs == 0
                              ? "-"
                              : std::to_string(verdict.intact) + " of " +
                                    std::to_string(verdict.runs) + " runs");
    html += "</tr>";
  }
  return html + "</tbody></table></div>";
}

std::string hundredth(const std::optional<double>& ratio) {
  constexpr double kHundred = 100.0;
  return ratio ? rounded_figure(std::floor(*ratio * kHundred + 0.5)) : "-";
}

std::string score_table(const Page& page, const PageScore& score) {
  std::string html = element("h2", "Score: " + score.summary);
  html +=
      "<p>100 is the middle of all stacks here. In brackets: lowest and "
      "highest of the runs taken one by one.</p><div class=\"scroll\"><table>"
      "<thead><tr><th>Stack</th><th>Overall</th>";
  for (const std::string& group : score.groups) html += element("th", group);
  html += "</tr></thead><tbody>";
  for (const PageScoreRow& row : score.rows) {
    html += "<tr>" + element("th", entry_heading(page, row.entry));
    std::string overall = hundredth(row.overall);
    if (row.alone) {
      overall += " (" + hundredth(row.alone->minimum) + " to " +
                 hundredth(row.alone->maximum) + ")";
    }
    html += element("td", overall);
    for (const GroupScore& group : row.groups) {
      html += element("td", hundredth(group.value));
    }
    html += "</tr>";
  }
  return html + "</tbody></table></div>";
}

std::string cell_html(const PageMetric& metric, const PageCell& cell) {
  if (cell.outcome.empty()) return "<td>-</td>";
  if (!cell.statistics) return element("td", cell.outcome);
  const Statistics& all = *cell.statistics;
  const std::string n = "n=" + std::to_string(all.n);
  if (metric.kind == PageMetric::Kind::kFlag) {
    const std::string& word =
        all.median >= 0.5 ? metric.words.back() : metric.words.front();
    return element("td", word + " (" + n + ")");
  }
  std::string text = rounded_figure(all.median);
  if (all.n > 1) {
    text +=
        " (" + rounded_figure(all.interval ? all.interval->low : all.minimum) +
        "-" + rounded_figure(all.interval ? all.interval->high : all.maximum) +
        ", " + n + ")";
  } else {
    text += " (" + n + ")";
  }
  return element("td", text);
}

std::string group_table(const Page& page,
                        const std::vector<std::size_t>& metrics) {
  std::string html = element("h2", page.metrics[metrics.front()].group);
  html += "<div class=\"scroll\"><table><thead><tr><th>Stack</th>";
  for (const std::size_t m : metrics) {
    const PageMetric& metric = page.metrics[m];
    html += "<th>" + html_escaped(metric.label) + "<small>" +
            html_escaped(metric.unit == "flag" ? "" : metric.unit) +
            (metric.better == "neither"
                 ? ""
                 : ", " + html_escaped(metric.better) + " is better") +
            "</small></th>";
  }
  html += "</tr></thead><tbody>";
  for (std::size_t e = 0; e < page.entries.size(); ++e) {
    html += "<tr>" + element("th", entry_heading(page, e));
    for (const std::size_t m : metrics) {
      html += cell_html(page.metrics[m], page.cells[m][e]);
    }
    html += "</tr>";
  }
  return html + "</tbody></table></div>";
}

std::string count(std::size_t number, const char* one, const char* many) {
  return std::to_string(number) + " " + (number == 1 ? one : many);
}

// What the page is about, above everything else.
std::string lead(const Page& page) {
  std::size_t runs = 0;
  std::string newest;
  for (const PageSource& source : page.sources) {
    runs += source.points.size();
    for (const PagePoint& point : source.points) {
      newest = std::max(newest, point.date);
    }
  }
  return count(page.entries.size(), "stack", "stacks") + ", " +
         count(page.metrics.size(), "metric", "metrics") + ", " +
         count(runs, "run or day", "runs or days") + " on " +
         count(page.sources.size(), "machine", "machines") +
         "; newest result " + (newest.empty() ? "undated" : newest) + ".";
}

void replace(std::string& html, std::string_view mark,
             const std::string& text) {
  const std::size_t at = html.find(mark);
  if (at != std::string::npos) html.replace(at, mark.size(), text);
}

}  // namespace

std::string html_escaped(std::string_view text) {
  std::string escaped;
  for (const char one : valid_utf8(text)) {
    switch (one) {
      case '&':
        escaped += "&amp;";
        break;
      case '<':
        escaped += "&lt;";
        break;
      case '>':
        escaped += "&gt;";
        break;
      case '"':
        escaped += "&quot;";
        break;
      case '\'':
        escaped += "&#39;";
        break;
      default:
        escaped += one;
    }
  }
  return escaped;
}

std::string page_tables(const Page& page) {
  std::string html = verdict_table(page);
  for (const PageScore& score : page.scores) html += score_table(page, score);
  std::vector<std::string> groups;
  for (const PageMetric& metric : page.metrics) {
    if (std::find(groups.begin(), groups.end(), metric.group) == groups.end()) {
      groups.push_back(metric.group);
    }
  }
  for (const std::string& group : groups) {
    std::vector<std::size_t> metrics;
    for (std::size_t m = 0; m < page.metrics.size(); ++m) {
      if (page.metrics[m].group == group &&
          page.metrics[m].kind != PageMetric::Kind::kCurve) {
        metrics.push_back(m);
      }
    }
    if (!metrics.empty()) html += group_table(page, metrics);
  }
  for (const PageSource& source : page.sources) {
    html += element("h2", "Machine: " + source.name) + "<dl>";
    for (const ConditionLine& fact : source.facts) {
      html += element("dt", fact.name) + element("dd", fact.value);
    }
    html += "</dl>";
  }
  for (const std::string& warning : page.warnings) {
    html += element("p", warning, " class=\"warning\"");
  }
  for (const std::string& thanks : page.thanks) html += element("p", thanks);
  return html;
}

bool page_has_scripts() { return kPageHasScripts; }

std::string page_html(const Page& page) {
  std::string html(kPageTemplate);
  replace(html, "<!--cowbench:title-->", html_escaped(page.title));
  replace(html, "<!--cowbench:heading-->", html_escaped(page.title));
  replace(html, "<!--cowbench:lead-->", html_escaped(lead(page)));
  // What comes from outside goes in last, so that no mark in it counts.
  const std::string_view tables_mark = "<!--cowbench:tables-->";
  const std::size_t tables = html.find(tables_mark);
  const std::string_view data_mark = "<!--cowbench:data-->";
  const std::size_t data = html.find(data_mark);
  std::string whole;
  if (tables == std::string::npos) return html;
  whole = html.substr(0, tables) + page_tables(page);
  const std::size_t behind = tables + tables_mark.size();
  if (data == std::string::npos || data < behind) {
    return whole + html.substr(behind);
  }
  whole += html.substr(behind, data - behind);
  whole += "<script type=\"application/json\" id=\"data\">" + page_data(page) +
           "</script>";
  return whole + html.substr(data + data_mark.size());
}

}  // namespace cowbench
