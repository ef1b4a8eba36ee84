// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "analysis/nearest.h"
#include "reports/queries/run_names.h"
#include "reports/text/listed.h"
#include "reports/text/usage_error.h"
#include "views/site_filter.h"

namespace ampprof::views {
namespace {

bool has_key(const View& view, const std::string& key) {
  return std::find(view.keys.begin(), view.keys.end(), key) != view.keys.end();
}

void require_key(const View& view, const std::string& key, const std::string& flag) {
  if (has_key(view, key)) return;
  throw text::UsageError(fmt::format("{} does not apply to the view '{}': its rows have no {}.", flag, view.name, key));
}

std::string text_of(const Json& value) { return value.is_string() ? value.get<std::string>() : std::string(); }

/// Empty where the row has no phase.
std::optional<Phase> phase_of(const Json& word) {
  const auto found = std::ranges::find(kPhases, text_of(word), [](Phase phase) { return name_of(phase); });
  return found == std::end(kPhases) ? std::nullopt : std::optional(*found);
}

template <class Keep>
void keep_if(View& view, Keep keep) {
  std::erase_if(view.records, [&](const Record& record) { return !keep(record.json); });
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

void sort_by(View& view, const std::string& key) {
  if (!has_key(view, key)) {
    throw text::UsageError(fmt::format("--sort: the view '{}' has no key '{}'.{} Its keys are {}.", view.name, key,
                                       analysis::did_you_mean(key, view.keys), text::listed(view.keys)));
  }
  std::stable_sort(view.records.begin(), view.records.end(), [&](const Record& a, const Record& b) {
    return comes_before(at_key(a.json, key), at_key(b.json, key));
  });
}

}  // namespace

bool is_let_through(const analysis::SiteFilter& filter, const Json& json) {
  return filter.lets_through(phase_of(at_key(json, "phase")), text_of(at_key(json, "module")),
                             text_of(at_key(json, "op")));
}

bool comes_before(const Json& a, const Json& b) {
  if (a.is_null() || b.is_null()) return !a.is_null() && b.is_null();
  if (is_text(a) && is_text(b)) return text_of(a) < text_of(b);
  return sort_value(a) > sort_value(b);
}

const Json& at_key(const Json& json, const std::string& key) {
  static const Json kNull;
  const auto dot = key.find('.');
  const auto found = json.find(key.substr(0, dot));
  if (found == json.end()) return kNull;
  return dot == std::string::npos ? *found : at_key(*found, key.substr(dot + 1));
}

void check_applies(const View& view, const Selection& selection) {
  if (selection.phase) require_key(view, "phase", "--phase");
  if (selection.op) require_key(view, "op", "--op");
  if (selection.module) require_key(view, "module", "--module");
}

std::size_t select(View& view, const Selection& selection) {
  if (selection.run) {
    keep_if(view, [&](const Json& json) {
      return names_run(*selection.run, json.at("run").get<std::int64_t>(), text_of(json.at("level")));
    });
  }
  check_applies(view, selection);
  if (const analysis::SiteFilter filter = filter_of(selection); !filter.is_open()) {
    keep_if(view, [&](const Json& json) { return is_let_through(filter, json); });
  }
  if (selection.sort) sort_by(view, *selection.sort);
  if (!selection.limit || *selection.limit >= view.records.size()) return 0;
  const std::size_t left_out = view.records.size() - *selection.limit;
  view.records.resize(*selection.limit);
  return left_out;
}

}  // namespace ampprof::views
