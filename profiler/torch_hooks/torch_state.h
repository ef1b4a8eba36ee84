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

/// An autograd node is being evaluated on this thread.
bool inside_backward();
/// Its sequence number: that of the forward op that made it.
std::uint64_t backward_sequence_number();
/// The parameter whose gradient is being accumulated; null when the node is any other.
const c10::TensorImpl* accumulated_parameter();

/// Module path of the TorchScript code in progress on this thread, without the root; "" outside of it.
std::string script_module_path();
/// TorchScript keeps module paths in every iteration only without its profiling executor.
void keep_script_module_paths();

/// Until everything that was launched on GPUs is done. Does nothing where none was used.
void wait_for_devices();

/// Version, device and the settings that decide speed and accuracy.
RunAttach describe_torch();

}  // namespace ampprof::profiler
