// SPDX-License-Identifier: Apache-2.0
#include "reports/queries/first_to_diverge.h"

#include <tuple>

namespace ampprof {
namespace {

bool diverges(const OpRow& op, double threshold) { return op.inherited && !(op.inherited->relative_l2() < threshold); }

// Call sites are numbered as they are first met. One that first runs in a later step comes after those of the first,
// so the phase goes before the number.
auto place_in_step(const OpRow& op) {
  return std::tuple(op.phase == Phase::Inference, op.position, op.phase, op.call_site_id);
}

}  // namespace

std::optional<OpRow> first_to_diverge(const std::vector<OpRow>& ops, std::int64_t run, double threshold) {
  const OpRow* first = nullptr;
  for (const OpRow& op : ops) {
    if (op.run != run || !diverges(op, threshold)) continue;
    if (first == nullptr || place_in_step(op) < place_in_step(*first)) first = &op;
  }
  return first == nullptr ? std::nullopt : std::optional(*first);
}

}  // namespace ampprof
