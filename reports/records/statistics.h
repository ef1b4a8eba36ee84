// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>
#include <tuple>

#include "reports/records/chunk_codec.h"

/// Statistics of op calls in reports. A statistic is a member and a line in the list after its struct. Merging, the
/// bytes of a chunk and the columns of `op_total` follow from the list.
namespace ampprof {

/// Error of an executed output (y) relative to its high-precision reference (r).
///
/// Sums cover only pairs in which both are finite; the others are counted in `excluded`. If y is not finite and r is,
/// the error is infinite: it is counted, never summed, and makes the derived values below infinite. Merging the stats
/// of two parts gives those of the whole, so tensors can be compared in chunks and calls pooled.
struct ErrorStats {
  std::int64_t count = 0;         ///< finite pairs
  std::int64_t excluded = 0;      ///< pairs with a NaN or inf on either side
  std::int64_t infinite = 0;      ///< excluded pairs with NaN or inf in y and a finite r
  std::int64_t flushed = 0;       ///< finite pairs with r != 0 but y == 0
  double max_abs = 0.0;           ///< largest |y - r|; infinity if `infinite` is not 0
  double max_ulp = 0.0;           ///< largest |y - r| in ulp of y's type at r; infinity likewise
  double sum_ulp = 0.0;           ///< sum of |y - r| in ulp of y's type at r
  double sum_sq_error = 0.0;      ///< sum of (y - r)^2
  double sum_sq_reference = 0.0;  ///< sum of r^2
  double sum_sq_output = 0.0;     ///< sum of y^2
  double sum_product = 0.0;       ///< sum of y r

  void merge(const ErrorStats& other);

  /// Returns ||y - r|| / max(||r||, ||y|| / 2): at most 3 if r is nearly 0. Infinity if an error is infinite.
  double relative_l2() const;
  /// Returns <y, r> / (||y|| ||r||); 1 if both norms are 0, 0 if only one is or an error is infinite.
  double cosine() const;
  /// Returns the mean of |y - r| in ulp; 0 without pairs, infinity if an error is infinite.
  double mean_ulp() const;

  bool operator==(const ErrorStats&) const = default;
};

/// The value range of an output y, and how its reference r (y itself if there is no reference) fits into FP16. Merging
/// the statistics of two parts gives those of the whole.
struct RangeStats {
  std::int64_t count = 0;           ///< elements of y
  std::int64_t nonfinite = 0;       ///< NaN or inf in y
  double amax = 0.0;                ///< largest finite |y|; 0 without one
  double smallest = 0.0;            ///< smallest finite non-zero |y|; 0 without one
  double reference_amax = 0.0;      ///< largest finite |r|
  std::int64_t rounds_to_inf = 0;   ///< |r| >= 65520, including inf, not NaN
  std::int64_t subnormal = 0;       ///< 0 < |r| < 2^-14
  std::int64_t rounds_to_zero = 0;  ///< 0 < |r| <= 2^-25

  void merge(const RangeStats& other);

