// SPDX-License-Identifier: Apache-2.0
#include "reports/store/tables.h"

#include <bit>

#include "reports/records/time_span.h"
#include "reports/store/report_error.h"

namespace ampprof {
namespace {

template <typename Enum>
Enum enum_up_to(Enum last, std::int64_t number, const char* what) {
  if (number >= 0 && number <= static_cast<std::int64_t>(last)) return static_cast<Enum>(number);
  throw ReportError("the report is damaged: " + std::string(what) + ' ' + std::to_string(number));
}

}  // namespace

DType enum_from_number(std::int64_t number, DType) { return dtype_from_number(number); }

GpuActivityKind enum_from_number(std::int64_t number, GpuActivityKind) { return gpu_activity_kind_from_number(number); }

Phase enum_from_number(std::int64_t number, Phase) {
  return enum_up_to(Phase::Recompute, number, "a call site has the unknown phase");
}

ImpactSource enum_from_number(std::int64_t number, ImpactSource) {
  return enum_up_to(ImpactSource::Input, number, "a loss impact has the unknown source");
}

ImpactGap enum_from_number(std::int64_t number, ImpactGap) {
  return enum_up_to(ImpactGap::NoMaster, number, "a loss impact has the unknown gap");
}

std::int64_t store::length_bits(const NvtxRange& range) {
  return std::bit_width(static_cast<std::uint64_t>(TimeSpan{range.start_ns, range.end_ns}.duration_ns()));
}

}  // namespace ampprof
