// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "reports/records/dtype.h"

namespace ampprof {

/// Says what becomes of the rounding errors of a tensor that outlives steps. Numbers are those of the report file.
enum class DriftClass : std::uint8_t {
  Fine = 1,          ///< drift below 1 %
  Short = 2,         ///< written in too few segments to judge
  Unbiased = 3,      ///< errors cancel: they grow like a random walk
  Bounded = 4,       ///< off by the spacing of the type, and no more with time
  Correlated = 5,    ///< each element's errors point one way, but not all elements' the same
  Biased = 6,        ///< errors point one way
  FewLost = 7,       ///< the updates of 5 to 20 % of the elements are lost
  Lost = 8,          ///< the updates of 20 % of the elements or more are lost
  Inherited = 9,     ///< the tensor's own roundings are harmless: its operands have drifted
  Compensated = 10,  ///< what is missing is kept in another tensor
  Residue = 11,      ///< the tensor that keeps it
  Broken = 12,       ///< NaN or inf where exact arithmetic has none
};

std::string_view name_of(DriftClass drift_class);

/// Says what a tensor is to the program.
enum class DriftRole : std::uint8_t {
  Tensor = 1,  ///< nothing is known of it
  Parameter = 2,
  Gradient = 3,  ///< of the parameter
  State = 4,     ///< written with the parameter or its gradient: optimizer state, an average
};

std::string_view name_of(DriftRole role);

/// How far a tensor that outlives steps has drifted from what exact arithmetic would have made of the same updates,
/// over a sample of its elements. Per element: D = run - exact, W = exact - start, e = run - the op in FP64 on the
/// run's own operands. Norms are L2 norms over the elements where all of it is finite.
struct Drift {
  std::int64_t call_site = 0;  ///< of the writes that lost most
  DriftRole role = DriftRole::Tensor;
  std::string parameter{};  ///< "" without a name
  DType dtype = DType::Unknown;
  std::int64_t elements = 0;
  std::int64_t sampled = 0;  ///< elements that were followed
  std::int64_t tensors =
      1;  ///< that this row stands for, one after the other or of one call site; figures are of the worst
  std::int64_t segments = 0;  ///< in which it was written
  std::int64_t restarts = 0;  ///< it was written where nobody saw it, and followed anew from there
  DriftClass verdict = DriftClass::Fine;
  double drift = 0.0;     ///< |D| / |W|
  double relative = 0.0;  ///< |D| / |exact|
  double bias = 0.0;      ///< <D, W> / <W, W>: -1 where nothing arrived
  double own = 0.0;       ///< |sum of e| / |sum of updates|
  double lost = 0.0;      ///< share of elements that fell short of half their way by errors that point one way
  double walk = 0.0;      ///< |sum of e| / sqrt(sum of e^2): 1 if independent, sqrt(segments) if all point one way
  std::optional<double> growth{};     ///< exponent of |D| over segments: 1 linear, 0 bounded; empty: too few of them
  double ulps = 0.0;                  ///< |D| / (half the spacing of the type at |exact|)
  double way = 0.0;                   ///< |W|
  double way_of_run = 0.0;            ///< |run - start|
  std::optional<double> effective{};  ///< of a compensated tensor: the drift of the sum of both
  std::int64_t broken = 0;            ///< elements that are not finite in the run alone
};

}  // namespace ampprof
