// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "reports/records/run.h"

namespace c10 {
struct TensorImpl;
}

/// Reads LibTorch's state beyond its public API. Each assumption has a canary in
/// tests/profiler/torch_hooks/profiler_canary_test.cpp, which names what broke.
namespace ampprof::profiler {

/// Makes this thread's op calls visible from here on: includes the observer's dispatch key in its TLS.
void observe_this_thread();
/// Makes them invisible from here on.
void ignore_this_thread();

/// Returns the autograd node that is being evaluated on this thread; null without one.
const void* current_node();
inline bool inside_backward() { return current_node() != nullptr; }
/// Returns the sequence number that this thread's next autograd node takes.
std::uint64_t next_sequence_number();
/// Return that node's sequence number, which its forward op took, and LibTorch's number of the thread that counted it.
std::uint64_t backward_sequence_number();
std::uint64_t backward_forward_thread();
/// Returns LibTorch's number of this thread.
std::uint64_t forward_thread();
/// Returns whether LibTorch traces the program on this thread (fake, proxy and functional tensors). These calls compute
/// nothing.
bool is_traced();
/// Returns whether this thread helps a kernel of another thread. Its calls are part of that kernel.
bool helps_a_kernel();
/// Returns whether PyTorch's profiler runs on this thread.
bool profiles_itself();
/// Returns the parameter whose gradient is being accumulated; null at any other node.
const c10::TensorImpl* accumulated_parameter();

/// Returns the module path of the TorchScript code in progress on this thread, without the root; "" outside of it.
std::string script_module_path();
/// Returns whether TorchScript loses module paths after the first iterations. Its profiling executor, the default,
/// does.
bool loses_script_module_paths();

/// Returns "file:line" of the TorchScript code in progress on this thread, in its Python file if that is known; ""
/// outside of TorchScript, and if only torch's own code is on the stack.
std::string script_line();
/// Returns the folder of the Python package that LibTorch was loaded from; a folder above LibTorch's own libraries if
/// it is not part of a package.
std::string torch_folder();

/// Returns the number of GPUs that the program sees. Call it once the program has used one.
int number_of_gpus();

/// Waits for all work that was launched on GPUs. Does nothing if no GPU was used.
void wait_for_devices();

/// Returns version, device, the settings that decide speed and accuracy, and the place of this process in a distributed
/// program. Touches no driver.
RunAttach describe_torch(bool on_gpu);

}  // namespace ampprof::profiler
