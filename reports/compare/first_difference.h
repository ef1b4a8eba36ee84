// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "reports/compare/paired_calls.h"

namespace ampprof::compare {

/// An op call whose outputs have different bits in the two runs. Points into the compared sketches.
struct DifferingCall {
  const queries::SketchRow* a = nullptr;
  const queries::SketchRow* b = nullptr;
  bool inputs_same = false;
  std::optional<double> distance{};  ///< estimate of ||y_A - y_B||; empty if the sizes differ
  std::optional<double> relative{};  ///< `distance` over the larger output norm; empty if both norms are 0
  double noise = 0.0;                ///< largest relative distance between repeats of a side at this call
  bool beyond_noise = true;
};

struct FirstDifference {
  std::size_t compared = 0;  ///< calls that both runs have
  std::vector<const queries::SketchRow*> only_a{};  ///< calls that run B lacks, in program order
  std::vector<const queries::SketchRow*> only_b{};
  std::vector<DifferingCall> differing{};  ///< in the program order of run A
  std::optional<std::size_t> first{};      ///< index in `differing` of the first call beyond the noise of repeats
  std::size_t only_before = 0;             ///< number of calls that only one run has, before the `first` difference
};

/// Selects the differences that count: those beyond the noise between repeats, or every differing bit.
enum class Strictness { BeyondNoise, AnyBit };

/// Finds the first op call, in program order, whose outputs differ between the first run of each side. paired_calls()
/// selects the calls. Further runs of a side are its repeats. A difference is beyond the noise if its relative distance
/// exceeds 1.5 times the largest distance between repeats at that call, since distances are estimates: off by 9 %,
/// rarely by 30 %.
FirstDifference first_difference(const std::vector<Sketches>& a, const std::vector<Sketches>& b, Strictness strictness);

}  // namespace ampprof::compare
