// SPDX-License-Identifier: Apache-2.0
#include "analysis/ops/group.h"

#include <algorithm>
#include <functional>
#include <map>
#include <tuple>

#include "analysis/ops/op_figures.h"
#include "precision/advice/numbered_name.h"
#include "reports/queries/casts.h"
#include "reports/queries/gaps.h"
#include "reports/queries/gpu_activities.h"
#include "reports/queries/gpu_activity_use.h"
#include "reports/queries/impacts.h"
#include "reports/queries/ops.h"
#include "reports/records/in_quadrature.h"
#include "reports/records/merge_optional.h"
#include "reports/records/saturating_add.h"

namespace ampprof::analysis {
namespace {

constexpr const char* kSeveral = "*";

/// Key of a group: the fields in which all of its rows agree. Other fields are empty.
using Place = std::tuple<std::int64_t, std::optional<Phase>, std::string, std::string>;  // run, phase, module, op

Place place_of(GroupBy by, std::int64_t run, std::optional<Phase> phase, const std::string& module,
               const std::string& op) {
  return {run, phase, by == GroupBy::Op ? "" : module, by == GroupBy::Module ? "" : op};
}

void keep_common(std::string& into, const std::string& text, const char* otherwise) {
  if (into != text) into = otherwise;
}

void keep_common(DType& into, DType type) {
  if (into != type) into = DType::Unknown;
}

/// Merges the rows of each key and counts them.
template <class Row, class KeyOf, class Merge>
std::vector<Group<Row>> gathered(std::vector<Row> rows, KeyOf key_of, Merge merge_into) {
  std::vector<Group<Row>> groups;
  std::map<std::invoke_result_t<KeyOf, const Row&>, std::size_t> places;
  for (Row& row : rows) {
    const auto [place, is_first] = places.try_emplace(key_of(row), groups.size());
    if (is_first) {
      groups.push_back({std::move(row)});
    } else {
      merge_into(groups[place->second].row, row);
      ++groups[place->second].call_sites;
    }
  }
  return groups;
}

template <class Row>
std::vector<Group<Row>> each_alone(std::vector<Row> rows) {
  std::vector<Group<Row>> groups;
  for (Row& row : rows) groups.push_back({std::move(row)});
  return groups;
}

template <class Row>
void keep_common_site(Row& into, const Row& row) {
  keep_common(into.module, row.module, kSeveral);
  keep_common(into.op, row.op, kSeveral);
  if constexpr (requires { row.site_source; }) {
    keep_common(into.site_source, row.site_source, "");
  } else {
    keep_common(into.source, row.source, "");
  }
}

std::string name_of_group(std::optional<Phase> phase, const std::string& module, const std::string& op) {
  const bool is_marked = phase && *phase != Phase::Forward;
  const std::string mark = is_marked ? std::string(name_of(*phase)) + ' ' : "";
  if (module.empty() && op == kSeveral) return mark + "(no module)/*";
  return mark + module + (module.empty() ? "" : "/") + op;
}

/// Groups rows of call sites by Place. Rows that differ in `apart_by` stay apart.
template <class Row, class ApartBy, class Merge>
std::vector<Group<Row>> by_place(std::vector<Row> rows, const std::optional<Grouping>& grouping, ApartBy apart_by,
                                 Merge merge_into) {
  if (!grouping) return each_alone(std::move(rows));
  std::erase_if(rows, [&](const Row& row) { return !grouping->filter.lets_through(row.phase, row.module, row.op); });
  if (grouping->by == GroupBy::Class) {
    for (Row& row : rows) row.module = class_of(row.module);
  }
  const auto key_of = [&](const Row& row) {
    return std::pair(place_of(grouping->by, row.run, row.phase, row.module, row.op), apart_by(row));
  };
  auto groups = gathered(std::move(rows), key_of, merge_into);
  for (auto& [row, call_sites] : groups) row.call_site = name_of_group(row.phase, row.module, row.op);
  return groups;
}

void add_op_impact(queries::OpRow& into, const queries::OpRow& row) {
  if (!row.loss_impact) return;
  if (into.loss_impact) add_steps(into.impact_by_step, row.impact_by_step);
  if (!into.loss_impact) into.impact_by_step = row.impact_by_step;
  if (row.loss_impact_size) {
    into.loss_impact_size = in_quadrature(into.loss_impact_size.value_or(0.0), *row.loss_impact_size);
  }
  into.loss_impact_is_signed = into.loss_impact_is_signed || row.loss_impact_is_signed;
  into.impact_squares.add(row.impact_squares);
  into.loss_impact_rms = into.loss_impact ? std::nullopt : row.loss_impact_rms;
  into.loss_impact = into.loss_impact.value_or(0.0) + *row.loss_impact;
}

void add_gradient_impact(queries::OpRow& into, const queries::OpRow& row) {
  if (!row.gradient_impact) return;
  if (row.gradient_impact_size) {
    into.gradient_impact_size = in_quadrature(into.gradient_impact_size.value_or(0.0), *row.gradient_impact_size);
  }
  if (row.gradient_impact_share) {
    into.gradient_impact_share = into.gradient_impact_share.value_or(0.0) + *row.gradient_impact_share;
  }
  into.gradient_impact_is_ranking_only = into.gradient_impact_is_ranking_only || row.gradient_impact_is_ranking_only;
  into.gradient_impact = into.gradient_impact.value_or(0.0) + *row.gradient_impact;
}

void merge_use(queries::GpuActivityUse& into, const queries::GpuActivityUse& use) {
  saturating_add(into.count, use.count);
  into.gpu_us += use.gpu_us;
  saturating_add(into.bytes, use.bytes);
}

void merge_activities(queries::OpRow& into, const queries::OpRow& row) {
  if (row.gpu_us) into.gpu_us = into.gpu_us.value_or(0.0) + *row.gpu_us;
  for (const queries::GpuActivityUse& use : row.activities) {
    const auto same = [&](const queries::GpuActivityUse& other) {
      return other.name == use.name && other.kind == use.kind;
    };
    const auto known = std::ranges::find_if(into.activities, same);
    known == into.activities.end() ? into.activities.push_back(use) : merge_use(*known, use);
  }
}

void merge_op(queries::OpRow& into, const queries::OpRow& row) {
  keep_common_site(into, row);
  keep_common(into.signature, row.signature, "");
  keep_common(into.dtype_in, row.dtype_in);
  keep_common(into.dtype_out, row.dtype_out);
  if (into.scale != row.scale) into.scale = std::nullopt;
  const bool unexpected = has_unexpected_nonfinite(into) || has_unexpected_nonfinite(row);
  into.nonfinite_expected = (into.nonfinite_expected || row.nonfinite_expected) && !unexpected;
  saturating_add(into.calls, row.calls);
  into.cpu_us += row.cpu_us;
  merge_activities(into, row);
  saturating_add(into.cast_bytes, row.cast_bytes);
  merge_optional(into.local, row.local);
  merge_optional(into.ranges, row.ranges);
  merge_optional(into.inherited, row.inherited);
  merge_optional(into.exponents, row.exponents);
  merge_optional(into.inherited_exponents, row.inherited_exponents);
  add_op_impact(into, row);
  add_gradient_impact(into, row);
}

void merge_cast(queries::CastRow& into, const queries::CastRow& row) {
  keep_common_site(into, row);
  saturating_add(into.total.casts, row.total.casts);
  saturating_add(into.total.cache_hits, row.total.cache_hits);
  saturating_add(into.total.bytes, row.total.bytes);
  saturating_add(into.total.duration_ns, row.total.duration_ns);
  saturating_add(into.total.rounded_twice, row.total.rounded_twice);
}

void merge_activity(queries::GpuActivityRow& into, const queries::GpuActivityRow& row) {
  keep_common_site(into, row);
  merge_use(into.use, row.use);
}

void merge_impact(queries::ImpactRow& into, const queries::ImpactRow& row) {
  keep_common_site(into, row);
  analysis::add_impact(into, row);
}

void merge_gap(queries::GapRow& into, const queries::GapRow& row) {
  keep_common_site(into, row);
  saturating_add(into.gaps, row.gaps);
  into.idle_us += row.idle_us;
  into.unlaunched_us =
      into.unlaunched_us && row.unlaunched_us ? std::optional(*into.unlaunched_us + *row.unlaunched_us) : std::nullopt;
  if (row.longest_us <= into.longest_us) return;
  into.longest_us = row.longest_us;
  into.longest_step = row.longest_step;
}

/// Returns the phase that a call site's name begins with; empty for forward, which has no prefix.
std::optional<Phase> phase_in(const std::string& name) {
  for (const Phase phase : kPhases) {
    if (phase != Phase::Forward && name.starts_with(std::string(name_of(phase)) + ' ')) return phase;
  }
  return std::nullopt;
}

/// Splits "conv1.weight" into the module "conv1" and "weight", which takes the role of the op.
void part_name_of_parameter(queries::ImpactRow& row) {
  const auto dot = row.name.rfind('.');
  row.module = dot == std::string::npos ? "" : row.name.substr(0, dot);
  row.op = row.name.substr(dot == std::string::npos ? 0 : dot + 1);
}

void name_parameters(queries::ImpactRow& row) {
  row.name = row.module + (row.module.empty() ? "" : ".") + row.op;
  row.module = row.op = "";
}

}  // namespace

std::string class_of(std::string_view module) { return advice::without_numbers(std::string(module)); }

std::vector<Group<queries::OpRow>> grouped(std::vector<queries::OpRow> ops, const std::optional<Grouping>& grouping,
                                           Sizes sizes) {
  const auto sizes_of = [&](const queries::OpRow& op) {
    return sizes == Sizes::Apart ? std::tuple(op.op, op.signature, op.dtype_in, op.dtype_out)
                                 : std::tuple<std::string, std::string, DType, DType>();
  };
  return by_place(std::move(ops), grouping, sizes_of, merge_op);
}

std::vector<std::size_t> group_indices(const std::vector<queries::OpRow>& ops, GroupBy by) {
  std::vector<std::size_t> in_groups;
  std::map<Place, std::size_t> places;
  for (const queries::OpRow& op : ops) {
    const std::string module = by == GroupBy::Class ? class_of(op.module) : op.module;
    const Place place = place_of(by, op.run, op.phase, module, op.op);
    in_groups.push_back(places.try_emplace(place, places.size()).first->second);
  }
  return in_groups;
}

std::vector<Group<queries::CastRow>> grouped(std::vector<queries::CastRow> casts,
                                             const std::optional<Grouping>& grouping) {
  const auto types_of = [](const queries::CastRow& row) { return std::pair(row.total.from, row.total.to); };
  return by_place(std::move(casts), grouping, types_of, merge_cast);
}

std::vector<Group<queries::GapRow>> grouped(std::vector<queries::GapRow> gaps,
                                            const std::optional<Grouping>& grouping) {
  const auto nothing = [](const queries::GapRow&) { return std::tuple(); };
  return by_place(std::move(gaps), grouping, nothing, merge_gap);
}

std::vector<Group<queries::GpuActivityRow>> grouped(std::vector<queries::GpuActivityRow> activities,
                                                    const std::optional<Grouping>& grouping, const SiteFilter& filter) {
  if (!filter.is_open()) {
    std::erase_if(activities, [&](const queries::GpuActivityRow& row) {
      return !filter.lets_through(row.phase, row.module, row.op);
    });
  }
  std::ranges::stable_sort(activities, std::greater(),
                           [](const queries::GpuActivityRow& row) { return row.use.gpu_us; });
  const auto key_of = [&](const queries::GpuActivityRow& row) {
    const std::string module = grouping && grouping->by == GroupBy::Class ? class_of(row.module) : row.module;
    const Place place =
        grouping ? place_of(grouping->by, row.run, row.phase, module, row.op) : Place(row.run, row.phase, "", "");
    return std::tuple(place, row.use.name, row.use.kind);
  };
  return gathered(std::move(activities), key_of, merge_activity);
}

std::vector<Group<queries::ImpactRow>> grouped(std::vector<queries::ImpactRow> impacts,
                                               const std::optional<Grouping>& grouping) {
  if (!grouping) return each_alone(std::move(impacts));
  std::erase_if(impacts, [&](const queries::ImpactRow& row) {
    return !grouping->filter.lets_through(std::nullopt, row.module, row.op);
  });
  for (queries::ImpactRow& row : impacts) {
    if (row.source == ImpactSource::Parameter) part_name_of_parameter(row);
    if (grouping->by == GroupBy::Class) row.module = class_of(row.module);
  }
  const auto key_of = [&](const queries::ImpactRow& row) {
    return std::tuple(place_of(grouping->by, row.run, phase_in(row.name), row.module, row.op), row.loss_id, row.source);
  };
  auto groups = gathered(std::move(impacts), key_of, merge_impact);
  for (auto& [row, call_sites] : groups) {
    if (row.source == ImpactSource::Parameter) {
      name_parameters(row);
    } else {
      row.name = name_of_group(phase_in(row.name), row.module, row.op);
    }
  }
  return groups;
}

void add_impact(queries::ImpactRow& into, const queries::ImpactRow& row) {
  into.steps = std::max(into.steps, row.steps);
  into.calls = std::max(into.calls, row.calls);
  into.called_steps = std::max(into.called_steps, row.called_steps);
  saturating_add(into.gaps, row.gaps);
  if (into.gap == ImpactGap::None) into.gap = row.gap;
  if (!row.impact) return;
  if (!into.impact) {
    into.impact = row.impact;
    into.impact_rms = row.impact_rms;
    into.standard_error = row.standard_error;
    into.squares = row.squares;
    into.self_check = row.self_check;
    into.is_signed = row.is_signed;
    into.gradient = row.gradient;
    into.by_step = row.by_step;
    return;
  }
  *into.impact += *row.impact;
  into.squares.add(row.squares);
  into.is_signed = into.is_signed || row.is_signed;
  add_steps(into.by_step, row.by_step);
  into.impact_rms = rms_change_of(into.by_step);
  into.self_check = self_check_of(into.by_step);
  into.standard_error = into.standard_error && row.standard_error
                            ? std::optional(in_quadrature(*into.standard_error, *row.standard_error))
                            : std::nullopt;
}

}  // namespace ampprof::analysis
