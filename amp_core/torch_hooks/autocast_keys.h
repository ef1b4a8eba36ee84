// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace amp {

/// Which of LibTorch's autocast dispatch keys are on for a thread.
struct AutocastKeys {
  bool cpu = false;
  bool cuda = false;
};

AutocastKeys autocast_keys_of_this_thread();
void set_autocast_keys_of_this_thread(AutocastKeys keys);

/// Whether this thread is in a region of autocast that the program opened, torch.autocast say.
bool in_autocast_region();

/// On for the CPU, and for CUDA where this process has it.
AutocastKeys available_autocast_keys();

/// For the whole process and for good: TorchScript's compiler inserts no casts for autocast, and leaves the backward of
/// its graphs to autograd.
void leave_script_casts_to_us();

/// Whether this thread runs a node of autograd's backward.
bool in_backward();

/// Whether this thread is inside one of LibTorch's kernels: calls made there are LibTorch's own, not the program's.
/// Under inference mode that cannot be told, and is false.
bool in_kernel();

}  // namespace amp
