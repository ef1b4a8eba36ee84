// SPDX-License-Identifier: Apache-2.0
#include "profiler/stages/all_reduce_sketches.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "precision/sketch/sketch.h"
#include "precision/tensors/sketch_of.h"
#include "precision/torch_hooks/tensor_memory.h"
#include "profiler/recorder/recorder.h"

namespace ampprof::profiler {
namespace {

bool can_be_sketched(const at::Tensor& tensor) {
  return tensors::has_sums(tensor) && tensor.is_cpu() && !tensor.is_inference();
}

bool sums_up(const CollectiveCall& call) { return call.reduction == "sum" || call.reduction == "avg"; }

}  // namespace

bool AllReduceSketches::put_in(const CollectiveCall& call, const std::vector<at::Tensor>& tensors) {
  if (!sums_up(call) || tensors.empty() || !std::ranges::all_of(tensors, can_be_sketched)) return false;
  record(call.segment, call.call_site, /*is_result=*/false, tensors);
  return true;
}

std::function<void()> AllReduceSketches::await(const CollectiveCall& call, const std::vector<at::Tensor>& tensors) {
  Awaited awaited{.segment = call.segment,
                  .call_site = call.call_site,
                  .tensors = {},
                  .versions = {},
                  .has_come = std::make_shared<std::atomic<bool>>(false)};
  for (const at::Tensor& tensor : tensors) {
    awaited.tensors.emplace_back(tensor.getIntrusivePtr());
    awaited.versions.push_back(torch_hooks::version_of(tensor));
  }
  auto comes = [state = state_, has_come = awaited.has_come] {
    has_come->store(true, std::memory_order_release);
    state->came.fetch_add(1, std::memory_order_release);
  };
  const std::lock_guard lock(state_->mutex);
  state_->awaited.push_back(std::move(awaited));
  return comes;
}

// Another thread that has come here waits, so that its op does not write to a result that is being read.
void AllReduceSketches::take_those_that_came() {
  const std::lock_guard lock(state_->mutex);
  std::vector<Awaited>& awaited = state_->awaited;
  const auto first =
      std::stable_partition(awaited.begin(), awaited.end(), [](const Awaited& each) { return !each.has_come->load(); });
  const std::vector<Awaited> came(std::make_move_iterator(first), std::make_move_iterator(awaited.end()));
  awaited.erase(first, awaited.end());
  state_->came.fetch_sub(static_cast<int>(came.size()));
  for (const Awaited& each : came) record(each);
}

void AllReduceSketches::record(const Awaited& awaited) {
  std::vector<at::Tensor> results;
  for (std::size_t i = 0; i < awaited.tensors.size(); ++i) {
    at::Tensor& result = results.emplace_back(awaited.tensors[i].lock());
    if (!result.defined() || torch_hooks::version_of(result) != awaited.versions[i]) return;
  }
  record(awaited.segment, awaited.call_site, /*is_result=*/true, results);
}

void AllReduceSketches::record(std::int64_t segment, std::int64_t call_site, bool is_result,
                               const std::vector<at::Tensor>& values) {
  CollectiveSketch row{.is_result = is_result, .sketch = {}};
  const std::vector<std::uint64_t> places = tensors::places_of(values);
  for (std::size_t i = 0; i < values.size(); ++i) {
    sketch::merge(row.sketch, tensors::sketch_of(values[i], places[i]));
  }
  row.sketch.segment = segment;
  row.sketch.call_site = call_site;
  recorder_.add([&](Batch& batch) { batch.collective_sketches.push_back(row); });
}

}  // namespace ampprof::profiler
