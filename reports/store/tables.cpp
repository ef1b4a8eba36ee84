// SPDX-License-Identifier: Apache-2.0
#include "reports/store/tables.h"

#include <bit>

#include "reports/records/time_span.h"
#include "reports/store/report_error.h"

namespace ampprof::store {

void throw_unknown(const char* what, std::int64_t number) {
  throw ReportError("the report is damaged: " + std::string(what) + ' ' + std::to_string(number));
}

template <>
DType enum_from_number(std::int64_t number) {
  return dtype_from_number(number);
}

template <>
GpuActivityKind enum_from_number(std::int64_t number) {
  return gpu_activity_kind_from_number(number);
}

std::int64_t length_bits(const NvtxRange& range) {
  return std::bit_width(static_cast<std::uint64_t>(TimeSpan{range.start_ns, range.end_ns}.duration_ns()));
}

}  // namespace ampprof::store
