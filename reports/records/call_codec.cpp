// SPDX-License-Identifier: Apache-2.0
#include "reports/records/call_codec.h"

#include "reports/records/bytes.h"
#include "reports/records/statistics_codec.h"

namespace ampprof {
namespace {

using bytes::ByteReader;
using bytes::difference;
using bytes::put_count;
using bytes::put_statistics;
using bytes::sum;
using bytes::take_statistics;

enum Flag : std::uint8_t {
  kLikeLast = 1,  ///< thread, types and cast bytes equal those of the previous call
  kScale = 2,     ///< the scale differs from that of the previous call
  kLocal = 4,
  kRanges = 8,
  kInherited = 16,
  kExponents = 32,
  kInheritedExponents = 64,
  kExpected = 128,
};

bool is_like(const OpCall& call, const OpCall& last) {
  return call.thread == last.thread && call.dtype_in == last.dtype_in && call.dtype_out == last.dtype_out &&
         call.cast_bytes == last.cast_bytes;
}

std::uint8_t flags_of(const OpCall& call, const OpCall& last) {
  const auto flag = [](bool is_set, Flag flag) { return is_set ? flag : 0; };
  return static_cast<std::uint8_t>(
      flag(is_like(call, last), kLikeLast) | flag(call.scale != last.scale, kScale) |
      flag(call.local.has_value(), kLocal) | flag(call.ranges.has_value(), kRanges) |
      flag(call.inherited.has_value(), kInherited) | flag(!call.exponents.empty(), kExponents) |
      flag(!call.inherited_exponents.empty(), kInheritedExponents) | flag(call.nonfinite_expected, kExpected));
}

/// Decodes the next call. `last` is the previous call.
OpCall take_call(ByteReader& from, const OpCall& last, ChunkCodec codec) {
  const std::uint8_t flags = from.byte();
  OpCall call;
  call.call_site = sum(last.call_site, from.signed_number());
  call.signature = sum(last.signature, from.signed_number());
  call.start_ns = sum(sum(last.start_ns, last.duration_ns), from.signed_number());
  call.duration_ns = from.count();
  const bool like_last = (flags & kLikeLast) != 0;
  call.thread = like_last ? last.thread : static_cast<std::int32_t>(from.number());
  call.dtype_in = like_last ? last.dtype_in : dtype_from_number(from.byte());
  call.dtype_out = like_last ? last.dtype_out : dtype_from_number(from.byte());
  call.cast_bytes = like_last ? last.cast_bytes : from.count();
  call.scale = last.scale;
  if ((flags & kScale) != 0) call.scale = from.byte() != 0 ? std::optional(from.real()) : std::nullopt;
  if ((flags & kLocal) != 0) call.local = take_statistics<ErrorStats>(from, codec);
  if ((flags & kRanges) != 0) call.ranges = take_statistics<RangeStats>(from, codec);
  if ((flags & kInherited) != 0) call.inherited = take_statistics<ErrorStats>(from, codec);
  if ((flags & kExponents) != 0) call.exponents = from.text();
  if ((flags & kInheritedExponents) != 0) call.inherited_exponents = from.text();
  call.nonfinite_expected = (flags & kExpected) != 0;
  return call;
}

}  // namespace

void CallEncoder::add(const OpCall& call) {
  const std::uint8_t flags = flags_of(call, last_);
  bytes_.push_back(static_cast<char>(flags));
  bytes::put_signed(bytes_, call.call_site - last_.call_site);
  bytes::put_signed(bytes_, call.signature - last_.signature);
  bytes::put_signed(bytes_, difference(call.start_ns, sum(last_.start_ns, last_.duration_ns)));
  put_count(bytes_, call.duration_ns);
  if ((flags & kLikeLast) == 0) {
    bytes::put_number(bytes_, static_cast<std::uint32_t>(call.thread));
    bytes_.push_back(static_cast<char>(call.dtype_in));
    bytes_.push_back(static_cast<char>(call.dtype_out));
    put_count(bytes_, call.cast_bytes);
  }
  if ((flags & kScale) != 0) {
    bytes_.push_back(call.scale ? 1 : 0);
    if (call.scale) bytes::put_real(bytes_, *call.scale);
  }
  if (call.local) put_statistics(bytes_, *call.local);
  if (call.ranges) put_statistics(bytes_, *call.ranges);
  if (call.inherited) put_statistics(bytes_, *call.inherited);
  if (!call.exponents.empty()) bytes::put_text(bytes_, call.exponents);
  if (!call.inherited_exponents.empty()) bytes::put_text(bytes_, call.inherited_exponents);
  ++calls_;
  // The next call is compared with these fields.
  last_.call_site = call.call_site;
  last_.signature = call.signature;
  last_.start_ns = call.start_ns;
  last_.duration_ns = call.duration_ns;
  last_.thread = call.thread;
  last_.dtype_in = call.dtype_in;
  last_.dtype_out = call.dtype_out;
  last_.cast_bytes = call.cast_bytes;
  last_.scale = call.scale;
}

std::optional<std::vector<OpCall>> decode_calls(std::string_view bytes, std::int64_t segment, ChunkCodec codec) {
  if (!is_known(codec)) return std::nullopt;
  ByteReader from(bytes);
  std::vector<OpCall> calls;
  OpCall last;
  while (!from.at_end()) {
    last = take_call(from, last, codec);
    if (from.failed()) return std::nullopt;
    last.segment = segment;
    calls.push_back(last);
  }
  return calls;
}

std::string encode_casts(const std::vector<const CastRecord*>& casts) {
  std::string encoded;
  std::int64_t last_site = 0;
  for (const CastRecord* cast : casts) {
    bytes::put_signed(encoded, cast->call_site - last_site);
    last_site = cast->call_site;
    encoded.push_back(static_cast<char>(cast->from));
    encoded.push_back(static_cast<char>(cast->to));
    for (const std::int64_t count :
         {cast->casts, cast->cache_hits, cast->bytes, cast->duration_ns, cast->rounded_twice}) {
      put_count(encoded, count);
    }
  }
  return encoded;
}

std::optional<std::vector<CastRecord>> decode_casts(std::string_view bytes, std::int64_t segment, ChunkCodec codec) {
  if (!is_known(codec)) return std::nullopt;
  ByteReader from(bytes);
  std::vector<CastRecord> casts;
  std::int64_t last_site = 0;
  while (!from.at_end()) {
    CastRecord& cast = casts.emplace_back();
    cast.segment = segment;
    cast.call_site = last_site = sum(last_site, from.signed_number());
    cast.from = dtype_from_number(from.byte());
    cast.to = dtype_from_number(from.byte());
    cast.casts = from.count();
    cast.cache_hits = from.count();
    cast.bytes = from.count();
    cast.duration_ns = from.count();
    cast.rounded_twice = from.count();
    if (from.failed()) return std::nullopt;
  }
  return casts;
}

}  // namespace ampprof
