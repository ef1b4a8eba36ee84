// SPDX-License-Identifier: Apache-2.0
#include "reports/records/op_call.h"

#include <cmath>
#include <limits>

namespace ampprof {

PlainCall::PlainCall(const OpCall& call)
    : segment(call.segment),
      start_ns(call.start_ns),
      duration_ns(call.duration_ns),
      cast_bytes(call.cast_bytes),
      scale(call.scale.value_or(std::numeric_limits<double>::quiet_NaN())),
      call_site(static_cast<std::int32_t>(call.call_site)),
      signature(static_cast<std::int32_t>(call.signature)),
      thread(call.thread),
      dtype_in(call.dtype_in),
      dtype_out(call.dtype_out) {}

OpCall PlainCall::whole() const {
  OpCall call;
  call.segment = segment;
  call.call_site = call_site;
  call.signature = signature;
  call.start_ns = start_ns;
  call.duration_ns = duration_ns;
  call.thread = thread;
  call.dtype_in = dtype_in;
  call.dtype_out = dtype_out;
  call.cast_bytes = cast_bytes;
  if (!std::isnan(scale)) call.scale = scale;
  return call;
}

}  // namespace ampprof
