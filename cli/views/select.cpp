// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <regex>

#include "cli/errors.h"
#include "cli/text/nearest.h"
#include "cli/views/view.h"
#include "reports/queries/run_names.h"

namespace ampprof::cli {
namespace {

bool has_key(const View& view, const std::string& key) {
  return std::find(view.keys.begin(), view.keys.end(), key) != view.keys.end();
}

void require_key(const View& view, const std::string& key, const std::string& flag) {
  if (has_key(view, key)) return;
  throw UsageError(fmt::format("{} does not apply to the view '{}': its rows have no {}.", flag, view.name, key));
}

// std::regex calls itself for each character, and a stack ends.
constexpr std::size_t kLongestPattern = 1000;
constexpr std::size_t kLongestSearched = 2000;

std::string text_of(const Json& value) { return value.is_string() ? value.get<std::string>() : std::string(); }

template <class Keep>
void keep_if(View& view, Keep keep) {
  std::erase_if(view.records, [&](const Record& record) { return !keep(record.json); });
}

bool has_match(const std::string& text, const std::regex& regex, const std::string& key) {
  if (text.size() <= kLongestSearched) return std::regex_search(text, regex);
  throw UsageError(
      fmt::format("--{0}: the report has a name of {1} bytes, and those of more than {2} are not searched. "
                  "Leave --{0} out; the report may be damaged.",
                  key, text.size(), kLongestSearched));
}

void keep_matching(View& view, const std::string& key, const std::string& pattern) {
  require_key(view, key, "--" + key);
  if (pattern.size() > kLongestPattern) {
    throw UsageError(fmt::format("--{}: a regular expression may have {} bytes, this one has {}.", key, kLongestPattern,
                                 pattern.size()));
  }
  try {
    const std::regex regex(pattern, std::regex::ECMAScript | std::regex::optimize);
    keep_if(view, [&](const Json& json) { return has_match(text_of(at_key(json, key)), regex, key); });
  } catch (const std::regex_error&) {
    throw UsageError(
        fmt::format("--{}: '{}' is not a regular expression. Put a backslash before ( ) [ ] + * ? to mean "
                    "the character itself.",
                    key, pattern));
  }
}

// Non-finite numbers are words in JSON; they sort above every finite number.
double sort_value(const Json& value) {
  if (value.is_number()) return value.get<double>();
  if (value.is_boolean()) return value.get<bool>() ? 1 : 0;
  if (value.is_array()) return static_cast<double>(value.size());
  const std::string text = text_of(value);
  if (text == "nan" || text == "inf") return std::numeric_limits<double>::infinity();
  return -std::numeric_limits<double>::infinity();
}

bool is_text(const Json& value) { return value.is_string() && value != "nan" && value != "inf" && value != "-inf"; }

bool comes_before(const Json& a, const Json& b) {
  if (a.is_null() || b.is_null()) return !a.is_null() && b.is_null();
  if (is_text(a) && is_text(b)) return text_of(a) < text_of(b);
  return sort_value(a) > sort_value(b);
}

void sort_by(View& view, const std::string& key) {
  if (!has_key(view, key)) {
    throw UsageError(fmt::format("--sort: the view '{}' has no key '{}'.{} Its keys are {}.", view.name, key,
                                 did_you_mean(key, view.keys), listed(view.keys)));
  }
  std::stable_sort(view.records.begin(), view.records.end(), [&](const Record& a, const Record& b) {
    return comes_before(at_key(a.json, key), at_key(b.json, key));
  });
}

void keep_phase(View& view, const std::string& phase) {
  static const std::vector<std::string> kPhases{"forward", "backward", "optimizer", "inference"};
  require_key(view, "phase", "--phase");
  if (std::find(kPhases.begin(), kPhases.end(), phase) == kPhases.end()) {
    throw UsageError(fmt::format("--phase: '{}' is not a phase.{} It is one of {}.", phase,
                                 did_you_mean(phase, kPhases), listed(kPhases)));
  }
  keep_if(view, [&](const Json& json) { return at_key(json, "phase") == phase; });
}

}  // namespace

const Json& at_key(const Json& json, const std::string& key) {
  static const Json kNull;
  const auto dot = key.find('.');
  const auto found = json.find(key.substr(0, dot));
  if (found == json.end()) return kNull;
  return dot == std::string::npos ? *found : at_key(*found, key.substr(dot + 1));
}

bool names_run(const std::string& wanted, std::int64_t id, const std::string& level) {
  return ampprof::names_run(wanted, id, level);
}

std::size_t select(View& view, const Selection& selection) {
  if (selection.run) {
    keep_if(view, [&](const Json& json) {
      return names_run(*selection.run, json.at("run").get<std::int64_t>(), text_of(json.at("level")));
    });
  }
  if (selection.phase) keep_phase(view, *selection.phase);
  if (selection.op) keep_matching(view, "op", *selection.op);
  if (selection.module) keep_matching(view, "module", *selection.module);
  if (selection.sort) sort_by(view, *selection.sort);
  if (!selection.limit || *selection.limit >= view.records.size()) return 0;
  const std::size_t left_out = view.records.size() - *selection.limit;
  view.records.resize(*selection.limit);
  return left_out;
}

}  // namespace ampprof::cli
