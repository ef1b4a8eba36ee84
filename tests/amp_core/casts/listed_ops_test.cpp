// SPDX-License-Identifier: Apache-2.0
// Tests every op on the engine's cast lists: the type in which the op runs, and the type of its input's gradient.
#include "tests/amp_core/casts/listed_ops.h"

#include <ATen/core/dispatch/Dispatcher.h>
#include <gtest/gtest.h>

#include "amp_core/policy/cast_list.h"
#include "amp_core/torch_hooks/version.h"
#include "tests/amp_core/casts/in_force.h"

namespace amp {
namespace listed_ops_test {

struct Case {
  std::string list;
  ReducedType low;
  ListedOp op;
  int row;

  at::ScalarType low_type() const { return scalar_type_of(low); }
  Policy policy() const { return {list, low, {}}; }
};

void PrintTo(const Case& op, std::ostream* out) { *out << op.op.name << " of " << op.list << " in " << op.low_type(); }

CastPolicy policy_in(const std::string& list, const std::string& op) {
  const CastList text = list_named(list).for_torch(kTorchMinor);
  for (const auto& name : text.names()) {
    if (op_name_from(name).base == op) return text.policy_of(op_name_from(name));
  }
  return CastPolicy::Pass;
}

std::vector<Case> all_cases() {
  std::vector<Case> all;
  for (const char* list : {"apex", "native"}) {
    for (const auto low : {ReducedType::Float16, ReducedType::BFloat16}) {
      int row = 0;
      for (const auto& op : listed_ops()) {
        if (policy_in(list, op.name) != CastPolicy::Pass) all.push_back({list, low, op, row});
        ++row;
      }
    }
  }
  return all;
}

/// Returns the cases whose cast policy is in `policies`.
std::vector<Case> cases_of(const std::set<CastPolicy>& policies) {
  std::vector<Case> some = all_cases();
  std::erase_if(some, [&](const Case& op) { return !policies.contains(policy_in(op.list, op.op.name)); });
  return some;
}

std::string name_of_case(const testing::TestParamInfo<Case>& info) {
  const Case& op = info.param;
  return op.list + '_' + std::string(info_of(op.low).name) + '_' + op.op.name + '_' + std::to_string(op.row);
}

at::Tensor input(at::ScalarType type) { return ((torch::arange(16).reshape({4, 4}) + 1) / 32.0).to(type); }

class EveryListedOp : public testing::TestWithParam<Case> {
 protected:
  EveryListedOp() { enable_casts_on_this_thread(GetParam().policy()); }
  ~EveryListedOp() override { disable_casts_on_this_thread(); }

  CastPolicy policy() const { return policy_in(GetParam().list, GetParam().op.name); }

  /// Returns the expected type. Promotion gives FP32, because every other argument is FP32.
  at::ScalarType expected() const { return policy() == CastPolicy::Low ? GetParam().low_type() : at::kFloat; }
};

TEST_P(EveryListedOp, RunsInItsTypeAndKeepsItsInputsGradientType) {
  for (const auto type : {at::kFloat, GetParam().low_type()}) {
    SCOPED_TRACE(toString(type));
    const at::Tensor x = input(type).requires_grad_();
    if (policy() == CastPolicy::Banned && type != at::kFloat) {
      EXPECT_THROW(GetParam().op.run(x), c10::NotImplementedError);
      continue;
    }
    const at::Tensor y = GetParam().op.run(x);
    if (y.scalar_type() == at::kBool) continue;  // a comparison has no gradient
    EXPECT_EQ(y.scalar_type(), expected());
    ASSERT_TRUE(y.requires_grad());
    y.sum().backward();
    EXPECT_EQ(x.grad().scalar_type(), type);
  }
}

INSTANTIATE_TEST_SUITE_P(Casts, EveryListedOp, testing::ValuesIn(all_cases()), name_of_case);

using EveryOpInFp32 = EveryListedOp;

TEST_P(EveryOpInFp32, ComputesWhatFp32DoesOnTheSameInputs) {
  const at::Tensor x = input(GetParam().low_type());
  const at::Tensor y = GetParam().op.run(x);
  const DisableCasts off;
  EXPECT_TRUE(at::equal(y, GetParam().op.run(x.to(at::kFloat))));
}

INSTANTIATE_TEST_SUITE_P(Casts, EveryOpInFp32,
                         testing::ValuesIn(cases_of({CastPolicy::Fp32, CastPolicy::Fp32Output, CastPolicy::Promote})),
                         name_of_case);

using EveryOpOfDoubles = EveryListedOp;

TEST_P(EveryOpOfDoubles, LeavesThemAlone) {
  const at::Tensor x = input(at::kDouble);
  try {
    EXPECT_NE(GetParam().op.run(x).scalar_type(), GetParam().low_type());
  } catch (const c10::Error&) {
    SUCCEED() << "LibTorch does not mix these types, as without casts";
  }
}

INSTANTIATE_TEST_SUITE_P(Casts, EveryOpOfDoubles,
                         testing::ValuesIn(cases_of({CastPolicy::Low, CastPolicy::Fp32, CastPolicy::Fp32Output})),
                         name_of_case);

TEST(ListedOps, AreAllInTheTable) {
  std::set<std::string> in_table;
  for (const auto& op : listed_ops()) in_table.insert(op.name);
  for (const char* list : {"apex", "native"}) {
    for (const auto& name : list_named(list).for_torch(kTorchMinor).names()) {
      const std::string base = op_name_from(name).base;
      EXPECT_TRUE(in_table.contains(base) || cuda_only_ops().contains(base)) << base << " of " << list;
    }
  }
}

TEST(ListedOps, ThatOnlyAGpuRunsHaveAKernelThere) {
  const InForce casts("use native");
  for (const auto& name : cuda_only_ops()) {
    const auto op = c10::Dispatcher::singleton().findSchemaOrThrow(("aten::" + name).c_str(), "");
    EXPECT_TRUE(op.hasKernelForDispatchKey(c10::DispatchKey::AutocastCUDA)) << name;
  }
}

}  // namespace listed_ops_test
}  // namespace amp
