// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace amp {

/// The state of LibTorch's autocast dispatch keys on a thread.
struct AutocastKeys {
  bool cpu = false;
  bool cuda = false;
};

AutocastKeys autocast_keys_of_this_thread();
void set_autocast_keys_of_this_thread(AutocastKeys keys);

/// Returns whether this thread is in an autocast region that the program opened, such as torch.autocast.
bool in_autocast_region();

/// Returns the keys for the CPU, and for CUDA if this process has it.
AutocastKeys available_autocast_keys();

/// Stops TorchScript's compiler, in the whole process and permanently, from inserting casts for autocast and from
/// deriving backward graphs, which would not see the casts inside the ops. Autograd differentiates the ops instead.
void disable_torchscript_autocast();

/// Returns whether this thread runs a node of autograd's backward.
bool in_backward();

/// Returns whether this thread is inside one of LibTorch's kernels: calls made there are LibTorch's own, not the
/// program's. Under inference mode this is unknown, and the result is false.
bool in_kernel();

}  // namespace amp
