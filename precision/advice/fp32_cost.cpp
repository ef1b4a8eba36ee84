// SPDX-License-Identifier: Apache-2.0
#include "precision/advice/fp32_cost.h"

#include <algorithm>

#include "precision/advice/evidence.h"
#include "reports/queries/ops.h"
#include "reports/records/signature.h"

namespace ampprof::advice {
namespace {

double elements_of(const TensorInfo& tensor) {
  double elements = 1.0;
  for (const std::int64_t size : tensor.shape) elements *= static_cast<double>(size);
  return elements;
}

double per_call(const queries::OpRow& op, double us) {
  return us / static_cast<double>(std::max<std::int64_t>(op.calls, 1));
}

}  // namespace

Fp32Cost::Fp32Cost(const Evidence& evidence)
    : steps_(static_cast<double>(std::max<std::int64_t>(evidence.run.recorded_steps, 1))) {
  for (const queries::OpRow& op : evidence.plain) plain_.emplace(op.call_site, &op);
}

std::optional<double> Fp32Cost::time_us(const queries::OpRow& op) const {
  const auto same = plain_.find(op.call_site);
  if (same == plain_.end()) return std::nullopt;
  const queries::OpRow& plain = *same->second;
  const bool of_gpu = op.gpu_us && plain.gpu_us;  // the CPU time of a GPU call is only its launch
  const double more = of_gpu ? per_call(plain, *plain.gpu_us) - per_call(op, *op.gpu_us)
                             : per_call(plain, plain.cpu_us) - per_call(op, op.cpu_us);
  return more * static_cast<double>(op.calls) / steps_;
}

std::optional<double> Fp32Cost::time_us(const FunctionInModule& candidate) const {
  double sum = 0.0;
  for (const auto* sites : {&candidate.forward, &candidate.backward}) {
    for (const queries::OpRow* op : *sites) {
      const auto time = time_us(*op);
      if (!time) return std::nullopt;
      sum += *time;
    }
  }
  return sum;
}

std::int64_t Fp32Cost::cast_bytes(const FunctionInModule& candidate) const {
  double bytes = 0.0;
  for (const queries::OpRow* op : candidate.forward) {
    bytes -= static_cast<double>(op->cast_bytes);
    for (const TensorInfo& tensor : signature_from(op->signature).tensors) {
      if (is_reduced_precision(tensor.dtype)) bytes += 4 * elements_of(tensor) * static_cast<double>(op->calls);
    }
  }
  return static_cast<std::int64_t>(std::clamp(bytes / steps_, -9e18, 9e18));
}

}  // namespace ampprof::advice
