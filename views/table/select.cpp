// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <variant>

#include "analysis/ops/nearest.h"
#include "reports/queries/run_names.h"
#include "reports/records/phase.h"
#include "reports/text/elide.h"
#include "reports/text/listed.h"
#include "reports/text/usage_error.h"
#include "views/table/site_filter.h"

namespace ampprof::views {
namespace {

std::optional<std::size_t> place_of(const View& view, std::string_view key) {
  const auto found = std::ranges::find(view.keys, key);
  return found == view.keys.end() ? std::nullopt : std::optional<std::size_t>(found - view.keys.begin());
}

void require_key(const View& view, std::string_view key, const char* flag) {
  if (place_of(view, key)) return;
  throw text::UsageError(fmt::format("{} does not apply to the view '{}': its rows have no {}.", flag, view.name, key));
}

bool is_of_run(const View& view, const Record& record, const std::string& wanted) {
  return queries::names_run(wanted, std::get<std::int64_t>(value_at(view, record, "run")),
                            text_at(view, record, "level"));
}

/// Returns the index of the column with the key or title `name`. Keys take precedence: in some views, the title "run"
/// belongs to the key `level`.
std::optional<std::size_t> place_of_column(const View& view, const std::string& name) {
  if (const auto place = place_of(view, name)) return place;
  const auto has_title = [&](const ColumnText& text) { return !text.key.empty() && text.title == name; };
  const auto titled = std::ranges::find_if(view.texts, has_title);
  return titled == view.texts.end() ? std::nullopt : place_of(view, titled->key);
}

/// Returns the keys of the columns, then the titles that are not keys.
std::vector<std::string> names_of_columns(const View& view) {
  std::vector<std::string> names = view.keys;
  for (const ColumnText& text : view.texts) {
    if (text.key.empty() || text.title.empty() || place_of(view, text.title)) continue;
    names.push_back(text.title);
  }
  return names;
}

/// Returns the flags of a selection that leave out rows.
std::vector<std::string> filters_of(const Selection& selection) {
  std::vector<std::string> flags;
  if (selection.run) flags.push_back("--run " + *selection.run);
  if (selection.phase) flags.emplace_back("--phase");
  if (selection.op) flags.push_back("--op " + *selection.op);
  if (selection.module) flags.push_back("--module " + *selection.module);
  return flags;
}

void sort_by(View& view, const std::string& name) {
  const auto place = place_of_column(view, name);
  if (!place) {
    throw text::UsageError(fmt::format("--sort: the view '{}' has no column '{}'.{} Its keys are {}.", view.name, name,
                                       analysis::did_you_mean(name, names_of_columns(view)), text::listed(view.keys)));
  }
  std::ranges::stable_sort(view.records, [&](const Record& a, const Record& b) {
    return comes_before(a.values.at(*place), b.values.at(*place));
  });
  if (!view.order.empty()) view.order = order_by(view, view.keys[*place]);
}

}  // namespace

std::string in_place_of_rows(const View& view) {
  return view.remedy.empty() ? view.none : view.none + ' ' + view.remedy;
}

std::string order_by(const View& view, std::string_view key, bool is_reversed) {
  const auto text = std::ranges::find(view.texts, key, &ColumnText::key);
  const std::string name(text == view.texts.end() || text->title.empty() ? key : std::string_view(text->title));
  const bool is_text = std::ranges::any_of(view.records, [&](const Record& record) {
    return std::holds_alternative<std::string>(value_at(view, record, key));
  });
  const char* const kNumbers[] = {"the largest first", "the smallest first"};
  const char* const kTexts[] = {"from A to Z", "from Z to A"};
  return fmt::format("Sorted by {}, {}.", name, (is_text ? kTexts : kNumbers)[is_reversed ? 1 : 0]);
}

const Value& value_at(const View& view, const Record& record, std::string_view key) {
  static const Value kAbsent;
  const auto place = place_of(view, key);
  return place ? record.values.at(*place) : kAbsent;
}

const std::string& text_at(const View& view, const Record& record, std::string_view key) {
  static const std::string kNone;
  const auto* text = std::get_if<std::string>(&value_at(view, record, key));
  return text == nullptr ? kNone : *text;
}

bool is_let_through(const analysis::SiteFilter& filter, const View& view, const Record& record) {
  return filter.lets_through(phase_from(text_at(view, record, "phase")), text_at(view, record, "module"),
                             text_at(view, record, "op"));
}

const Json& at_key(const Json& json, const std::string& key) {
  static const Json kNull;
  if (const auto whole = json.find(key); whole != json.end()) return *whole;  // a query can name a key "count(r.id)"
  const auto dot = key.find('.');
  const auto outer = dot == std::string::npos ? json.end() : json.find(key.substr(0, dot));
  return outer == json.end() ? kNull : at_key(*outer, key.substr(dot + 1));
}

void check_applies(const View& view, const Selection& selection) {
  if (selection.phase) require_key(view, "phase", "--phase");
  if (selection.op) require_key(view, "op", "--op");
  if (selection.module) require_key(view, "module", "--module");
}

std::size_t select(View& view, const Selection& selection) {
  const bool had_rows = !view.records.empty();
  if (selection.run) {
    std::erase_if(view.records, [&](const Record& record) { return !is_of_run(view, record, *selection.run); });
  }
  check_applies(view, selection);
  if (const analysis::SiteFilter filter = filter_of(selection); !filter.is_open()) {
    std::erase_if(view.records, [&](const Record& record) { return !is_let_through(filter, view, record); });
  }
  if (had_rows && view.records.empty()) {
    view.none = "No row matches " + text::printable(text::listed(filters_of(selection))) + ".";
    view.remedy.clear();
  }
  if (selection.sort) sort_by(view, *selection.sort);
  if (!selection.limit || *selection.limit >= view.records.size()) return 0;
  const std::size_t left_out = view.records.size() - *selection.limit;
  view.records.resize(*selection.limit);
  return left_out;
}

}  // namespace ampprof::views
