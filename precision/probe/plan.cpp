// SPDX-License-Identifier: Apache-2.0
#include "precision/probe/plan.h"

#include <algorithm>
#include <array>
#include <tuple>

#include "precision/probe/lines.h"

namespace ampprof {
namespace {

constexpr std::array kTypes{Arithmetic{DType::Half}, Arithmetic{DType::BFloat16}, Arithmetic{DType::Float, true},
                            Arithmetic{DType::Float}};

/// One way to compute a product.
struct Variant {
  Work work;
  Arithmetic arithmetic;
  bool is_padded = false;
};

Arithmetic arithmetic_of(const RecordedProduct& recorded) {
  const DType dtype = recorded.product.dtype;
  return {dtype, dtype == DType::Float && recorded.tf32_allowed};
}

/// As it ran first. A type without Tensor Cores is advised to be FP16, so that is where padding counts.
std::vector<Variant> variants_of(const RecordedProduct& recorded, const Work& work) {
  const Arithmetic own = arithmetic_of(recorded);
  std::vector<Variant> variants{{work, own}};
  if (!recorded.faults.empty()) {
    variants.push_back({padded(work, recorded.faults), recorded.has_tensor_cores ? own : kTypes.front(), true});
  }
  for (const Arithmetic& other : kTypes) {
    if (other != own) variants.push_back({work, other});
  }
  return variants;
}

/// Adds cases, each once.
class Planner {
 public:
  explicit Planner(const Wanted& wanted) : wanted_(wanted) {}

  void add(const RecordedProduct& recorded, const Work& work) {
    const auto variants = variants_of(recorded, work);
    const std::size_t count = wanted_.times ? variants.size() : 1;
    for (std::size_t i = 0; i < count; ++i) add(recorded, variants[i], i == 0);
  }

  void leave_out(const RecordedProduct& recorded) {
    if (wanted_.times || gemm_factors(plain_name(recorded.product.op))) ++plan_.left_out[recorded.run];
  }

  Plan take() { return std::move(plan_); }

 private:
  void add(const RecordedProduct& recorded, const Variant& variant, bool is_as_run) {
    PlannedCase planned{.what = {variant.work, variant.arithmetic}, .ask = false, .time = wanted_.times};
    planned.ask = is_as_run && wanted_.algorithms && !is_convolution(variant.work);
    if (!planned.ask && !planned.time) return;
    add(recorded, variant, is_as_run, planned);
    if (!is_convolution(variant.work)) return;
    planned.what.cudnn_benchmark = true;
    add(recorded, variant, is_as_run, planned);
  }

  void add(const RecordedProduct& recorded, const Variant& variant, bool is_as_run, const PlannedCase& planned) {
    const auto [known, is_new] = by_text_.try_emplace(text_of(planned.what), plan_.cases.size());
    if (is_new) plan_.cases.push_back(planned);
    PlannedCase& there = plan_.cases[known->second];
    there.ask = there.ask || planned.ask;
    plan_.places.push_back({recorded.run, recorded.product, known->second, variant.is_padded, is_as_run});
  }

  Wanted wanted_;
  Plan plan_;
  std::map<std::string, std::size_t> by_text_;
};

/// Times of the same product in the same run add up.
std::vector<RecordedProduct> each_once(std::span<const RecordedProduct> products) {
  std::map<std::pair<std::int64_t, ProbedProduct>, RecordedProduct> once;
  for (const RecordedProduct& recorded : products) {
    const auto [known, is_new] = once.try_emplace({recorded.run, recorded.product}, recorded);
    if (!is_new) known->second.time_us += recorded.time_us;
  }
  std::vector<RecordedProduct> list;
  for (auto& [key, recorded] : once) list.push_back(std::move(recorded));
  return list;
}

/// Where several runs computed the same, their times add up.
void order_by_time(std::vector<RecordedProduct>& products) {
  std::map<ProbedProduct, double> times;
  for (const RecordedProduct& recorded : products) times[recorded.product] += recorded.time_us;
  const auto key = [&](const RecordedProduct& recorded) {
    return std::tuple(-times.at(recorded.product), recorded.product, recorded.run);
  };
  std::ranges::sort(products, {}, key);
}

}  // namespace

Plan plan_of(std::span<const RecordedProduct> products, const Wanted& wanted) {
  Planner planner(wanted);
  auto list = each_once(products);
  order_by_time(list);
  for (const RecordedProduct& recorded : list) {
    if (const auto work = work_of(recorded.product)) {
      planner.add(recorded, *work);
    } else {
      planner.leave_out(recorded);
    }
  }
  return planner.take();
}

std::vector<Fault> sizes_to_pad(std::span<const Finding> findings) {
  std::vector<Fault> faults;
  for (const RuleAge age : {RuleAge::Today, RuleAge::Of2018}) {
    for (const Finding& finding : findings) {
      if (finding.age == age) faults.insert(faults.end(), finding.faults.begin(), finding.faults.end());
    }
    if (!faults.empty()) break;
  }
  return faults;
}

}  // namespace ampprof
