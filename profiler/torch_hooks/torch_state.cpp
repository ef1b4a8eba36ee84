// SPDX-License-Identifier: Apache-2.0
#include "profiler/torch_hooks/torch_state.h"

#include <ATen/Context.h>
#include <ATen/Parallel.h>
#include <ATen/SequenceNumber.h>
#include <ATen/detail/CUDAHooksInterface.h>
#include <ATen/record_function.h>
#include <c10/core/impl/TorchDispatchModeTLS.h>
#include <dlfcn.h>
#include <torch/csrc/autograd/function.h>
#include <torch/csrc/autograd/functions/accumulate_grad.h>
#include <torch/csrc/jit/runtime/graph_executor.h>
#include <torch/csrc/jit/runtime/interpreter.h>
#include <torch/csrc/profiler/orchestration/observer.h>
#include <torch/jit.h>
#include <torch/types.h>
#include <torch/version.h>

#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string_view>
#include <type_traits>

#include "amp_core/emulation/half_on_cpu.h"
#include "amp_core/launch/launcher.h"
#include "precision/recipes/plan.h"
#include "precision/torch_hooks/fp32_precision.h"
#include "profiler/source/user_code.h"
#include "profiler/torch_hooks/observer_key.h"

namespace ampprof::profiler {
namespace {

constexpr std::uint64_t kAccumulateGradNumber = UINT64_MAX;

// Returns the module's name in a frame: "b(BatchNorm2d)::forward" -> "b". "" for the root, a module's other methods
// (SELF), functions and blocks.
std::string instance_name(const std::string& frame) {
  const std::string name = frame.substr(0, frame.find('('));
  return name.size() == frame.size() || name == "SELF" || name == "TOP" ? "" : name;
}

/// Returns whether cuBLAS may sum in reduced precision. `option`: a bool in LibTorch 2.9, later an enum with a separate
/// value for split-K.
template <class Option>
bool is_allowed(Option option) {
  if constexpr (std::is_same_v<Option, bool>) {
    return option;
  } else {
    return option == Option::AllowReducedPrecisionWithSplitK;
  }
}

bool uses_tf32(torch_hooks::Fp32Op op) {
  return torch_hooks::fp32_precision(c10::DeviceType::CUDA, op) == torch_hooks::Fp32Precision::Tf32;
}

bool is_set(const char* variable) {
  const char* value = std::getenv(variable);
  return value != nullptr && std::string_view(value) == "1";
}

long cudart_version() {
  const auto& hooks = at::detail::getCUDAHooks();
  return hooks.hasCUDART() ? hooks.versionCUDART() : 0;
}

// Returns the CUDA version that LibTorch was built with; "" without CUDA. Read once, since the CUDA hooks are destroyed
// before the end of the run is recorded.
std::string cuda_version() {
  static const long kVersion = cudart_version();  // 13000 for CUDA 13.0
  return kVersion == 0 ? "" : std::to_string(kVersion / 1000) + "." + std::to_string(kVersion % 1000 / 10);
}

}  // namespace

void observe_this_thread() { c10::impl::tls_set_dispatch_key_included(kObserverKey, true); }

void ignore_this_thread() { c10::impl::tls_set_dispatch_key_included(kObserverKey, false); }

std::uint64_t next_sequence_number() { return at::sequence_number::peek(); }

const void* current_node() { return torch::autograd::get_current_node().get(); }

std::uint64_t backward_sequence_number() { return torch::autograd::get_current_node()->sequence_nr(); }

std::uint64_t backward_forward_thread() { return torch::autograd::get_current_node()->thread_id(); }

std::uint64_t forward_thread() { return at::RecordFunction::currentThreadId(); }

bool is_traced() {
  using Modes = c10::impl::TorchDispatchModeTLS;
  using Key = c10::impl::TorchDispatchModeKey;
  // Ops on fake tensors run meta kernels to get the sizes and type of their results.
  if (c10::impl::tls_is_dispatch_key_included(c10::DispatchKey::Meta)) return true;
  if (!Modes::any_modes_set()) return false;
  return Modes::get_mode(Key::FAKE) || Modes::get_mode(Key::PROXY) || Modes::get_mode(Key::FUNCTIONAL);
}

bool helps_a_kernel() { return at::get_thread_num() > 0; }

const c10::TensorImpl* accumulated_parameter() {
  const auto node = torch::autograd::get_current_node();
  if (node->sequence_nr() != kAccumulateGradNumber) return nullptr;
  const auto* accumulate = dynamic_cast<const torch::autograd::AccumulateGrad*>(node.get());
  return accumulate == nullptr ? nullptr : accumulate->variable.unsafeGetTensorImpl();
}

bool profiles_itself() {
  return torch::profiler::impl::profilerType() == torch::profiler::impl::ActiveProfilerType::KINETO;
}

std::string script_module_path() {
  std::string path;
  const auto frames = torch::jit::currentModuleHierarchy();
  for (const std::string& frame : frames) {
    const std::string name = instance_name(frame);
    if (name.empty()) continue;
    if (!path.empty()) path += '.';
    path += name;
  }
  return path;
}

bool loses_script_module_paths() { return torch::jit::getProfilingMode(); }

std::string script_line() {
  std::string packages;
  for (const torch::jit::StackEntry& entry : torch::jit::currentCallstack()) {  // from the innermost frame on
    const auto written = entry.range.findSourceRangeThatGenerated().value_or(entry.range).file_line_col();
    if (!written) continue;
    const auto& [file, line, column] = *written;
    const CodeOwner owner = owner_of_python_file(file, "");
    if (owner == CodeOwner::User) return file + ':' + std::to_string(line);
    if (owner == CodeOwner::Package && packages.empty()) packages = file + ':' + std::to_string(line);
  }
  return packages;
}

std::string torch_folder() {
  Dl_info library;
  if (dladdr(reinterpret_cast<void*>(&torch::jit::currentCallstack), &library) == 0) return "";
  return std::filesystem::path(library.dli_fname).parent_path().parent_path();
}

int number_of_gpus() {
  const auto& hooks = at::detail::getCUDAHooks();
  return hooks.hasCUDA() ? hooks.deviceCount() : 0;
}

void wait_for_devices() {
  try {
    const auto& hooks = at::detail::getCUDAHooks();
    if (!hooks.hasCUDA()) return;
    for (c10::DeviceIndex device = 0; device < hooks.deviceCount(); ++device) {
      if (hooks.hasPrimaryContext(device)) hooks.deviceSynchronize(device);
    }
  } catch (const std::exception&) {  // the driver has shut down already, so the work is done
  }
}

RunAttach describe_torch(bool on_gpu) {
  auto& context = at::globalContext();
  nlohmann::json settings{{"threads", at::get_num_threads()},
                          {"deterministic", context.deterministicAlgorithms()},
                          {"cudnn_benchmark", context.benchmarkCuDNN()},
                          {"cudnn_deterministic", context.deterministicCuDNN()},
                          {"fp16_reduced_sums", is_allowed(context.allowFP16ReductionCuBLAS())},
                          {"bf16_reduced_sums", is_allowed(context.allowBF16ReductionCuBLAS())},
                          {"fp16_accumulation", context.allowFP16AccumulationCuBLAS()},
                          {"tf32_matmul", uses_tf32(torch_hooks::Fp32Op::Matmul)},
                          {"tf32_cudnn", uses_tf32(torch_hooks::Fp32Op::Convolution)},
                          {"compile_disabled", is_set("TORCH_COMPILE_DISABLE")},
                          {"fp16_emulated", amp::half_was_emulated()}};
  if (const std::string recipes = amp::recipes::recipes_planned(); !recipes.empty()) settings["recipes"] = recipes;
  const amp::parallel::RankIdentity place = amp::parallel::place_of(std::getenv);
  return {.device = on_gpu ? "cuda" : "cpu",
          .torch_version = TORCH_VERSION,
          .settings_json = settings.dump(),
          .level = "",
          .cuda_version = cuda_version(),
          .rank = place.rank,
          .world_size = place.world_size,
          .local_rank = place.local_rank,
          .host = place.rank ? amp::parallel::host_name() : ""};
}

}  // namespace ampprof::profiler
