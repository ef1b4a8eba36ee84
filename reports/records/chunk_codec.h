// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace ampprof {

/// Number of the encoding of a chunk's bytes. It is stored in the chunk's row, since a report may hold chunks of
/// several codecs. Increase it when the encoding of op calls, casts or activities changes. Decoders read every codec
/// from 1 on.
using ChunkCodec = std::int64_t;

inline constexpr ChunkCodec kChunkCodec = 1;  ///< the codec that encoders write

/// Returns whether such a codec exists; a damaged report may hold any number.
constexpr bool is_known(ChunkCodec codec) { return codec >= 1 && codec <= kChunkCodec; }

}  // namespace ampprof
