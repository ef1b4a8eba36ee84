// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/ops/site_filter.h"

namespace ampprof::queries {
struct CastRow;
struct GapRow;
struct GpuActivityRow;
struct ImpactRow;
struct OpRow;
}  // namespace ampprof::queries

/// Rows of several call sites as one. Rows of different runs and phases never become one.
///
/// What adds up is added up, statistics are merged, and what is not the same in all rows is unknown; module and op are
/// then "*". Loss impacts add up, and so do the expected squares of independent roundings. The root mean square of
/// signed changes is that of the sums in each step, of the steps in which all were measured.
namespace ampprof::analysis {

enum class GroupBy {
  Module,  ///< the module path
  Op,      ///< the op's name
  Class,   ///< both, with "*" for the numbers in the path: layers that are alike, as in "layers.*.attn"
};

/// "layers.3.attn.out" -> "layers.*.attn.out".
std::string class_of(std::string_view module);

struct Grouping {
  GroupBy by;
  SiteFilter filter;  ///< what is not let through is in no group
};

/// A row of one call site, or of several.
template <class Row>
struct Group {
  Row row;
  std::int64_t call_sites = 1;
};

enum class Sizes { Pooled, Apart };

/// Groups in the order of their first rows; without a grouping each row by itself. A group is named by what its call
/// sites have in common: "backward layers.*.attn/mm", "conv1/*", "*/mm". With Sizes::Apart only calls of the same op,
/// shapes and types become one.
std::vector<Group<queries::OpRow>> grouped(std::vector<queries::OpRow> ops, const std::optional<Grouping>& grouping,
                                           Sizes sizes = Sizes::Pooled);

/// For each row the place of its group among those that grouped() makes of them all.
std::vector<std::size_t> places_in_groups(const std::vector<queries::OpRow>& ops, GroupBy by);

/// Casts from and to other types stay apart.
std::vector<Group<queries::CastRow>> grouped(std::vector<queries::CastRow> casts,
                                             const std::optional<Grouping>& grouping);

/// Groups gaps by what was waited for.
std::vector<Group<queries::GapRow>> grouped(std::vector<queries::GapRow> gaps, const std::optional<Grouping>& grouping);

/// By what ran, so that kernels of one name and phase are one row; with a grouping, of each of its groups. A row names
/// the call site that launched most, by time. What the filter does not let through is left out.
std::vector<Group<queries::GpuActivityRow>> grouped(std::vector<queries::GpuActivityRow> activities,
                                                    const std::optional<Grouping>& grouping, const SiteFilter& filter);

/// Losses and sources stay apart. Of a parameter, what is behind the last dot of its name takes the part of the op.
std::vector<Group<queries::ImpactRow>> grouped(std::vector<queries::ImpactRow> impacts,
                                               const std::optional<Grouping>& grouping);

/// Adds one impact to another on the same loss. The standard error is that of independent errors.
void add_impact(queries::ImpactRow& into, const queries::ImpactRow& row);

}  // namespace ampprof::analysis