  bool operator==(const RangeStats&) const = default;
};

/// Functions that merge the values of two parts.
namespace merging {
std::int64_t sum(std::int64_t total, std::int64_t part);  ///< saturates at the largest number
double sum(double total, double part);
double largest(double total, double part);           ///< NaN from either side wins, so that it cannot hide
double smallest_nonzero(double total, double part);  ///< 0 stands for "none"
}  // namespace merging

/// A field of `Stats`: its column, its description, and how parts are merged.
template <class Stats, class Value>
struct Statistic {
  std::string_view column;  ///< in tables of a report: never rename
  std::string_view about;   ///< a sentence
  Value Stats::*field;
  Value (*merged)(Value total, Value part);
  bool zero_is_null = false;  ///< tables store 0 as NULL, so that MIN() over rows skips it
  ChunkCodec since = 1;       ///< first codec that stores it
};

/// The statistics of `Stats`, in the order in which chunks hold them.
template <class Stats>
inline constexpr auto kStatistics = std::tuple{};

template <>
inline constexpr auto kStatistics<ErrorStats> = std::tuple{
    Statistic<ErrorStats, std::int64_t>{"pairs", "Number of elements that are finite in output and reference.",
                                        &ErrorStats::count, merging::sum},
    Statistic<ErrorStats, std::int64_t>{"excluded",
                                        "Number of elements that are NaN or inf in the output or the reference.",
                                        &ErrorStats::excluded, merging::sum},
    Statistic<ErrorStats, std::int64_t>{"infinite",
                                        "Number of elements that are NaN or inf in the output but finite in the "
                                        "reference. If it is not 0, the error, `max_abs` and `max_ulp` are infinite.",
                                        &ErrorStats::infinite, merging::sum},
    Statistic<ErrorStats, std::int64_t>{"flushed",
                                        "Number of elements that are 0 in the output but not in the reference.",
                                        &ErrorStats::flushed, merging::sum},
    Statistic<ErrorStats, double>{"max_abs", "Largest error of one element.", &ErrorStats::max_abs, merging::largest},
    Statistic<ErrorStats, double>{"max_ulp",
                                  "Largest error of one element, in ulp of the output's type at the reference's value.",
                                  &ErrorStats::max_ulp, merging::largest},
    Statistic<ErrorStats, double>{"sum_ulp", "Sum of the errors in ulp of the output's type at the reference's value.",
                                  &ErrorStats::sum_ulp, merging::sum},
    Statistic<ErrorStats, double>{"sum_sq_error", "Sum of (output - reference)² over the elements.",
                                  &ErrorStats::sum_sq_error, merging::sum},
    Statistic<ErrorStats, double>{"sum_sq_reference", "Sum of squares of the reference.", &ErrorStats::sum_sq_reference,
                                  merging::sum},
    Statistic<ErrorStats, double>{"sum_sq_output", "Sum of squares of the output.", &ErrorStats::sum_sq_output,
                                  merging::sum},
    Statistic<ErrorStats, double>{"sum_product", "Sum of the products of output and reference.",
                                  &ErrorStats::sum_product, merging::sum},
};

template <>
inline constexpr auto kStatistics<RangeStats> = std::tuple{
    Statistic<RangeStats, std::int64_t>{"elements", "Number of elements of the output.", &RangeStats::count,
                                        merging::sum},
    Statistic<RangeStats, std::int64_t>{"nonfinite", "Number of elements that are NaN or inf.", &RangeStats::nonfinite,
                                        merging::sum},
    Statistic<RangeStats, double>{"amax", "Largest finite magnitude of the output.", &RangeStats::amax,
                                  merging::largest},
    Statistic<RangeStats, double>{"smallest",
                                  "Smallest finite magnitude of the output that is not 0. Also NULL if there is none.",
                                  &RangeStats::smallest, merging::smallest_nonzero, true},
    Statistic<RangeStats, double>{"reference_amax", "Largest finite magnitude of the reference.",
                                  &RangeStats::reference_amax, merging::largest},
    Statistic<RangeStats, std::int64_t>{"rounds_to_inf",
                                        "Number of reference elements that FP16 rounds to inf: |x| >= 65520.",
                                        &RangeStats::rounds_to_inf, merging::sum},
    Statistic<RangeStats, std::int64_t>{
        "subnormal",
        "Number of reference elements below FP16's normal range, 0 < |x| < 2^-14. They lose bits or round to 0.",
        &RangeStats::subnormal, merging::sum},
    Statistic<RangeStats, std::int64_t>{"rounds_to_zero",
                                        "Number of reference elements that FP16 rounds to 0: 0 < |x| <= 2^-25.",
                                        &RangeStats::rounds_to_zero, merging::sum},
};

/// Calls `visit` with each Statistic of `Stats`, in their order.
template <class Stats, class Visit>
constexpr void each_statistic(const Visit& visit) {
  std::apply([&](const auto&... each) { (visit(each), ...); }, kStatistics<Stats>);
}

/// A number derived from error statistics. It is a metric of `check`, and has the same key in JSON, CSV and `diff`.
struct ErrorMetric {
  std::string_view key;  ///< never rename
  double (*of)(const ErrorStats&);
  bool small_is_worst = false;
  std::string_view worst;      ///< name of the worst value over call sites, for `check`
  std::string_view about;      ///< a sentence that defines it
  std::string_view unit = "";  ///< "" for a plain number
};

inline constexpr ErrorMetric kErrorMetrics[] = {
    {"local_rel_l2", [](const ErrorStats& error) { return error.relative_l2(); }, false,
     "largest local error, relative L2",
     "Error against the reference on the same inputs, relative L2: divided by the norm of the reference, or by half "
     "the norm of the output if that is larger."},
    {"local_max_abs", [](const ErrorStats& error) { return error.max_abs; }, false, "largest local error of one value",
     "Largest error of one element."},
    {"local_max_ulp", [](const ErrorStats& error) { return error.max_ulp; }, false,
     "largest local error of one value, in ulp", "Largest error of one element, in ulp of the output's type.", "ulp"},
    {"local_mean_ulp", [](const ErrorStats& error) { return error.mean_ulp(); }, false,
     "largest mean local error in ulp", "Mean error of an element, in ulp of the output's type.", "ulp"},
    {"local_cosine", [](const ErrorStats& error) { return error.cosine(); }, true,
     "smallest cosine similarity to the reference", "Cosine similarity of the output and the reference."},
};

}  // namespace ampprof
