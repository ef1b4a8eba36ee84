// SPDX-License-Identifier: Apache-2.0
#include "profiler/calls/signature_ids.h"

#include <iterator>

#include "reports/records/op_call.h"

namespace ampprof::profiler {

SignatureIds::Found SignatureIds::look_up(std::uint64_t hash, std::int64_t& known) {
  if (std::ssize(ids_) >= kMost && !ids_.contains(hash)) return {kOtherShapes, false};
  const auto [place, is_new] = ids_.try_emplace(hash, std::ssize(ids_) + 1);
  known = place->second;
  return {known, is_new};
}

}  // namespace ampprof::profiler
