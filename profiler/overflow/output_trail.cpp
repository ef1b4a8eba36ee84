// SPDX-License-Identifier: Apache-2.0
#include "profiler/overflow/output_trail.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cstddef>
#include <set>

#include "precision/tensors/dtype_of.h"
#include "precision/tensors/measure.h"
#include "precision/tensors/observer_disabled_guard.h"
#include "precision/tensors/plain_memory.h"
#include "profiler/calls/call.h"
#include "profiler/overflow/nonfinite_cause.h"
#include "profiler/overflow/nonfinite_memory.h"

namespace ampprof::profiler {
namespace {

bool can_be_looked_at(const at::Tensor& tensor) {
  return tensors::has_plain_memory(tensor) && tensor.is_floating_point() && tensor.is_cpu() && !tensor.is_inference();
}

}  // namespace

at::Tensor OutputTrail::Seen::alive() const {
  at::Tensor alive(tensor.lock());
  if (alive.defined() && alive._version() != version) alive.reset();
  return alive;
}

std::vector<OutputTrail::Seen> OutputTrail::seen_in(c10::ArrayRef<c10::IValue> values) {
  std::vector<Seen> seen;
  for_each_tensor(values, [&](const at::Tensor& tensor) {
    if (!can_be_looked_at(tensor)) return;
    seen.push_back({.memory = NonfiniteMemory::of(*tensor.unsafeGetTensorImpl()),
                    .tensor = decltype(Seen::tensor)(tensor.getIntrusivePtr()),
                    .version = static_cast<std::uint32_t>(tensor._version())});
  });
  return seen;
}

std::optional<std::size_t> OutputTrail::begin(std::int64_t segment, c10::ArrayRef<c10::IValue> arguments) {
  if (segment != segment_) forget();
  segment_ = segment;
  if (calls_.size() >= kMostCalls) return std::nullopt;
  calls_.push_back({.arguments = seen_in(arguments)});
  return calls_.size() - 1;
}

void OutputTrail::end(std::size_t call, const Maker& maker, c10::ArrayRef<c10::IValue> results) {
  if (call >= calls_.size()) return;
  calls_[call].maker = maker;
  calls_[call].results = seen_in(results);
}

void OutputTrail::forget() { calls_.clear(); }

std::optional<OutputTrail::Found> OutputTrail::first_nonfinite(std::int64_t segment) const {
  if (segment != segment_) return std::nullopt;
  const tensors::ObserverDisabledGuard guard;
  const auto last = first_result();
  if (!last) return std::nullopt;
  const std::size_t gave_it =
      computed_in(NonfiniteMemory::of(*last->result.unsafeGetTensorImpl()), last->call + 1).value_or(last->call);
  std::set<std::size_t> visited;
  return facts_of(origin_of(gave_it, last->result, visited));
}

OutputTrail::Origin OutputTrail::origin_of(std::size_t call, const at::Tensor& result,
                                           std::set<std::size_t>& visited) const {
  constexpr std::size_t kLongestWay = 4096;  // limit of the path's length, which bounds the recursion depth
  Origin origin{.call = call, .result = result};
  for (const Seen& seen : calls_[call].arguments) {
    const at::Tensor argument = seen.alive();
    const bool is_finite = argument.defined() && tensors::is_finite(argument);
    if (is_finite) continue;
    const auto earlier = computed_in(seen.memory, call);
    if (!earlier && argument.defined()) return {.call = call, .result = result, .is_certain = true, .is_outside = true};
    if (!earlier || visited.size() >= kLongestWay || !visited.insert(*earlier).second) continue;
    if (argument.defined() && writes_number(calls_[*earlier].maker.op->name)) {
      return {.call = call, .result = result, .is_certain = true, .takes_mask = true};
    }
    // The values of a freed argument cannot be checked, so it does not make the origin certain.
    Origin found = origin_of(*earlier, argument, visited);
    found.is_certain = found.is_certain || argument.defined();
    if (found.is_certain) return found;
    if (origin.call == call) origin = found;
  }
  return origin;
}

std::optional<OutputTrail::Nonfinite> OutputTrail::first_result() const {
  std::optional<Nonfinite> first_mask;
  for (std::size_t call = 0; call < calls_.size(); ++call) {
    if (calls_[call].maker.op == nullptr || calls_[call].maker.op->leaves_memory_unset) continue;
    for (const Seen& seen : calls_[call].results) {
      const at::Tensor result = seen.alive();
      if (!result.defined() || tensors::is_finite(result)) continue;
      const error::OutputStatistics values = tensors::measure(result, at::Tensor());
      if (values.ranges.nonfinite > values.minus_infinite) return Nonfinite{call, result};
      if (values.minus_infinite > 0 && !first_mask) first_mask = Nonfinite{call, result};
    }
  }
  return first_mask;
}

std::optional<std::size_t> OutputTrail::computed_in(const void* memory, std::size_t calls) const {
  std::optional<std::size_t> last;
  for (std::size_t call = calls; call-- > 0;) {
    if (std::ranges::find(calls_[call].results, memory, &Seen::memory) == calls_[call].results.end()) continue;
    last = call;
    if (!calls_[call].maker.op->may_be_view) break;
  }
  return last;
}

OutputTrail::Found OutputTrail::facts_of(const Origin& origin) const {
  const Of& call = calls_[origin.call];
  Found found{.maker = call.maker, .takes_outside = origin.is_outside, .takes_mask = origin.takes_mask};
  found.nth =
      std::count_if(calls_.begin(), calls_.begin() + static_cast<std::ptrdiff_t>(origin.call), [&](const Of& earlier) {
        return earlier.maker.op == call.maker.op && earlier.maker.module == call.maker.module;
      });
  if (origin.result.defined()) {
    found.type = tensors::dtype_of(origin.result);
    found.gives_nan = at::isnan(origin.result).any().item<bool>();
  }
  bool are_alive = true, has_zero = false;
  for (const Seen& seen : call.arguments) {
    const at::Tensor argument = seen.alive();
    are_alive = are_alive && argument.defined();
    has_zero = has_zero || (argument.defined() && at::eq(argument, 0).any().item<bool>());
  }
  if (are_alive || has_zero) found.takes_zero = has_zero;
  return found;
}

}  // namespace ampprof::profiler
