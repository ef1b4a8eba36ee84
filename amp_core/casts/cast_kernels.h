// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace amp {

/// Puts a kernel of ours at LibTorch's autocast keys for every op of Apex's lists, and for every other op that
/// LibTorch itself casts there. Once per process; does nothing to threads whose casts are not in force.
void install_cast_kernels();

}  // namespace amp
