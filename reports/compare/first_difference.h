// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "reports/compare/paired_calls.h"

namespace ampprof::compare {

/// One op call in two runs, whose outputs are not the same bits. Points into the sketches that were compared.
struct DifferingCall {
  const queries::SketchRow* a = nullptr;
  const queries::SketchRow* b = nullptr;
  bool inputs_same = false;
  std::optional<double> distance{};  ///< estimate of ||y_A - y_B||; empty where the sizes differ
  std::optional<double> relative{};  ///< to the larger norm; empty where both are 0
  double noise = 0.0;                ///< the largest relative distance of repeats at this call
  bool beyond_noise = true;
};

struct FirstDifference {
  std::size_t compared = 0;  ///< calls that both runs have
  std::vector<const queries::SketchRow*> only_a{};  ///< calls that the other run does not make, in program order
  std::vector<const queries::SketchRow*> only_b{};
  std::vector<DifferingCall> differing{};  ///< in the order of A
  std::optional<std::size_t> first{};      ///< of these, the first beyond the noise of repeats
  std::size_t only_before = 0;             ///< calls of one run alone that come before the first
};

/// Asks for any difference at all, even where repeats of one program differ there.
enum class Strictness { BeyondNoise, AnyBit };

/// Finds the first op call, in program order, whose outputs differ between the first run of each side; paired_calls()
/// says which calls are compared. Further runs of a side are its repeats: a call differs where the relative distance is
/// more than 1.5 times what repeats show there (an estimate is off by 9 %, rarely by 30).
FirstDifference first_difference(const std::vector<Sketches>& a, const std::vector<Sketches>& b, Strictness strictness);

}  // namespace ampprof::compare
