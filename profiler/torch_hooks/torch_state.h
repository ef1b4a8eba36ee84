// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "reports/records/run.h"

namespace c10 {
struct TensorImpl;
}

/// Reads state of LibTorch beyond its public API. Each assumption has a canary test in
/// tests/profiler/torch_hooks/profiler_canary_test.cpp.
namespace ampprof::profiler {

/// Makes this thread's op calls visible to the observer from now on: includes kObserverKey in the dispatch key TLS.
void observe_this_thread();
/// Makes this thread's op calls invisible to the observer from now on.
void ignore_this_thread();

/// Returns the autograd node that this thread evaluates; null outside of backward.
const void* current_node();
inline bool inside_backward() { return current_node() != nullptr; }
/// Returns the sequence number that this thread's next autograd node will get.
std::uint64_t next_sequence_number();
/// Returns the sequence number of current_node(), which identifies its forward op. Call it inside backward only.
std::uint64_t backward_sequence_number();
/// Returns LibTorch's id of the thread that ran the forward op of current_node(). Call it inside backward only.
std::uint64_t backward_forward_thread();
/// Returns LibTorch's id of this thread.
std::uint64_t forward_thread();
/// Returns whether LibTorch traces the program on this thread (fake, proxy or functional tensors). Calls then compute
/// nothing.
bool is_traced();
/// Returns whether this thread is a worker of at::parallel_for. Its calls are then part of another thread's kernel.
bool helps_a_kernel();
/// Returns whether the program runs PyTorch's own profiler (Kineto) on this thread.
bool profiles_itself();
/// Returns the parameter whose gradient current_node() accumulates; null for other nodes. Call it inside backward only.
const c10::TensorImpl* accumulated_parameter();

/// Returns the module path of the TorchScript code that this thread runs, without the root; "" outside of TorchScript.
std::string script_module_path();
/// Returns whether TorchScript loses module paths after the first iterations. It does with the profiling executor, the
/// default.
bool loses_script_module_paths();

/// Returns "file:line" of the TorchScript code that this thread runs: of the Python file from which the code was
/// generated, if known. "" outside of TorchScript, and if only torch's own code is on the stack.
std::string script_line();
/// Returns the folder above that of LibTorch's libraries: the Python package torch, if LibTorch is part of it.
std::string torch_folder();

/// Returns the number of GPUs that the program sees. May initialize CUDA, so call it only after the program has used a
/// GPU.
int number_of_gpus();

/// Waits for all work that was launched on GPUs. Does nothing if no GPU was used.
void wait_for_devices();

/// Returns LibTorch's version, the device, the settings that decide speed and accuracy, and the rank of this process.
/// Does not initialize CUDA.
RunAttach describe_torch(bool on_gpu);

}  // namespace ampprof::profiler
