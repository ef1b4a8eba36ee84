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

/// Merges the rows of several call sites into one. Rows of different runs or phases stay apart.
///
/// Sums are added and statistics merged. A value that differs between rows becomes unknown; module and op become "*".
/// Loss impacts add up, and so do the expected squares of independent roundings. The root mean square of signed changes
/// is taken over their sums in each step, for the steps in which all were measured.
namespace ampprof::analysis {

enum class GroupBy {
  Module,  ///< the module path
  Op,      ///< the op's name
  Class,   ///< module and op, with "*" for the numbers in the path: merges layers that are alike, as in "layers.*.attn"
};

/// Returns "layers.*.attn.out" for "layers.3.attn.out".
std::string class_of(std::string_view module);

struct Grouping {
  GroupBy by;
  SiteFilter filter;  ///< rows that `filter` rejects are in no group
};

/// A row of one call site, or of several.
template <class Row>
struct Group {
  Row row;
  std::int64_t call_sites = 1;
};

enum class Sizes { Pooled, Apart };

/// Returns groups in the order of their first rows; without a grouping, one per row. The name of a group is what its
/// call sites have in common: "backward layers.*.attn/mm", "conv1/*", "*/mm". With Sizes::Apart only calls of the same
/// op, shapes and types form a group.
std::vector<Group<queries::OpRow>> grouped(std::vector<queries::OpRow> ops, const std::optional<Grouping>& grouping,
                                           Sizes sizes = Sizes::Pooled);

/// Returns for each row the index of its group in grouped() of all rows.
std::vector<std::size_t> group_indices(const std::vector<queries::OpRow>& ops, GroupBy by);

/// Groups casts. Casts with different types stay apart.
std::vector<Group<queries::CastRow>> grouped(std::vector<queries::CastRow> casts,
                                             const std::optional<Grouping>& grouping);

/// Groups idle gaps of the GPU by the call site of the next activity.
std::vector<Group<queries::GapRow>> grouped(std::vector<queries::GapRow> gaps, const std::optional<Grouping>& grouping);

/// Groups GPU activities by kernel name and phase; with a grouping, within each of its groups. A row names the call
/// site whose launches took most time. Rows that the filter rejects are left out.
std::vector<Group<queries::GpuActivityRow>> grouped(std::vector<queries::GpuActivityRow> activities,
                                                    const std::optional<Grouping>& grouping, const SiteFilter& filter);

/// Groups loss impacts. Impacts on different losses or from different kinds of source stay apart. For a parameter, the
/// last part of its name takes the role of the op.
std::vector<Group<queries::ImpactRow>> grouped(std::vector<queries::ImpactRow> impacts,
                                               const std::optional<Grouping>& grouping);

/// Adds an impact to another on the same loss. Treats their errors as independent.
void add_impact(queries::ImpactRow& into, const queries::ImpactRow& row);

}  // namespace ampprof::analysis
