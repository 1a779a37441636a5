// SPDX-License-Identifier: Apache-2.0
// The forms in which a comparison is given out.
#include "base/json.hpp"
#include "base/text.hpp"
#include "report/compare.hpp"
#include "report/figure.hpp"

namespace cowbench {

namespace {

constexpr const char* kLegend =
    "Medians over fresh jobs (n = jobs); ratio b/a with its 95 % interval; p "
    "of "
    "the Mann-Whitney test after Holm's correction.";

std::string median_text(const std::optional<double>& value,
                        const ComparedSide& side) {
  if (!value) return "-";
  return rounded_figure(*value) + " (n=" + std::to_string(side.values.size()) +
         ")";
}

std::string ratio_text(const ComparedMetric& metric) {
  if (!metric.ratio) return "";
  std::string text = rounded_figure(metric.ratio->ratio);
  if (metric.ratio->low && metric.ratio->high) {
    text += " (" + rounded_figure(*metric.ratio->low) + "-" +
            rounded_figure(*metric.ratio->high) + ")";
  }
  return text;
}

std::string pair_title(const ComparedPair& pair) {
  const auto side = [](const std::string& stack, std::size_t jobs) {
    return stack + " (" + std::to_string(jobs) +
           (jobs == 1 ? " job)" : " jobs)");
  };
  return side(pair.stack_a, pair.jobs_a) + " | " +
         side(pair.stack_b, pair.jobs_b);
}

Table pair_table(const ComparedPair& pair) {
  Table table;
  table.columns = {{"metric"},
                   {"unit"},
                   {"a", Align::kRight},
                   {"b", Align::kRight},
                   {"b/a", Align::kRight},
                   {"p", Align::kRight},
                   {"b is"}};
  std::string phase;
  for (const ComparedMetric& metric : pair.metrics) {
    if (metric.phase != phase) {
      phase = metric.phase;
      table.rows.push_back({{phase}, true});
    }
    table.rows.push_back(
        {{metric.label, metric.unit, median_text(metric.median_a, metric.a),
          median_text(metric.median_b, metric.b), ratio_text(metric),
          metric.p_corrected ? rounded_figure(*metric.p_corrected) : "",
          metric.verdict},
         false});
  }
  return table;
}

void write_side(JsonWriter& json, const char* key, const ComparedSide& side,
                const std::optional<double>& middle) {
  json.key(key)
      .begin_object()
      .field("n", side.values.size())
      .field("median", middle);
  json.key("values").begin_array();
  for (const double value : side.values) json.value(value);
  json.end_array().key("shortfalls").begin_array();
  for (const Shortfall& shortfall : side.shortfalls) {
    json.begin_object()
        .field("outcome", outcome_text(shortfall.outcome))
        .field("reason", shortfall.reason)
        .field("jobs", shortfall.jobs)
        .end_object();
  }
  json.end_array().end_object();
}

void write_metric(JsonWriter& json, const ComparedMetric& metric) {
  json.begin_object()
      .field("phase", metric.phase)
      .field("key", metric.key)
      .field("label", metric.label)
      .field("unit", metric.unit)
      .field("better", metric.better)
      .field("finding", finding_text(metric.finding))
      .field("verdict", metric.verdict);
  write_side(json, "a", metric.a, metric.median_a);
  write_side(json, "b", metric.b, metric.median_b);
  json.key("ratio");
  if (metric.ratio) {
    json.begin_object().field("ratio", metric.ratio->ratio);
    json.field("low", metric.ratio->low);
    json.field("high", metric.ratio->high);
    json.end_object();
  } else {
    json.null();
  }
  json.field("p_value", metric.p_value);
  json.field("p_corrected", metric.p_corrected);
  json.field("worse_by", metric.worse_by);
  json.end_object();
}

void write_texts(JsonWriter& json, const char* key,
                 const std::vector<std::string>& texts) {
  json.key(key).begin_array();
  for (const std::string& text : texts) json.value(text);
  json.end_array();
}

}  // namespace

std::string comparison_text(const Comparison& comparison, std::size_t width) {
  std::string out = "a  " + printable(comparison.name_a) + "\nb  " +
                    printable(comparison.name_b) + "\n";
  for (const std::string& difference : comparison.differences) {
    out += "differs: " + printable(difference) + "\n";
  }
  for (const std::string& warning : comparison.warnings) {
    out += "warning: " + printable(warning) + "\n";
  }
  for (const ComparedPair& pair : comparison.pairs) {
    out += "\n" + printable(pair_title(pair)) + "\n\n" +
           table_text(pair_table(pair), width);
  }
  if (!comparison.alone.empty()) {
    out += "\nNot compared: " + printable(join(comparison.alone, ", ")) + "\n";
  }
  return out + "\n" + kLegend + "\n";
}

std::string comparison_markdown(const Comparison& comparison) {
  std::string out = "- a: " + markdown_escaped(comparison.name_a) +
                    "\n- b: " + markdown_escaped(comparison.name_b) + "\n";
  for (const std::string& difference : comparison.differences) {
    out += "- differs: " + markdown_escaped(difference) + "\n";
  }
  for (const std::string& warning : comparison.warnings) {
    out += "- **warning:** " + markdown_escaped(warning) + "\n";
  }
  for (const ComparedPair& pair : comparison.pairs) {
    out += "\n**" + markdown_escaped(pair_title(pair)) + "**\n\n" +
           table_markdown(pair_table(pair));
  }
  if (!comparison.alone.empty()) {
    out += "\nNot compared: " + markdown_escaped(join(comparison.alone, ", ")) +
           "\n";
  }
  return out + "\n" + markdown_escaped(kLegend) + "\n";
}

std::string comparison_csv(const Comparison& comparison) {
  Table table;
  for (const char* heading :
       {"stack_a", "stack_b", "phase", "key", "unit", "better", "n_a", "n_b",
        "median_a", "median_b", "ratio", "ratio_low", "ratio_high", "p_value",
        "p_corrected", "finding", "verdict"}) {
    table.columns.push_back({heading});
  }
  const auto figure = [](const std::optional<double>& value) {
    return value ? exact_figure(*value) : std::string();
  };
  for (const ComparedPair& pair : comparison.pairs) {
    for (const ComparedMetric& metric : pair.metrics) {
      const auto ratio = metric.ratio.value_or(RatioInterval{});
      table.rows.push_back(
          {{pair.stack_a, pair.stack_b, metric.phase, metric.key, metric.unit,
            metric.better, std::to_string(metric.a.values.size()),
            std::to_string(metric.b.values.size()), figure(metric.median_a),
            figure(metric.median_b),
            metric.ratio ? exact_figure(ratio.ratio) : "", figure(ratio.low),
            figure(ratio.high), figure(metric.p_value),
            figure(metric.p_corrected),
            std::string(finding_text(metric.finding)), metric.verdict},
           false});
    }
  }
  return table_csv(table);
}

std::string comparison_json(const Comparison& comparison) {
  JsonWriter json;
  json.begin_object()
      .field("schema", "cowbench-comparison")
      .field("schema_version", 1)
      .field("a", comparison.name_a)
      .field("b", comparison.name_b);
  write_texts(json, "differences", comparison.differences);
  write_texts(json, "warnings", comparison.warnings);
  json.key("pairs").begin_array();
  for (const ComparedPair& pair : comparison.pairs) {
    json.begin_object()
        .field("stack_a", pair.stack_a)
        .field("stack_b", pair.stack_b)
        .field("jobs_a", pair.jobs_a)
        .field("jobs_b", pair.jobs_b);
    json.key("metrics").begin_array();
    for (const ComparedMetric& metric : pair.metrics)
      write_metric(json, metric);
    json.end_array().end_object();
  }
  json.end_array();
  write_texts(json, "not_compared", comparison.alone);
  return json.end_object().text();
}

}  // namespace cowbench
