// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "reports/records/impact_estimate.h"

namespace ampprof::queries {
struct ImpactRow;
}

/// Ranks loss impacts and marks ties.
namespace ampprof::analysis {

/// A rank by size, from 1 on; 0 for an impact without a size. An impact is tied if its size is not distinguishable from
/// the size of the first impact at this rank.
struct ImpactRank {
  std::int64_t place = 0;
  bool is_tied = false;

  bool operator==(const ImpactRank&) const = default;
};

/// The part of an impact that its rank depends on.
struct SizedImpact {
  std::int64_t run = 0;
  std::int32_t loss_id = 0;  ///< 0 if losses are added up
  std::optional<double> size = {};
  bool is_signed = false;  ///< `size` is or includes an RMS of signed changes; such impacts are never tied
  std::span<const StepImpact> by_step = {};
};

/// Ranks impacts for each run and loss separately. Impacts are given in descending order of size.
std::vector<ImpactRank> impact_ranks(std::span<const SizedImpact> impacts);
std::vector<ImpactRank> impact_ranks(std::span<const queries::ImpactRow* const> rows);

/// Compares the expected sizes of impacts with their signed changes.
struct SelfCheck {
  double mean = 0.0;          ///< mean of ImpactRow::self_check
  std::int64_t rows = 0;      ///< number of rows with ImpactRow::self_check
  std::int64_t failures = 0;  ///< number of rows ranked by signed changes although their expected size E is known
};
/// Summarizes the self-check of these rows; empty if no row has ImpactRow::self_check.
std::optional<SelfCheck> self_check(std::span<const queries::ImpactRow* const> rows);

}  // namespace ampprof::analysis
