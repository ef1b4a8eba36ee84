// SPDX-License-Identifier: Apache-2.0
#include "profiler/attach/call_access.h"

#include <algorithm>
#include <map>

#include "precision/replay/attention/fused_attention.h"
#include "precision/replay/reference/arguments.h"
#include "precision/tensors/device_memory_budget.h"
#include "precision/tensors/plain_memory.h"
#include "profiler/calls/signatures.h"
#include "profiler/observer/op_calls.h"
#include "profiler/observer/session_core.h"
#include "profiler/recorder/missing_notes.h"

namespace ampprof::profiler {
namespace {

using BytesOnGpus = std::map<c10::DeviceIndex, std::int64_t>;

// Added to each GPU's bytes: the allocator takes segments of 2 and 20 MB for small tensors, and ops need workspace.
constexpr std::int64_t kAllocatorSlackBytes = std::int64_t{24} << 20;
constexpr std::int64_t kScoreMatrices = 6;  // score matrices in the reference: scores, weights, intermediate results
constexpr std::int64_t kBytesOfElement = sizeof(double);  // FP64, or FP32 with a copy in another layout

bool converts_all(const recording::Options& options) {
  return !options.what_if.empty() || options.inherited || options.reference == recording::ReferenceMode::Double;
}

/// Returns an upper bound in bytes, per GPU, for the copies that replays make of these tensors. Each replay copies
/// tensors that it converts, and tensors without dense memory.
BytesOnGpus bytes_of_copies(const SessionCore& core, c10::ArrayRef<c10::IValue> a, c10::ArrayRef<c10::IValue> b) {
  const auto copies = std::max<std::int64_t>(static_cast<std::int64_t>(core.replays.size()), 1);
  const bool is_converted = converts_all(core.options) || reference::any_reduced(a) || reference::any_reduced(b);
  BytesOnGpus bytes;
  for (const c10::ArrayRef<c10::IValue> values : {a, b}) {
    for_each_tensor(values, [&](const at::Tensor& tensor) {
      if (!tensor.is_cuda()) return;
      std::int64_t& of_gpu = bytes.try_emplace(tensor.get_device(), kAllocatorSlackBytes).first->second;
      const bool is_copied = is_converted ? reference::is_floating(tensor) : !tensor.is_non_overlapping_and_dense();
      if (is_copied) of_gpu += tensor.numel() * kBytesOfElement * copies;
    });
  }
  return bytes;
}

void hide_from_stages(SessionCore& core, Call& call) {
  call.access.has_memory_budget = call.has_replays = false;
  // The values of GradScaler's ops are read anyway, because they decide where a step ends.
  call.access.is_readable = call.info.unscales || call.info.updates_scale;
  core.missing.note("values of op calls", "the GPU had too little free memory for ampprof's copies",
                    "use a smaller batch: ampprof takes at most half of the free memory");
  if (!core.replays.have_steps()) return;
  core.replays.restart_lost();
  core.missing.note("accumulated error", "the GPU had too little free memory for the values of the shadow",
                    "the accumulated error restarts at these calls; a smaller batch leaves more memory");
}

void check_memory_budget(SessionCore& core, Call& call, const BytesOnGpus& bytes) {
  const bool is_there = std::ranges::all_of(
      bytes, [&](const auto& of_gpu) { return core.memory_budget->holds(of_gpu.first, of_gpu.second); });
  if (!is_there) hide_from_stages(core, call);
}

/// Adds the memory that the reference of a fused attention kernel needs. The reference runs as separate ops and stores
/// score matrices, which the kernel does not.
void add_scores(const SessionCore& core, const Call& call, c10::ArrayRef<c10::IValue> arguments, BytesOnGpus& bytes) {
  const bool is_attention = call.op.operator_name().name.find("scaled_dot_product") != std::string::npos;
  if (!is_attention || !(core.replays.have_recipes() || reference::any_reduced(arguments))) return;
  const std::int64_t elements = attention::elements_of_scores(call.op.schema(), arguments);
  for (auto& [gpu, of_gpu] : bytes) of_gpu += elements * kBytesOfElement * kScoreMatrices;
}

bool shares_memory(const Call& call) {
  bool shares = false;
  for_each_tensor(call.saved.arguments, [&](const at::Tensor& argument) {
    for_each_tensor(call.results(), [&](const at::Tensor& result) {
      shares = shares || (argument.has_storage() && result.has_storage() && result.is_alias_of(argument));
    });
  });
  return shares;
}

bool may_compute_nothing(const Call& call) { return call.info.may_be_view && !call.info.writes_first; }

}  // namespace

void check_memory_budget(SessionCore& core, Call& call) {
  if (core.gpu.is_awaited()) return;  // the program has used no GPU yet
  if (!call.access.is_readable || may_compute_nothing(call)) return;
  BytesOnGpus bytes = bytes_of_copies(core, call.arguments(), {});
  add_scores(core, call, call.arguments(), bytes);
  check_memory_budget(core, call, bytes);
}

void check_memory_budget_of_results(SessionCore& core, Call& call) {
  if (core.gpu.is_awaited()) return;
  if (!call.access.is_readable || !call.access.has_memory_budget || (may_compute_nothing(call) && shares_memory(call)))
    return;
  check_memory_budget(core, call, bytes_of_copies(core, call.saved.arguments, call.results()));
}

void check_readability_of_results(SessionCore& core, Call& call) {
  // A factory function without a device argument may create a tensor on a GPU, which only the result shows.
  const bool may_be_captured = call.access.is_readable && !call.access.is_on_gpu && !core.gpu.is_awaited();
  if (may_be_captured && is_captured(call.results())) note_captured(core.missing, call);
  for_each_tensor(call.results(), [&](const at::Tensor& tensor) {
    call.access.is_readable = call.access.is_readable && tensors::kind_of_wrapper(tensor).empty();
    if (!call.access.has_async_host_copy || !tensor.is_cpu()) return;
    call.access.is_readable = false;
    core.missing.note("values of op calls", "asynchronous copies to the host",
                      "the copies are counted and timed; see the values of the tensor on the GPU");
  });
}

}  // namespace ampprof::profiler
