// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <vector>

#include "precision/advice/advise.h"
#include "precision/advice/grouping.h"
#include "precision/advice/price.h"
#include "precision/advice/units.h"

namespace ampprof {

/// What any choice of functions to register as FP32 would do: advise() takes its own, a user takes another. Refers to
/// the evidence, which must outlive it. A unit is known by its place in units().
class Workbench {
 public:
  using Places = std::vector<std::size_t>;

  explicit Workbench(const Evidence& evidence, const AdviceOptions& options = {});

  const AdviceOptions& options() const { return options_; }
  const std::vector<Unit>& units() const { return units_; }
  const Price& price() const { return price_; }
  /// What no registration reaches: roundings of parameters and of the input, ops that nobody can name.
  const Effects& rest() const { return rest_; }

  /// The unit that a row of the evidence's ops belongs to, as its forward or its backward; empty where there is none.
  std::optional<std::size_t> unit_of(const OpRow& op) const;

  /// What registering these would do, in any order. Policy, cost and impact count all that its lines reach; what no
  /// line can reach is named in its notes.
  Advice advice(Places chosen) const;

  /// The predicted change of the loss that is left by these.
  double impact_without(const Places& taken) const;

 private:
  void write_ranking();
  Registration registration_of(const FloatRule& rule) const;

  AdviceOptions options_;
  std::vector<Unit> units_;
  std::map<const OpRow*, std::size_t> unit_of_;
  Effects rest_;
  Price price_;
  Advice nothing_ = {};  ///< what is known before anything is chosen
};

/// The larger of a run's first and last loss, by size; 0 where neither is finite.
double largest_loss(const RunRow& run);

/// The largest relative error of a unit's forward call sites among those that are finite.
double local_error_of(const Unit& unit);

}  // namespace ampprof
