// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace ampprof {

/// The encoding of the bytes of a chunk. Its number is in the chunk's row, since a report holds chunks of every codec
/// that wrote into it. The number grows when the bytes of op calls, casts or activities change. Decoders read every
/// codec from 1 on.
using ChunkCodec = std::int64_t;

inline constexpr ChunkCodec kChunkCodec = 1;  ///< the codec of the encoders

/// False for the number of a damaged report.
constexpr bool is_known(ChunkCodec codec) { return codec >= 1 && codec <= kChunkCodec; }

}  // namespace ampprof
