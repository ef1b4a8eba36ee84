// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace ampprof::queries {
struct OpRow;
}

namespace ampprof::analysis {

struct Symptoms;

/// Returns the cast that sends FP32 gradients to other ranks in 16 bits, as PyTorch's fp16_compress_hook does; null if
/// there is none.
const queries::OpRow* cast_of_sent_gradients(const Symptoms& symptoms);

}  // namespace ampprof::analysis
