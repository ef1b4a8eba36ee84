// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include "reports/queries/rows.h"
#include "reports/records/saturating_add.h"

namespace ampprof {
namespace {

constexpr const char* kCalls =
    "SELECT segment, call_site, signature, dtype_in, dtype_out, duration_ns, cast_bytes, scale, pairs, excluded, "
    "flushed, max_abs, max_ulp, sum_ulp, sum_sq_error, sum_sq_reference, sum_sq_output, sum_product, elements, "
    "nonfinite, amax, smallest, reference_amax, rounds_to_inf, subnormal, rounds_to_zero, exponents, "
    "nonfinite_expected, inherited_pairs, inherited_excluded, inherited_flushed, inherited_max_abs, inherited_max_ulp, "
    "inherited_sum_ulp, inherited_sum_sq_error, inherited_sum_sq_reference, inherited_sum_sq_output, "
    "inherited_sum_product, inherited_exponents "
    "FROM op_call WHERE run = ? ORDER BY id";

std::optional<ErrorStats> read_error(Statement& row) {
  if (row.at_null()) {
    row.skip(10);
    return std::nullopt;
  }
  return ErrorStats{.count = row.integer(),
                    .excluded = row.integer(),
                    .flushed = row.integer(),
                    .max_abs = row.real(),
                    .max_ulp = row.real(),
                    .sum_ulp = row.real(),
                    .sum_sq_error = row.real(),
                    .sum_sq_reference = row.real(),
                    .sum_sq_output = row.real(),
                    .sum_product = row.real()};
}

std::optional<RangeStats> read_ranges(Statement& row) {
  if (row.at_null()) {
    row.skip(8);
    return std::nullopt;
  }
  return RangeStats{.count = row.integer(),
                    .nonfinite = row.integer(),
                    .amax = row.real(),
                    .smallest = row.optional_real().value_or(0.0),
                    .reference_amax = row.real(),
                    .rounds_to_inf = row.integer(),
                    .subnormal = row.integer(),
                    .rounds_to_zero = row.integer()};
}

OpCall read_call(Statement& row) {
  OpCall call;
  call.segment = row.integer();
  call.call_site = row.integer();
  call.signature = row.integer();
  call.dtype_in = dtype_from_number(row.integer());
  call.dtype_out = dtype_from_number(row.integer());
  call.duration_ns = row.integer();
  call.cast_bytes = row.integer();
  call.scale = row.optional_real();
  call.local = read_error(row);
  call.ranges = read_ranges(row);
  call.exponents = row.blob();
  call.nonfinite_expected = row.flag();
  call.inherited = read_error(row);
  call.inherited_exponents = row.blob();
  return call;
}

template <typename Stats>
void merge(std::optional<Stats>& into, const std::optional<Stats>& part) {
  if (into && part) {
    into->merge(*part);
  } else if (part) {
    into = part;
  }
}

void merge_exponents(std::optional<ExponentHistogram>& into, std::string_view bytes) {
  if (!bytes.empty()) merge(into, unpack_exponents(bytes));
}

/// What the calls at one place in the step come to.
class Pool {
 public:
  void add(const OpCall& call) {
    total_.calls += 1;
    total_.cpu_us += static_cast<double>(call.duration_ns) / 1e3;
    saturating_add(total_.cast_bytes, call.cast_bytes);
    merge(total_.local, call.local);
    merge(total_.ranges, call.ranges);
    merge(total_.inherited, call.inherited);
    merge_exponents(total_.exponents, call.exponents);
    merge_exponents(total_.inherited_exponents, call.inherited_exponents);
    unexpected_ = unexpected_ || (call.ranges && call.ranges->nonfinite > 0 && !call.nonfinite_expected);
    total_.nonfinite_expected = total_.nonfinite_expected || call.nonfinite_expected;
    if (call.scale) total_.scale = call.scale;
    ++variants_[{call.signature, call.dtype_in, call.dtype_out}];
  }

