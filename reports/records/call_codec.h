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

/// Encodes the op calls of one segment as bytes for the report. Numbers that repeat from call to call take no bytes,
/// and growing numbers are stored as differences. A call without values takes about ten bytes.
///
/// Each call begins with a byte of flags. LEB128 numbers follow, in this order: call site, signature and start, as
/// zigzag differences to call site, signature and end of the previous call; the duration; thread, dtype_in, dtype_out
/// and cast_bytes, unless all equal those of the previous call. The values that the flags announce come last: scale (a
/// byte, 0 for none, and 8 bytes), local error, ranges, inherited error (counts as numbers, reals as 8 bytes each, in
/// the order of their structs), histograms (length and bytes). The first call is encoded relative to a call of zeros.
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

/// Decodes bytes that a CallEncoder wrote with this codec. The bytes do not contain `segment`. Empty for bytes that no
/// encoder can have written.
std::optional<std::vector<OpCall>> decode_calls(std::string_view bytes, std::int64_t segment, ChunkCodec codec);

/// Encodes the casts of one segment as bytes. A cast is the zigzag difference of its call site to that of the previous
/// cast, a byte for each type, and its five counts as LEB128 numbers. Empty without casts.
std::string encode_casts(const std::vector<const CastRecord*>& casts);
/// Decodes the bytes of encode_casts(); empty for bytes that it cannot have written.
std::optional<std::vector<CastRecord>> decode_casts(std::string_view bytes, std::int64_t segment, ChunkCodec codec);

}  // namespace ampprof
