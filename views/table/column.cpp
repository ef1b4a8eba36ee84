// SPDX-License-Identifier: Apache-2.0
#include "views/table/column.h"

#include <cmath>
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

constexpr double kTooLargeForDecimals = 1e15;
constexpr int kMostDecimals = 12;

/// Returns the value at a key if it is a double that is small enough for decimals.
std::optional<double> decimal_at(const View& view, const Record& record, std::string_view key) {
  const auto* const number = std::get_if<double>(&value_at(view, record, key));
  const bool is_decimal = number != nullptr && std::abs(*number) < kTooLargeForDecimals;  // false for NaN
  return is_decimal ? std::optional(*number) : std::nullopt;
}

/// Returns how many decimals a number needs if it is rounded to `most` decimals: 2 for 0.25.
int decimals_of(double number, int most) {
  const std::string text = text::fixed(number, most);
  const auto point = text.find('.');
  return point == std::string::npos ? 0 : static_cast<int>(text.find_last_not_of('0') - point);
}

/// Returns how many decimals suffice for all numbers if the largest number has at most `digits` significant digits.
int decimals_of(const std::vector<double>& numbers, int digits) {
  double largest = 0.0;
  for (const double number : numbers) largest = std::max(largest, std::abs(number));
  if (largest == 0.0) return 0;
  const int most = std::clamp(digits - 1 - static_cast<int>(std::floor(std::log10(largest))), 0, kMostDecimals);
  int decimals = 0;
  for (const double number : numbers) decimals = std::max(decimals, decimals_of(number, most));
  return decimals;
}

}  // namespace

void align_decimals(View& view, std::string_view key, int digits) {
  const auto column = std::ranges::find(view.columns, key, &Column::key);
  if (column == view.columns.end()) return;
  const auto place = static_cast<std::size_t>(column - view.columns.begin());
  std::vector<double> numbers;
  for (const Record& record : view.records) {
    if (const auto number = decimal_at(view, record, key)) numbers.push_back(*number);
  }
  const int decimals = decimals_of(numbers, digits);
  const double least = std::pow(10.0, -decimals);
  for (Record& record : view.records) {
    const auto number = decimal_at(view, record, key);
    if (number && (*number == 0.0 || std::abs(*number) >= least))
      record.cells[place].text = text::fixed(*number, decimals);
  }
}

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
