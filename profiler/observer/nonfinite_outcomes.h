// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace at {
class Tensor;
}

namespace ampprof::profiler {

class Locked;
struct SessionCore;

/// Marks the memory of a loss, so that NaN or inf in the loss is recorded as the outcome of its event.
void notice_loss(SessionCore& core, const at::Tensor& loss);

/// Finds parameters and gradients that hold NaN or inf, and records the events of finished steps.
void settle_nonfinite(SessionCore& core, const Locked& state);

/// Records all remaining events at the end of the recording.
void settle_all_nonfinite(SessionCore& core, const Locked& state);

}  // namespace ampprof::profiler
