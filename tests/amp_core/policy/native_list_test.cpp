// SPDX-License-Identifier: Apache-2.0
// Compares the native list with the macros of this LibTorch and with its kernels for CUDA autocast. This test must not
// install kernels of the engine, so that it sees only LibTorch's kernels.
#include "amp_core/policy/native_list.h"

#include <ATen/autocast_mode.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "amp_core/policy/cast_list.h"
#include "amp_core/torch_hooks/version.h"

namespace amp {
namespace native_list_test {

#define AS_TEXT_1(OP) #OP
#define AS_TEXT_2(OP, OVERLOAD) #OP "." #OVERLOAD
#define PICK(FIRST_, SECOND_, NAME, ...) NAME
#define NAME_OF(...) PICK(__VA_ARGS__, AS_TEXT_2, AS_TEXT_1)(__VA_ARGS__),
#define NAME_OF_DIFFERENT(FUNCTION, NAME, ...) NAME,

const std::map<CastPolicy, std::vector<std::string>> kMacros{
    {CastPolicy::Low, {AT_FORALL_LOWER_PRECISION_FP(NAME_OF)}},
    {CastPolicy::Fp32, {AT_FORALL_FP32(NAME_OF)}},
    {CastPolicy::Fp32Output,
     {AT_FORALL_FP32_SET_OPT_DTYPE(NAME_OF) AT_FORALL_DIFFERENT_REDISPATCH_SIGNATURE(NAME_OF_DIFFERENT)}},
    {CastPolicy::Promote, {AT_FORALL_PROMOTE(NAME_OF)}},
};

/// Ops that LibTorch casts outside its macros. The first three are in libtorch_cuda, which this test does not load.
const std::map<std::string, CastPolicy> kByHand{{"_cudnn_rnn", CastPolicy::Low},
                                                {"cudnn_convolution", CastPolicy::Low},
                                                {"cudnn_convolution_transpose", CastPolicy::Low},
                                                {"binary_cross_entropy", CastPolicy::Banned}};

/// Overloads that LibTorch does not cast, although the native list has their base name.
const std::set<std::string> kOursAlone{
    // The program chooses the output type:
    "mm.dtype",
    "bmm.dtype",
    "addmm.dtype",
    "baddbmm.dtype",
    "_scaled_dot_product_flash_attention.quantized",  // without floating arguments to cast
};

const CastList& list() {
  static const CastList instance = list_named("native").for_torch(kTorchMinor);
  return instance;
}

std::set<std::string> registered_for(c10::DispatchKey key) {
  std::set<std::string> names;
  for (const auto& op : c10::Dispatcher::singleton().getRegistrationsForDispatchKey(key)) {
    if (op.name.starts_with("aten::")) names.insert(toString(op).substr(6));
  }
  return names;
}

/// Returns whether an op calls other overloads, through which LibTorch casts it.
bool is_composite(const std::string& name) {
  const OpName op = op_name_from(name);
  const auto handle = c10::Dispatcher::singleton().findSchema({"aten::" + op.base, op.overload});
  return handle && handle->hasKernelForDispatchKey(c10::DispatchKey::CompositeImplicitAutograd);
}

TEST(NativeList, GivesEveryOpOfLibTorchsMacrosItsPolicy) {
  std::size_t count = 0;
  for (const auto& [policy, names] : kMacros) {
    for (const auto& name : names) {
      EXPECT_EQ(list().policy_of(op_name_from(name)), policy) << "LibTorch's macros list " << name << " otherwise";
      ++count;
    }
  }
  EXPECT_GT(count, 110U);
}

TEST(NativeList, HasEveryOpThatLibTorchCastsOnCuda) {
  for (const auto& name : registered_for(c10::DispatchKey::AutocastCUDA)) {
    EXPECT_NE(list().policy_of(op_name_from(name)), CastPolicy::Pass) << "policy/native_list lacks " << name;
  }
  for (const auto& [name, policy] : kByHand) EXPECT_EQ(list().policy_of(op_name_from(name)), policy) << name;
}

TEST(NativeList, HasNoOpThatLibTorchDoesNotCast) {
  const auto registered = registered_for(c10::DispatchKey::AutocastCUDA);
  for (const auto& op : c10::Dispatcher::singleton().getAllOpNames()) {
    if (!op.name.starts_with("aten::")) continue;
    const std::string name = toString(op).substr(6);
    const bool is_listed = !is_in_place(op.name) && list().policy_of(op_name_from(name)) != CastPolicy::Pass;
    if (!is_listed || registered.contains(name) || kByHand.contains(name) || kOursAlone.contains(name)) continue;
    EXPECT_TRUE(is_composite(name)) << "policy/native_list has " << name << ", which LibTorch does not cast";
  }
}

TEST(NativeList, EveryNameIsAnOp) {
  std::set<std::string> known;
  for (const auto& op : c10::Dispatcher::singleton().getAllOpNames()) {
    known.insert(op.name.substr(op.name.find("::") + 2));
    known.insert(toString(op).substr(op.name.find("::") + 2));
  }
  for (const auto& name : list().names()) EXPECT_TRUE(known.contains(name)) << name << " is gone";
}

}  // namespace native_list_test
}  // namespace amp
