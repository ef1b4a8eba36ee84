// SPDX-License-Identifier: Apache-2.0
#include "views/table/value.h"

#include <cmath>
#include <limits>

#include "reports/text/numbers.h"

namespace ampprof::views {
namespace {

// Maps a value to the number by which it is sorted: NaN to inf, an array to its size, and text, an object or an absent
// value to -inf.
struct SortNumber {
  static constexpr double kLast = -std::numeric_limits<double>::infinity();

  double operator()(std::monostate) const { return kLast; }
  double operator()(bool value) const { return value ? 1 : 0; }
  double operator()(std::int64_t value) const { return static_cast<double>(value); }
  double operator()(double value) const { return std::isnan(value) ? -kLast : value; }
  double operator()(const std::string&) const { return kLast; }
  double operator()(const Json& value) const { return value.is_array() ? static_cast<double>(value.size()) : kLast; }
};

}  // namespace

Value known(std::string_view text) { return text.empty() ? Value() : Value(std::string(text)); }

Value known(DType type) { return type == DType::Unknown ? Value() : known(short_name(type)); }

bool comes_before(const Value& a, const Value& b) {
  const bool is_absent = std::holds_alternative<std::monostate>(a);
  if (is_absent || std::holds_alternative<std::monostate>(b)) return !is_absent;
  const auto* text_a = std::get_if<std::string>(&a);
  const auto* text_b = std::get_if<std::string>(&b);
  if (text_a != nullptr && text_b != nullptr) return *text_a < *text_b;
  return std::visit(SortNumber(), a) > std::visit(SortNumber(), b);
}

Json exact(double value) {
  if (std::isfinite(value)) return value;
  return text::number(value);
}

Json to_json(const Value& value) {
  if (const auto* number = std::get_if<double>(&value)) return exact(*number);
  return std::visit(
      [](const auto& held) -> Json {
        if constexpr (std::is_same_v<std::remove_cvref_t<decltype(held)>, std::monostate>) {
          return nullptr;
        } else {
          return held;
        }
      },
      value);
}

Json text_or_null(const std::string& text) { return to_json(known(text)); }

}  // namespace ampprof::views
