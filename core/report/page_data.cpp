// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <map>

#include "base/json.hpp"
#include "report/page_output.hpp"

namespace cowbench {

namespace {

constexpr double kLevels = 4094.0;
constexpr int kDigits = 4;

// Four significant digits, without an exponent where that is shorter.
std::string brief(double value) {
  if (!std::isfinite(value)) return "null";
  std::array<char, 64> buffer{};
  char* const begin = buffer.data();
  char* const end = begin + buffer.size();
  const double size = std::abs(value);
  std::to_chars_result result{};
  if (size >= 1e4 && size < 1e15) {
    double unit = 1.0;
    while (size / unit >= 1e4) unit *= 10.0;
    result = std::to_chars(begin, end, std::round(value / unit) * unit,
                           std::chars_format::fixed, 0);
  } else {
    result =
        std::to_chars(begin, end, value, std::chars_format::general, kDigits);
  }
  return {begin, result.ptr};
}

struct Scale {
  int form = 1;
  double low = 0.0;
  double high = 0.0;

  explicit Scale(const std::vector<double>& series) {
    bool first = true;
    bool whole = true;
    for (const double value : series) {
      if (!std::isfinite(value)) continue;
      low = first ? value : std::min(low, value);
      high = first ? value : std::max(high, value);
      whole = whole && value == std::floor(value);
      first = false;
    }
    if (whole && high - low <= kLevels) {
      form = 0;
    } else if (low > 0.0) {
      form = 2;
    }
  }

  double share(double value) const {
    if (form == 0) return value - low;
    if (high == low) return 0.0;
    return kLevels * (form == 2 ? std::log(value / low) / std::log(high / low)
                                : (value - low) / (high - low));
  }
};

void append_number(std::string& text, double value) {
  std::array<char, 64> buffer{};
  const auto [end, error] =
      std::to_chars(buffer.data(), buffer.data() + buffer.size(), value,
                    std::chars_format::general, 7);
  text.append(buffer.data(), error == std::errc() ? end : buffer.data());
}

// Texts that many cells share, each written once.
class Pool {
 public:
  std::size_t place(const std::string& text) {
    const auto [found, fresh] = places_.try_emplace(text, texts_.size());
    if (fresh) texts_.push_back(text);
    return found->second;
  }
  const std::vector<std::string>& texts() const { return texts_; }

