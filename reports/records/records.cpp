// SPDX-License-Identifier: Apache-2.0
#include "reports/records/records.h"

#include <cmath>
#include <limits>

namespace ampprof {

std::string_view name_of(Phase phase) {
  switch (phase) {
    case Phase::Forward:
      return "forward";
    case Phase::Backward:
      return "backward";
    case Phase::Optimizer:
      return "optimizer";
    case Phase::Recompute:
      return "recompute";
    case Phase::Inference:
      return "inference";
  }
  return "?";
}

std::string_view name_of(ImpactGradient gradient) {
  switch (gradient) {
    case ImpactGradient::Run:
      return "run";
    case ImpactGradient::Shadow:
      return "shadow";
    case ImpactGradient::Mean:
      return "mean";
  }
  return "?";
}

std::optional<double> ImpactSquares::sum() const {
  std::optional<double> sum;
  for (const auto& part : {activation, weight, output}) {
    if (part) sum = sum.value_or(0.0) + *part;
  }
  return sum;
}

void ImpactSquares::add(const ImpactSquares& other) {
  for (const auto part : {&ImpactSquares::activation, &ImpactSquares::weight, &ImpactSquares::output}) {
    if (other.*part) this->*part = (this->*part).value_or(0.0) + *(other.*part);
  }
}

PlainCall::PlainCall(const OpCall& call)
    : substep(call.substep),
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
  call.substep = substep;
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

std::string_view reason_of(GradientImpactGap gap) {
  switch (gap) {
    case GradientImpactGap::None:
      return "";
    case GradientImpactGap::NoCotangent:
      return "its output is a part of one autograd node's work, and no gradient of a tensor";
    case GradientImpactGap::ErrorNotFinite:
      return "the output or its reference is not finite";
    case GradientImpactGap::LeftOut:
      return "its errors do not fit the memory for them";
  }
  return "";
}

std::string_view reason_of(ImpactGap gap) {
  switch (gap) {
    case ImpactGap::None:
      return "";
    case ImpactGap::GradientNotFinite:
      return "the gradient is not finite";
    case ImpactGap::ScaleUnknown:
      return "the loss scale is unknown";
    case ImpactGap::ErrorNotFinite:
      return "the output or its reference is not finite";
    case ImpactGap::NoMaster:
      return "there is no FP32 original of the parameter";
  }
  return "";
}

}  // namespace ampprof
