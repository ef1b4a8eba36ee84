// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "reports/records/dtype.h"

namespace ampprof::views {

using Json = nlohmann::ordered_json;

/// An exact value of a record, for sorting, filtering, JSON and CSV. std::monostate is an absent value; lists and
/// objects are Json.
using Value = std::variant<std::monostate, bool, std::int64_t, double, std::string, Json>;

/// Returns the value, or an absent Value for nullopt.
template <class T>
Value value_of(const std::optional<T>& value) {
  if (!value) return {};
  if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>) {
    return static_cast<std::int64_t>(*value);
  } else {
    return *value;
  }
}

/// Returns the text; an absent value for "", which means "unknown" in rows of queries.
Value known(std::string_view text);

/// Returns the short name of a type; an absent value for DType::Unknown.
Value known(DType type);

/// Orders values like --sort: numbers descending, NaN and inf first; text ascending; absent values last.
bool comes_before(const Value& a, const Value& b);

/// Returns JSON. NaN and infinities are the strings "nan", "inf" and "-inf", because JSON has no such numbers and null
/// means "absent".
Json to_json(const Value& value);

/// Returns a double as JSON: a number, or the string "nan", "inf" or "-inf".
Json exact(double value);

/// Returns exact(*value), or null for nullopt.
template <class T>
Json exact(const std::optional<T>& value) {
  return to_json(value_of(value));
}

/// Returns the text; null for "", which means "unknown" in rows of queries.
Json text_or_null(const std::string& text);

}  // namespace ampprof::views
