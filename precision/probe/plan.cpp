// SPDX-License-Identifier: Apache-2.0
#include "precision/probe/plan.h"

#include <algorithm>
#include <array>
#include <tuple>

#include "precision/probe/lines.h"
#include "precision/rules/matmuls/gemm.h"

namespace ampprof::probe {
namespace {

constexpr std::array kTypes{Arithmetic{DType::Half}, Arithmetic{DType::BFloat16}, Arithmetic{DType::Float, true},
                            Arithmetic{DType::Float}};

/// A matmul as it is to be computed: with recorded or padded sizes, and in one type.
struct Variant {
  Workload workload;
  Arithmetic arithmetic;
  bool is_padded = false;
};

Arithmetic arithmetic_of(const RecordedMatmul& recorded) {
  const DType dtype = recorded.matmul.dtype;
  return {dtype, dtype == DType::Float && recorded.tf32_allowed};
}

/// Returns the matmul as recorded, then with padded sizes, then in the other types. For a type without Tensor Cores the
/// advice is FP16, so the padded sizes are tried in FP16.
std::vector<Variant> variants_of(const RecordedMatmul& recorded, const Workload& workload) {
  const Arithmetic own = arithmetic_of(recorded);
  std::vector<Variant> variants{{workload, own}};
  if (!recorded.faults.empty()) {
    variants.push_back({padded(workload, recorded.faults), recorded.has_tensor_cores ? own : kTypes.front(), true});
  }
  for (const Arithmetic& other : kTypes) {
    if (other != own) variants.push_back({workload, other});
  }
  return variants;
}

/// Collects the cases of a plan, each once.
class Planner {
 public:
  explicit Planner(const Wanted& wanted) : wanted_(wanted) {}

  void add(const RecordedMatmul& recorded, const Workload& workload) {
    const auto variants = variants_of(recorded, workload);
    const std::size_t count = wanted_.times ? variants.size() : 1;
    for (std::size_t i = 0; i < count; ++i) add(recorded, variants[i], i == 0);
  }

  void leave_out(const RecordedMatmul& recorded) {
    if (wanted_.times || rules::gemm_operands(rules::plain_name(recorded.matmul.op))) ++plan_.left_out[recorded.run];
  }

  Plan take() { return std::move(plan_); }

 private:
  void add(const RecordedMatmul& recorded, const Variant& variant, bool is_as_run) {
    PlannedCase planned{.what = {variant.workload, variant.arithmetic}, .time = wanted_.times};
    planned.ask = is_as_run && wanted_.algorithms && !is_convolution(variant.workload);
    if (!planned.ask && !planned.time) return;
    add(recorded, variant, is_as_run, planned);
    if (!is_convolution(variant.workload)) return;
    planned.what.cudnn_benchmark = true;
    add(recorded, variant, is_as_run, planned);
  }

  void add(const RecordedMatmul& recorded, const Variant& variant, bool is_as_run, const PlannedCase& planned) {
    const auto [known, is_new] = by_text_.try_emplace(text_of(planned.what), plan_.cases.size());
    if (is_new) plan_.cases.push_back(planned);
    PlannedCase& there = plan_.cases[known->second];
    there.ask = there.ask || planned.ask;
    plan_.places.push_back({recorded.run, recorded.matmul, known->second, variant.is_padded, is_as_run});
  }

  Wanted wanted_;
  Plan plan_;
  std::map<std::string, std::size_t> by_text_;
};

/// Merges equal matmuls of a run and adds their times.
std::vector<RecordedMatmul> each_once(std::span<const RecordedMatmul> matmuls) {
  std::map<std::pair<std::int64_t, ProbedMatmul>, RecordedMatmul> once;
  for (const RecordedMatmul& recorded : matmuls) {
    const auto [known, is_new] = once.try_emplace({recorded.run, recorded.matmul}, recorded);
    if (!is_new) known->second.time_us += recorded.time_us;
  }
  std::vector<RecordedMatmul> list;
  for (auto& [key, recorded] : once) list.push_back(std::move(recorded));
  return list;
}

/// Sorts by the total time of equal matmuls in all runs, the longest first.
void order_by_time(std::vector<RecordedMatmul>& matmuls) {
  std::map<ProbedMatmul, double> times;
  for (const RecordedMatmul& recorded : matmuls) times[recorded.matmul] += recorded.time_us;
  const auto key = [&](const RecordedMatmul& recorded) {
    return std::tuple(-times.at(recorded.matmul), recorded.matmul, recorded.run);
  };
  std::ranges::sort(matmuls, {}, key);
}

}  // namespace

Plan plan_of(std::span<const RecordedMatmul> matmuls, const Wanted& wanted) {
  Planner planner(wanted);
  auto list = each_once(matmuls);
  order_by_time(list);
  for (const RecordedMatmul& recorded : list) {
    if (const auto workload = workload_of(recorded.matmul)) {
      planner.add(recorded, *workload);
    } else {
      planner.leave_out(recorded);
    }
  }
  return planner.take();
}

std::vector<rules::Fault> sizes_to_pad(std::span<const rules::Finding> findings) {
  std::vector<rules::Fault> faults;
  for (const rules::RuleAge age : {rules::RuleAge::Today, rules::RuleAge::Of2018}) {
    for (const rules::Finding& finding : findings) {
      if (finding.age == age) faults.insert(faults.end(), finding.faults.begin(), finding.faults.end());
    }
    if (!faults.empty()) break;
  }
  return faults;
}

}  // namespace ampprof::probe
