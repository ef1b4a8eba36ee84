// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace ampprof::queries {
struct OpRow;
}

namespace ampprof::analysis {

struct Symptoms;

/// Returns the cast by which FP32 gradients go to other ranks in 16 bits, as fp16_compress_hook of PyTorch does it;
/// null where none do.
const queries::OpRow* cast_of_sent_gradients(const Symptoms& symptoms);

}  // namespace ampprof::analysis
