// SPDX-License-Identifier: Apache-2.0
#include "reports/store/tables.h"

#include <bit>

#include "reports/records/time_span.h"
#include "reports/store/report_error.h"

namespace ampprof::store {
namespace {

template <typename Enum>
Enum enum_up_to(Enum last, std::int64_t number, const char* what) {
  if (number >= 0 && number <= static_cast<std::int64_t>(last)) return static_cast<Enum>(number);
  throw ReportError("the report is damaged: " + std::string(what) + ' ' + std::to_string(number));
}

}  // namespace

template <>
DType enum_from_number(std::int64_t number) {
  return dtype_from_number(number);
}

template <>
GpuActivityKind enum_from_number(std::int64_t number) {
  return gpu_activity_kind_from_number(number);
}

template <>
Phase enum_from_number(std::int64_t number) {
  return enum_up_to(Phase::Recompute, number, "a call site has the unknown phase");
}

template <>
ImpactSource enum_from_number(std::int64_t number) {
  return enum_up_to(ImpactSource::Input, number, "a loss impact has the unknown source");
}

template <>
ImpactGap enum_from_number(std::int64_t number) {
  return enum_up_to(ImpactGap::NoMaster, number, "a loss impact has the unknown gap");
}

template <>
GradientImpactSource enum_from_number(std::int64_t number) {
  return enum_up_to(GradientImpactSource::ForwardErrors, number, "a gradient impact has the unknown source");
}

template <>
GradientImpactGap enum_from_number(std::int64_t number) {
  return enum_up_to(GradientImpactGap::LeftOut, number, "a gradient impact has the unknown gap");
}

template <>
Matmul enum_from_number(std::int64_t number) {
  return enum_up_to(Matmul::Wgrad, number, "a recipe has the unknown matmul");
}

template <>
ImpactGradient enum_from_number(std::int64_t number) {
  return enum_up_to(ImpactGradient::Mean, number, "a loss impact has the unknown gradient");
}

std::int64_t length_bits(const NvtxRange& range) {
  return std::bit_width(static_cast<std::uint64_t>(TimeSpan{range.start_ns, range.end_ns}.duration_ns()));
}

}  // namespace ampprof::store