 private:
  std::map<std::string, std::size_t> places_;
  std::vector<std::string> texts_;
};

void write_texts(JsonWriter& json, const char* key,
                 const std::vector<std::string>& texts) {
  json.key(key).begin_array();
  for (const std::string& text : texts) json.value(text);
  json.end_array();
}

void write_facts(JsonWriter& json, const std::vector<ConditionLine>& facts) {
  json.key("facts").begin_array();
  for (const ConditionLine& fact : facts) {
    json.begin_array().value(fact.name).value(fact.value).end_array();
  }
  json.end_array();
}

void write_metrics(JsonWriter& json, const Page& page) {
  constexpr std::array kKinds = {"number", "flag", "curve"};
  json.key("metrics").begin_array();
  for (const PageMetric& metric : page.metrics) {
    json.begin_object()
        .field("key", metric.key)
        .field("kind", kKinds[static_cast<std::size_t>(metric.kind)])
        .field("label", metric.label)
        .field("unit", metric.unit)
        .field("better", metric.better)
        .field("group", metric.group)
        .field("definition", metric.definition);
    if (!metric.axis.empty()) json.field("axis", metric.axis);
    if (metric.kind == PageMetric::Kind::kFlag) {
      write_texts(json, "words", metric.words);
    }
    if (metric.detail) json.field("detail", true);
    json.end_object();
  }
  json.end_array();
}

void write_sources(JsonWriter& json, const Page& page) {
  json.key("sources").begin_array();
  for (const PageSource& source : page.sources) {
    json.begin_object().field("name", source.name);
    write_facts(json, source.facts);
    std::vector<std::string> names;
    std::vector<std::string> dates;
    std::vector<std::string> kernels;
    std::size_t days = 0;
    for (const PagePoint& point : source.points) {
      names.push_back(point.name);
      dates.push_back(point.date);
      kernels.push_back(point.kernels);
      if (point.is_day) ++days;
    }
    write_texts(json, "names", names);
    write_texts(json, "dates", dates);
    write_texts(json, "kernels", kernels);
    json.field("days", days);
    json.key("breaks").begin_array();
    for (const PageBreak& one : source.breaks) {
      json.begin_array().value(one.metric).value(one.point).value(one.why);
      if (!one.only.empty()) json.value(one.only);
      json.end_array();
    }
    json.end_array().end_object();
  }
  json.end_array();
}

void write_work(JsonWriter& json, const PageEntry& entry) {
  json.key("work").begin_array();
  for (const PhaseWork& work : entry.work) {
    json.begin_object().field("phase", work.phase).key("amplification");
    json.raw(brief(work.write_amplification.value_or(kGap)));
    json.key("members").begin_array();
    for (const MemberWork& member : work.members) {
      json.begin_array()
          .value(member.name)
          .raw(brief(member.read_bytes))
          .raw(brief(member.write_bytes))
          .raw(brief(member.flushes))
          .end_array();
    }
    json.end_array().end_object();
  }
  json.end_array();
}

void write_entries(JsonWriter& json, const Page& page) {
  json.key("entries").begin_array();
  for (const PageEntry& entry : page.entries) {
    json.begin_object()
        .field("name", entry.name)
        .field("family", entry.family)
        .field("class", entry.stack_class)
        .field("source", entry.source);
    write_facts(json, entry.facts);
    if (!entry.work.empty()) write_work(json, entry);
    json.end_object();
  }
  json.end_array();
}

// [median, low, high, n] with an interval at 95 %, [median, minimum, maximum,
// -n] without; a fifth number is a text. [outcome, text] where there is no
// value, 0 where the entry's machine does not know the metric.
void write_cell(JsonWriter& json, const PageCell& cell, Pool& pool) {
  if (cell.outcome.empty()) {
    json.value(0);
    return;
  }
  json.begin_array();
  if (!cell.statistics) {
    json.value(pool.place(cell.outcome)).value(pool.place(cell.reason));
  } else {
    const Statistics& all = *cell.statistics;
    const auto n = static_cast<std::int64_t>(all.n);
    json.raw(brief(all.median))
        .raw(brief(all.interval ? all.interval->low : all.minimum))
        .raw(brief(all.interval ? all.interval->high : all.maximum))
        .value(all.interval ? n : -n);
    if (!cell.reason.empty()) json.value(pool.place(cell.reason));
  }
  json.end_array();
}

void write_figures(JsonWriter& json, const Page& page) {
  Pool pool;
  json.key("cells").begin_array();
  for (const auto& row : page.cells) {
    json.begin_array();
    for (const PageCell& cell : row) write_cell(json, cell, pool);
    json.end_array();
  }
  json.end_array();
  write_texts(json, "texts", pool.texts());
  json.key("values").begin_array();
  for (std::size_t m = 0; m < page.cells.size(); ++m) {
    for (std::size_t e = 0; e < page.cells[m].size(); ++e) {
      if (page.cells[m][e].values.empty()) continue;
      json.begin_array().value(m).value(e);
      for (const double value : page.cells[m][e].values) json.value(value);
      json.end_array();
    }
  }
  json.end_array();
  json.key("series").begin_array();
  for (const auto& row : page.series) {
    json.begin_array();
    for (const auto& series : row) json.raw(packed_series(series));
    json.end_array();
  }
  json.end_array();
}

void write_curves(JsonWriter& json, const Page& page) {
  const auto write = [&](const char* key, const std::vector<float>& values) {
    json.key(key).raw(
        packed_series(std::vector<double>(values.begin(), values.end())));
  };
  json.key("curves").begin_array();
  for (const PageCurve& curve : page.curves) {
    json.begin_object()
        .field("metric", curve.metric)
        .field("entry", curve.entry)
        .field("runs", curve.runs);
    write("latest", curve.latest);
    write("middle", curve.middle);
    json.end_object();
  }
  json.end_array();
}

void write_verdicts(JsonWriter& json, const Page& page) {
  constexpr std::array kFates = {"survived", "unproven", "sometimes", "lost",
                                 "untested"};
  json.key("verdicts").begin_array();
  for (const PageVerdict& verdict : page.verdicts) {
    json.begin_object()
        .field("entry", verdict.entry)
        .field("fate", kFates[static_cast<std::size_t>(verdict.fate)])
        .field("intact", verdict.intact)
        .field("runs", verdict.runs)
        .field("reason", verdict.reason)
        .end_object();
  }
  json.end_array();
}

void write_scores(JsonWriter& json, const Page& page) {
  json.key("scores").begin_array();
  for (const PageScore& score : page.scores) {
    json.begin_object()
        .field("model", score.model)
        .field("summary", score.summary)
        .field("source", score.source);
    write_texts(json, "groups", score.groups);
    write_texts(json, "runs", score.runs);
    json.key("extremes").begin_array();
    for (const ScoreExtreme& one : score.extremes) {
      json.begin_array().value(one.entry).value(one.metric);
      json.raw(brief(one.ratio)).end_array();
    }
    json.end_array();
    json.key("rows").begin_array();
    for (const PageScoreRow& row : score.rows) {
      json.begin_array().value(row.entry);
      json.raw(brief(row.overall.value_or(kGap)));
      json.raw(brief(row.alone ? row.alone->minimum : kGap));
      json.raw(brief(row.alone ? row.alone->maximum : kGap));
      for (const GroupScore& group : row.groups) {
        json.raw(brief(group.value.value_or(kGap)))
            .value(group.present)
            .value(group.total);
      }
      json.end_array();
    }
    json.end_array().end_object();
  }
  json.end_array();
}

}  // namespace

std::string packed_series(const std::vector<double>& series) {
  constexpr std::string_view kAlphabet =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const auto has = [](double value) { return std::isfinite(value); };
  const auto first = std::find_if(series.begin(), series.end(), has);
  if (first == series.end()) return "0";
  const auto last = std::find_if(series.rbegin(), series.rend(), has).base();
  const Scale scale(series);
  std::string text = "[" + std::to_string(scale.form) + ",";
  append_number(text, scale.low);
  text += ",";
  append_number(text, scale.high);
  text += "," + std::to_string(first - series.begin()) + ",\"";
  for (auto value = first; value != last; ++value) {
    if (!has(*value)) {
      text += "--";
      continue;
    }
    const auto level = static_cast<std::size_t>(
        std::lround(std::clamp(scale.share(*value), 0.0, kLevels)));
    text += kAlphabet[level / kAlphabet.size()];
    text += kAlphabet[level % kAlphabet.size()];
  }
  return text + "\"]";
}

std::string page_data(const Page& page) {
  JsonWriter json;
  json.begin_object().field("format", 1).field("title", page.title);
  write_metrics(json, page);
  write_sources(json, page);
  write_entries(json, page);
  write_figures(json, page);
  write_curves(json, page);
  write_verdicts(json, page);
  write_scores(json, page);
  write_texts(json, "warnings", page.warnings);
  write_texts(json, "thanks", page.thanks);
  json.end_object();
  const std::string text = json.text();
  std::string safe;
  safe.reserve(text.size());
  // A "<" can only stand inside a string, where the escape means the same.
  for (const char one : text) {
    if (one == '<') {
      safe += "\\u003c";
    } else {
      safe += one;
    }
  }
  return safe;
}

}  // namespace cowbench