  /// The sums; shapes and types are those of the most frequent variant, of equals the earlier interned.
  OpRow row(const std::unordered_map<std::int64_t, std::string>& signatures) const {
    const auto fewer_calls = [](const auto& a, const auto& b) { return a.second < b.second; };
    const auto& [signature, in, out] = std::max_element(variants_.begin(), variants_.end(), fewer_calls)->first;
    OpRow row = total_;
    if (const auto text = signatures.find(signature); text != signatures.end()) row.signature = text->second;
    row.dtype_in = in;
    row.dtype_out = out;
    row.nonfinite_expected = row.nonfinite_expected && !unexpected_;
    return row;
  }

 private:
  OpRow total_;
  bool unexpected_ = false;  ///< a call had a NaN or inf that was not expected
  std::map<std::tuple<std::int64_t, DType, DType>, std::int64_t> variants_;  // to number of calls
};

std::unordered_map<std::int64_t, std::int32_t> positions_of(Database& database, std::int64_t run) {
  Statement rows(database, "SELECT id, position FROM segment WHERE run = ? AND position <> 0");
  rows.put(run);
  std::unordered_map<std::int64_t, std::int32_t> positions;
  while (rows.next()) {
    const std::int64_t id = rows.integer();
    positions[id] = static_cast<std::int32_t>(rows.integer());
  }
  return positions;
}

std::map<SiteInStep, Pool> pools_of(Database& database, std::int64_t run) {
  const auto positions = positions_of(database, run);
  std::map<SiteInStep, Pool> pools;
  Statement rows(database, kCalls);
  rows.put(run);
  while (rows.next()) {
    const OpCall call = read_call(rows);
    const auto position = positions.find(call.segment);
    pools[{call.call_site, position == positions.end() ? 0 : position->second}].add(call);
  }
  return pools;
}

void add_site(const CallSites& sites, OpRow& row) {
  const auto found = sites.find(row.call_site_id);
  if (found == sites.end()) return;
  const CallSite& site = found->second;
  row.phase = site.phase;
  row.module = site.module;
  row.op = site.op;
  row.ordinal = site.ordinal;
  row.source = site.source;
}

/// The impacts of the losses of one place, added up.
void add_impact(OpRow& row, const ImpactRow& impact) {
  if (!impact.impact) return;
  row.loss_impact = row.loss_impact.value_or(0.0) + *impact.impact;
  row.loss_impact_rms = std::hypot(row.loss_impact_rms.value_or(0.0), impact.impact_rms.value_or(0.0));
}

void add_ops_of(Database& database, const RunName& run, std::vector<OpRow>& rows) {
  const CallSites sites = call_sites_of(database, run.id);
  const auto signatures = signatures_of(database, run.id);
  const auto pools = pools_of(database, run.id);

  std::vector<SiteInStep> places;
  for (const auto& [place, pool] : pools) places.push_back(place);
  const CallSiteNames names(sites, places);
  std::map<SiteInStep, std::vector<ImpactRow>> impacts;
  for (ImpactRow& impact : impact_rows(database, run.id)) {
    impacts[{impact.call_site_id, impact.position}].push_back(std::move(impact));
  }
  for (const auto& [place, pool] : pools) {
    OpRow& row = rows.emplace_back(pool.row(signatures));
    row.run = run.id;
    row.level = run.level;
    row.call_site_id = place.first;
    row.position = place.second;
    row.call_site = names.name(place);
    add_site(sites, row);
    for (const ImpactRow& impact : impacts[place]) add_impact(row, impact);
  }
}

}  // namespace

// Pooled here and not by GROUP BY: SQLite would sort every call with all its columns first, which takes twice the time
// and, for a million calls, 200 MB.
std::vector<OpRow> op_rows(Database& database, RunFilter run) {
  std::vector<OpRow> rows;
  for (const RunName& name : runs_named(database, run)) add_ops_of(database, name, rows);
  return rows;
}

}  // namespace ampprof
