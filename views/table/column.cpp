// SPDX-License-Identifier: Apache-2.0
#include "views/table/column.h"

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <variant>

namespace ampprof::views {
namespace {

bool holds_nothing(const Json& json) {
  return json.is_object() && std::ranges::all_of(json, [](const Json& member) { return member.is_null(); });
}

/// Returns the run id of a record; empty if the view has no column `run`.
std::optional<std::int64_t> run_of(const View& view, const Record& record) {
  const Value& run = value_at(view, record, "run");
  const auto* const number = std::get_if<std::int64_t>(&run);
  return number == nullptr ? std::nullopt : std::optional(*number);
}

}  // namespace

void tell_runs_apart(View& view) {
  const auto level = std::ranges::find(view.columns, "level", &Column::key);
  if (level == view.columns.end() || std::ranges::find(view.columns, "run", &Column::key) != view.columns.end()) return;
  if (std::ranges::find(view.keys, "run") == view.keys.end()) return;
  std::map<std::string, std::set<std::int64_t>> runs;
  for (const Record& record : view.records) {
    if (const auto run = run_of(view, record)) runs[text_at(view, record, "level")].insert(*run);
  }
  for (Record& record : view.records) {
    const std::string& name = text_at(view, record, "level");
    const auto run = run_of(view, record);
    if (!run || name.empty() || runs[name].size() < 2) continue;
    record.cells[static_cast<std::size_t>(level - view.columns.begin())].text += " (" + std::to_string(*run) + ")";
  }
}

Json object_of(const std::vector<std::string>& keys, const std::vector<Value>& values) {
  Json object = Json::object();
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const auto dot = keys[i].find('.');
    const std::string outer = keys[i].substr(0, dot);
    if (dot == std::string::npos) {
      object[outer] = to_json(values[i]);
    } else {
      object[outer][keys[i].substr(dot + 1)] = to_json(values[i]);
    }
  }
  for (auto& [key, member] : object.items()) {
    const bool is_nested = std::ranges::find(keys, key) == keys.end();
    if (is_nested && holds_nothing(member)) member = nullptr;
  }
  return object;
}

}  // namespace ampprof::views
