// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "reports/records/records.h"

namespace c10 {
struct TensorImpl;
}

/// What the observer asks LibTorch beyond its public API. Each assumption has a canary in
/// tests/profiler/torch_hooks_test.cpp, which names what broke.
namespace ampprof::profiler {

/// From here on this thread's op calls are seen (the observer's dispatch key is included in its TLS).
void observe_this_thread();
/// From here on they are not.
void ignore_this_thread();

/// The autograd node that is being evaluated on this thread; null where none is.
const void* current_node();
inline bool inside_backward() { return current_node() != nullptr; }
/// Its sequence number: that of the forward op that made it; and LibTorch's number of the thread that counted it.
std::uint64_t backward_sequence_number();
std::uint64_t backward_forward_thread();
/// LibTorch's number of this thread.
std::uint64_t forward_thread();
/// LibTorch's machinery traces the program on this thread (fake, proxy and functional tensors): these calls compute
/// nothing.
bool is_traced();
/// On a thread that helps a kernel of another one; what it calls is part of that.
bool helps_a_kernel();
/// The parameter whose gradient is being accumulated; null when the node is any other.
const c10::TensorImpl* accumulated_parameter();

/// Module path of the TorchScript code in progress on this thread, without the root; "" outside of it.
std::string script_module_path();
/// TorchScript keeps module paths in every iteration only without its profiling executor, which it has by default.
bool loses_script_module_paths();

/// Until everything that was launched on GPUs is done. Does nothing where none was used.
void wait_for_devices();

/// Version, device and the settings that decide speed and accuracy.
RunAttach describe_torch();

}  // namespace ampprof::profiler
