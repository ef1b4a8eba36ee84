// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace ampprof {

/// Names how the bytes of a chunk are encoded, and stands beside them in its row: a report holds chunks of every codec
/// that wrote into it. Grows when the bytes of op calls, casts or activities change; decoders go on reading what each
/// codec from 1 on wrote.
using ChunkCodec = std::int64_t;

inline constexpr ChunkCodec kChunkCodec = 1;  ///< what encoders write

/// False for a number of a damaged report.
constexpr bool is_known(ChunkCodec codec) { return codec >= 1 && codec <= kChunkCodec; }

}  // namespace ampprof
