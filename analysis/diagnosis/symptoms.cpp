// SPDX-License-Identifier: Apache-2.0
#include "analysis/diagnosis/symptoms.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "analysis/ranks/report_rows.h"
#include "reports/text/elide.h"

namespace ampprof::analysis {
namespace {

template <class Row>
std::vector<const Row*> of_run(const std::vector<Row>& rows, std::int64_t run) {
  std::vector<const Row*> own;
  for (const Row& row : rows) {
    if (row.run == run) own.push_back(&row);
  }
  return own;
}

}  // namespace

std::string_view name_of(Confidence confidence) {
  constexpr std::string_view kNames[] = {"possible", "likely", "certain"};
  return kNames[static_cast<std::size_t>(confidence)];
}

Symptoms::Symptoms(const ReportRows& all, const queries::RunRow& of)
    : rows(all),
      run(of),
      ops(of_run(all.ops, of.run)),
      events(of_run(all.events, of.run)),
      scales(of_run(all.scales, of.run)),
      losses(of_run(all.losses, of.run)),
      stale_casts(of_run(all.stale_casts, of.run)),
      drifts(of_run(all.drifts, of.run)),
      decisions(of_run(all.decisions, of.run)),
      gradients(of_run(all.gradients, of.run)),
      updates(of_run(all.updates, of.run)),
      groups(event_groups(*this)) {}

const queries::OpRow* Symptoms::op_at(std::string_view call_site) const {
  const auto op = std::ranges::find(ops, call_site, [](const queries::OpRow* each) { return each->call_site; });
  return op == ops.end() ? nullptr : *op;
}

const queries::MissingRow* Symptoms::noted(std::string_view what) const {
  const auto note = std::ranges::find_if(
      rows.missing, [&](const queries::MissingRow& row) { return row.run == run.run && row.missing.what == what; });
  return note == rows.missing.end() ? nullptr : &*note;
}

double Symptoms::loss_size() const {
  return std::max(std::abs(run.first_loss_mean.value_or(0.0)), std::abs(run.last_loss_mean.value_or(0.0)));
}

double Symptoms::steps() const { return std::max(1.0, static_cast<double>(run.steps)); }

std::string at_line(std::string_view source) { return source.empty() ? "" : " at " + text::short_source(source); }

std::string in_module(std::string_view module) { return module.empty() ? "" : " in " + std::string(module); }

bool is_cast(std::string_view op) {
  constexpr auto kCasts = std::to_array<std::string_view>({"to", "_to_copy", "type_as"});
  return std::ranges::find(kCasts, op.substr(0, op.find('.'))) != kCasts.end();
}

}  // namespace ampprof::analysis
