// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reports/records/chunk_codec.h"
#include "reports/records/op_call.h"

namespace ampprof {

/// Op calls of one segment as bytes, and so in the report. Numbers that repeat from call to call cost nothing, those
/// that grow cost their growth: a call without values takes about ten bytes.
///
/// Each call is a byte of flags, then as LEB128 numbers: zigzag differences to the call before of call site, signature
/// and start (to its end); duration; where they are not those of the call before: thread, dtype_in, dtype_out,
/// cast_bytes; then what the flags say is there: scale (a byte, 0 for none, and 8 bytes), local error, ranges,
/// inherited error (counts as numbers, reals as 8 bytes each, in the order of their structs), histograms (length and
/// bytes). The first call comes after one of zeros.
class CallEncoder {
 public:
  void add(const OpCall& call);
  const std::string& bytes() const { return bytes_; }
  std::int64_t calls() const { return calls_; }

 private:
  std::string bytes_;
  std::int64_t calls_ = 0;
  OpCall last_{};
};

/// Reads what a CallEncoder of this codec wrote; `segment` is in none of the bytes. Empty for bytes that none can have
/// written.
std::optional<std::vector<OpCall>> decode_calls(std::string_view bytes, std::int64_t segment, ChunkCodec codec);

/// Casts of one segment as bytes: for each the difference of its call site to that before (zigzag), a byte for each
/// type, then its five counts, all LEB128. Empty without casts.
std::string encode_casts(const std::vector<const CastRecord*>& casts);
/// Reads what encode_casts() wrote; empty for bytes that it cannot have written.
std::optional<std::vector<CastRecord>> decode_casts(std::string_view bytes, std::int64_t segment, ChunkCodec codec);

}  // namespace ampprof
