// SPDX-License-Identifier: Apache-2.0
#include "profiler/observer/parameter_checks.h"

#include <ATen/ATen.h>
#include <c10/util/FunctionRef.h>

#include <algorithm>
#include <iterator>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>

#include "precision/tensors/capture.h"
#include "precision/tensors/deferred_reductions.h"
#include "precision/tensors/device_memory_budget.h"
#include "precision/tensors/observer_disabled_guard.h"
#include "precision/tensors/plain_memory.h"
#include "precision/tensors/sketch_of.h"
#include "profiler/observer/session_core.h"

namespace ampprof::profiler {
namespace {

struct NamedParameter {
  std::string name;
  at::Tensor tensor;
};

/// The reason why a parameter is not checked, as a row of `missing`.
struct WhyUnchecked {
  const char* what;
  const char* cause;
  const char* remedy;
};

constexpr const char* kSharded = "parameters that are sharded";
constexpr const char* kUnchecked = "checksums of parameters";
constexpr const char* kByDesign = "each rank holds its own part by design, so there is nothing to compare";

constexpr WhyUnchecked kOfFsdp{kSharded, "FSDP gives each rank a part of them", kByDesign};
constexpr WhyUnchecked kOfPython{
    kSharded, "they are tensors of a Python class such as DTensor, of which each rank may hold a part", kByDesign};
constexpr WhyUnchecked kWithoutMemory{kUnchecked, "their values are not in dense, strided memory of their own",
                                      "none: only the program can read them"};
constexpr WhyUnchecked kWithoutKernel{kUnchecked, "ampprof has no kernel for their device",
                                      "run on the CPU, or on a GPU with an ampprof that was built with CUDA"};
constexpr WhyUnchecked kCaptured{kUnchecked, "the end of their step was captured into a CUDA graph",
                                 "run the program without capture"};
constexpr WhyUnchecked kWithoutRoom{kUnchecked, "the GPU had too little free memory for contiguous copies of them",
                                    "use a smaller batch, which leaves more memory"};

/// Returns whether the name contains FSDP's wrapper or flat parameter. With `use_orig_params` names contain only the
/// wrapper.
bool is_of_fsdp(std::string_view name) {
  return name.find("_fsdp_wrapped_module") != std::string_view::npos ||
         name.find("_flat_param") != std::string_view::npos;
}

bool has_room_in_order(SessionCore& core, const at::Tensor& tensor) {
  if (tensor.is_cpu() || tensor.is_contiguous()) return true;
  return core.memory_budget->holds(tensor.get_device(), static_cast<std::int64_t>(tensor.nbytes()));
}

/// Returns null if the parameter can be checked.
const WhyUnchecked* why_unchecked(SessionCore& core, const NamedParameter& parameter) {
  const at::Tensor& tensor = parameter.tensor;
  if (is_of_fsdp(parameter.name)) return &kOfFsdp;
  const std::string_view kind = tensors::kind_of_wrapper(tensor);
  if (kind.starts_with("Python")) return &kOfPython;
  if (!tensors::has_plain_memory(tensor)) return &kWithoutMemory;
  if (!tensor.is_cpu() && !tensors::DeferredReductions::serves(tensor)) return &kWithoutKernel;
  if (tensors::is_captured(tensor.device())) return &kCaptured;
  return has_room_in_order(core, tensor) ? nullptr : &kWithoutRoom;
}

/// Returns the parameters for which `is_meant` is true, sorted by name. Also returns half parameters for whose master
/// weight `is_meant` is true.
std::vector<NamedParameter> parameters_that(const Locked& state, c10::function_ref<bool(const at::Tensor&)> is_meant) {
  const std::unordered_set<const c10::TensorImpl*> masters = state->masters.all();
  std::vector<NamedParameter> parameters;
  state->scopes.modules.each_parameter([&](c10::intrusive_ptr<c10::TensorImpl> impl, const std::string& name) {
    if (masters.contains(impl.get())) return;
    const at::Tensor tensor(std::move(impl));
    const at::Tensor master = state->masters.of(tensor);
    if (is_meant(tensor) || (master.defined() && is_meant(master))) parameters.push_back({name, tensor});
  });
  std::ranges::sort(parameters, {}, &NamedParameter::name);
  return parameters;
}

void note_unchecked(SessionCore& core, const Locked& state, const std::string& name, const WhyUnchecked& why) {
  if (state->checked.left_out.insert(name).second) core.missing.note(why.what, why.cause, why.remedy);
}

void check(SessionCore& core, const Locked& state, std::int64_t segment, NamedParameter& parameter,
           std::vector<ParameterChecksum>& here) {
  ParameterChecksum row{.segment = segment, .parameter = std::move(parameter.name)};
  const at::Tensor& tensor = parameter.tensor;
  if (tensor.is_cpu() && !core.options.pending_on_cpu) {
    row.checksum = static_cast<std::int64_t>(tensors::checksum_of(tensor));
    here.push_back(std::move(row));
  } else {
    state->checked.pending.push_back({std::move(row), core.results.add_checksum(tensor)});
  }
}

void check(SessionCore& core, const Locked& state, std::int64_t segment,
           c10::function_ref<bool(const at::Tensor&)> is_meant) {
  if (core.results.is_closed()) return;
  const OverheadTime overhead(core.clock);
  const tensors::ObserverDisabledGuard guard;
  std::vector<ParameterChecksum> here;
  for (NamedParameter& parameter : parameters_that(state, is_meant)) {
    if (const WhyUnchecked* why = why_unchecked(core, parameter)) {
      note_unchecked(core, state, parameter.name, *why);
    } else {
      check(core, state, segment, parameter, here);
    }
  }
  if (here.empty()) return;
  core.recorder.add([&](Batch& batch) { std::ranges::move(here, std::back_inserter(batch.checksums)); });
}

}  // namespace

void check_first_parameters(SessionCore& core, const Locked& state) {
  constexpr std::int64_t kSetUp = 1;  // the segment before the first forward op
  if (core.options.check_ranks == 0 || std::exchange(state->checked.has_begun, true)) return;
  check(core, state, kSetUp,
        [](const at::Tensor& tensor) { return tensor.is_leaf() && tensor.requires_grad() && tensor.grad().defined(); });
}

void check_parameters(SessionCore& core, const Locked& state, const Segment& updated,
                      const std::vector<GradientLeaves::Identity>& written) {
  if (core.options.check_ranks == 0 || written.empty() || !updated.recorded || !core.options.checks(updated.step))
    return;
  const std::unordered_set<GradientLeaves::Identity> memory(written.begin(), written.end());
  check(core, state, updated.id, [&](const at::Tensor& tensor) {
    return memory.contains(GradientLeaves::identity_of(*tensor.unsafeGetTensorImpl()));
  });
}

void record_checksums(SessionCore& core, const Locked& state) {
  if (state->checked.pending.empty()) return;
  std::vector<PendingChecksum> arrived = std::exchange(state->checked.pending, {});
  if (core.results.is_closed()) return;  // the device's values will never arrive
  core.recorder.add([&](Batch& batch) {
    for (PendingChecksum& each : arrived) {
      each.row.checksum = each.bits->checksum;
      batch.checksums.push_back(std::move(each.row));
    }
  });
}

}  // namespace ampprof::profiler
