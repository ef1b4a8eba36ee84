// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace at {
class Tensor;
}

namespace ampprof::profiler {

class Locked;
struct SessionCore;

/// A backward pass begins at this tensor.
void notice_loss(SessionCore& core, const at::Tensor& loss);

/// Looks which parameters and gradients hold NaN or inf, and records the events of the steps that are over.
void settle_nonfinite(SessionCore& core, const Locked& state);

/// Records all that are left: the run is over.
void settle_all_nonfinite(SessionCore& core, const Locked& state);

}  // namespace ampprof::profiler
