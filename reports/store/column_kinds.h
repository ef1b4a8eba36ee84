// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>

#include "reports/records/batch.h"
#include "reports/records/dtype.h"
#include "reports/records/exponents.h"
#include "reports/records/statistics.h"
#include "reports/store/table.h"

/// Columns that hold more than a number or a text: enumerators, histograms, sums, statistics.
namespace ampprof::store {

/// Map unknown numbers to an enumerator instead of throwing: to DType::Unknown and GpuActivityKind::Kernel.
template <>
DType enum_from_number(std::int64_t number);
template <>
GpuActivityKind enum_from_number(std::int64_t number);

template <>
inline constexpr LastEnumerator<Phase> kLast<Phase>{Phase::Recompute, "a call site has the unknown phase"};
template <>
inline constexpr LastEnumerator<NonfiniteCause> kLast<NonfiniteCause>{kLastCause, "an event has the unknown cause"};
template <>
inline constexpr LastEnumerator<NonfiniteOutcome> kLast<NonfiniteOutcome>{kLastOutcome,
                                                                          "an event has the unknown outcome"};
template <>
inline constexpr LastEnumerator<ImpactSource> kLast<ImpactSource>{ImpactSource::Decision,
                                                                  "a loss impact has the unknown source"};
template <>
inline constexpr LastEnumerator<ImpactGap> kLast<ImpactGap>{ImpactGap::NoMaster, "a loss impact has the unknown gap"};
template <>
inline constexpr LastEnumerator<GradientImpactSource> kLast<GradientImpactSource>{
    GradientImpactSource::ForwardErrors, "a gradient impact has the unknown source"};
template <>
inline constexpr LastEnumerator<GradientImpactGap> kLast<GradientImpactGap>{GradientImpactGap::LeftOut,
                                                                            "a gradient impact has the unknown gap"};
template <>
inline constexpr LastEnumerator<ImpactGradient> kLast<ImpactGradient>{ImpactGradient::Mean,
                                                                      "a loss impact has the unknown gradient"};

template <>
inline constexpr LastEnumerator<DriftClass> kLast<DriftClass>{DriftClass::Broken, "a drift has the unknown class"};
template <>
inline constexpr LastEnumerator<DriftRole> kLast<DriftRole>{DriftRole::State, "a drift has the unknown role"};

/// Stores a histogram as the bytes of encode(); NULL if it is absent or has no values.
struct ExponentsBlob {
  static constexpr const char* kType = "BLOB";
  static constexpr bool kIsNullable = true;
  static void put(Statement& row, const std::optional<ExponentHistogram>& exponents) {
    exponents ? row.put_copy_of_blob(encode(*exponents)) : row.put_null();
  }
  static std::optional<ExponentHistogram> take(ResultRow& row) {
    const std::string bytes = row.blob();
    return bytes.empty() ? std::nullopt : decode_exponents(bytes);
  }
};

/// Stores 0 or an empty text, which means that the value is absent, as NULL.
template <class T>
struct ZeroIsNull {
  static constexpr const char* kType = Stored<T>::kType;
  static constexpr bool kIsNullable = true;
  static void put(Statement& row, const T& value) { value == T{} ? row.put_null() : row.put(value); }
  static T take(ResultRow& row) { return Stored<std::optional<T>>::take(row).value_or(T{}); }
};

/// The column of a statistic; see records/statistics.h.
template <class Stats, class Value>
struct StatisticColumn {
  Statistic<Stats, Value> statistic;

  static constexpr int kCount = 1;
  static constexpr bool kIsRead = true;
  template <class Visit>
  void each(std::string_view prefix, const Visit& visit) const {
    visit(DeclaredColumn{{std::string(prefix) + std::string(statistic.column), Stored<Value>::kType, false},
                         std::string(statistic.about)});
  }
  void put(Statement& row, const Stats& stats) const {
    const Value value = stats.*statistic.field;
    statistic.zero_is_null&& value == Value{} ? row.put_null() : row.put(value);
  }
  void take(ResultRow& row, Stats& stats) const {
    stats.*statistic.field = statistic.zero_is_null ? ZeroIsNull<Value>::take(row) : Stored<Value>::take(row);
  }
};

template <class Stats>
constexpr auto statistics_columns() {
  return std::apply(
      []<class... Values>(const Statistic<Stats, Values>&... each) {
        return std::tuple{StatisticColumn<Stats, Values>{each}...};
      },
      kStatistics<Stats>);
}

/// Stores real numbers, eight bytes each, in the byte order of the processor.
struct SumsBlob {
  static constexpr const char* kType = "BLOB";
  static constexpr bool kIsNullable = false;
  using Sums = decltype(Sketch::sums);
  static void put(Statement& row, const Sums& sums) {
    row.put_copy_of_blob({reinterpret_cast<const char*>(sums.data()), sizeof sums});
  }
  /// Returns zeros if the BLOB has another length than Sums.
  static Sums take(ResultRow& row) {
    Sums sums{};
    const std::string bytes = row.blob();
    if (bytes.size() == sizeof sums) std::memcpy(sums.data(), bytes.data(), sizeof sums);
    return sums;
  }
};

}  // namespace ampprof::store
