// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "reports/records/dtype.h"

namespace ampprof {

/// Classes of rounding errors of a tensor that outlives steps. The numbers are stored in report files.
enum class DriftClass : std::uint8_t {
  Fine = 1,          ///< drift below 1 %
  Short = 2,         ///< written in too few segments to classify
  Unbiased = 3,      ///< errors cancel: they grow like a random walk
  Bounded = 4,       ///< the error is about the spacing of the type and does not grow
  Correlated = 5,    ///< the errors of each element are biased, but elements differ in direction
  Biased = 6,        ///< errors are biased
  FewLost = 7,       ///< the updates of 5 to 20 % of the elements are lost
  Lost = 8,          ///< the updates of 20 % of the elements or more are lost
  Inherited = 9,     ///< the tensor's own roundings are harmless, but its operands have drifted
  Compensated = 10,  ///< the missing part is kept in another tensor
  Residue = 11,      ///< the tensor that keeps the missing part of another
  Broken = 12,       ///< has NaN or inf where exact arithmetic has none
};

std::string_view name_of(DriftClass drift_class);

/// The role of a tensor in the program.
enum class DriftRole : std::uint8_t {
  Tensor = 1,  ///< role unknown
  Parameter = 2,
  Gradient = 3,  ///< of the parameter
  State = 4,     ///< written together with the parameter or its gradient: optimizer state, an average
};

std::string_view name_of(DriftRole role);

/// Drift of a tensor that outlives steps: its distance from the result of the same updates in exact arithmetic, over a
/// sample of its elements. Per element: D = run - exact, W = exact - start, e = run - the op in FP64 on the run's own
/// operands. Norms are L2 norms over the elements with only finite values.
struct Drift {
  std::int64_t call_site = 0;  ///< call site of the writes that lost most
  DriftRole role = DriftRole::Tensor;
  std::string parameter{};  ///< "" without a name
  DType dtype = DType::Unknown;
  std::int64_t elements = 0;
  std::int64_t sampled = 0;  ///< sampled elements
  std::int64_t tensors =
      1;  ///< number of tensors in this row: successive ones, or those of a call site; values are of the worst
  std::int64_t segments = 0;  ///< segments in which the tensor was written
  std::int64_t restarts = 0;  ///< writes that the recorder did not see; measuring starts anew after each
  DriftClass verdict = DriftClass::Fine;
  double drift = 0.0;     ///< |D| / |W|
  double relative = 0.0;  ///< |D| / |exact|
  double bias = 0.0;      ///< <D, W> / <W, W>: -1 if all updates were lost
  double own = 0.0;       ///< |sum of e| / |sum of updates|
  double lost = 0.0;      ///< share of elements that lost more than half of their change W due to biased errors
  double walk = 0.0;      ///< |sum of e| / sqrt(sum of e^2): 1 if independent, sqrt(segments) if all are equal
  std::optional<double> growth{};     ///< exponent of |D| over segments: 1 linear, 0 bounded; empty if too few
  double ulps = 0.0;                  ///< |D| / (half the spacing of the type at |exact|)
  double way = 0.0;                   ///< |W|
  double way_of_run = 0.0;            ///< |run - start|
  std::optional<double> effective{};  ///< for a compensated tensor: the drift of its sum with the residue tensor
  std::int64_t broken = 0;            ///< elements that are not finite only in the run
};

}  // namespace ampprof
