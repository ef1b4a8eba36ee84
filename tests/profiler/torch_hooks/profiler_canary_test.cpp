// SPDX-License-Identifier: Apache-2.0
// Canaries for LibTorch internals that the observer relies on. A failure names the broken assumption.
#include <ATen/autocast_mode.h>
#include <dlfcn.h>
#include <gtest/gtest.h>
#include <torch/csrc/autograd/custom_function.h>
#include <torch/csrc/autograd/profiler_kineto.h>
#include <torch/csrc/autograd/variable.h>
#include <torch/types.h>

#include <atomic>
#include <string>
#include <vector>

#include "profiler/torch_hooks/autocast_cache.h"
#include "profiler/torch_hooks/backward_pass.h"
#include "profiler/torch_hooks/collective_work.h"
#include "profiler/torch_hooks/cotangents.h"
#include "profiler/torch_hooks/observer_key.h"
#include "profiler/torch_hooks/one_element_results.h"
#include "profiler/torch_hooks/torch_state.h"
#include "tests/profiler/one_rank.h"

namespace ampprof::profiler {
namespace profiler_canary_test {

TEST(TorchHooks, TheObserversKeyLiesAboveAutocastAndAutograd) {
  const c10::DispatchKeySet below(c10::DispatchKeySet::FULL_AFTER, kObserverKey);
  EXPECT_TRUE(below.has(c10::DispatchKey::AutocastCPU)) << "the observer would see inputs after AMP's casts";
  EXPECT_TRUE(below.has(c10::DispatchKey::AutogradCPU)) << "the observer would see autograd's inner ops";
}

TEST(TorchHooks, ANodesSequenceNumberIsTheOneThatItsForwardOpTook) {
  const auto x = torch::ones({2}, torch::requires_grad());
  const std::uint64_t expected = next_sequence_number();
  const auto y = x * 3;
  EXPECT_EQ(y.grad_fn()->sequence_nr(), expected) << "backward ops could not be linked to modules";
}

struct Seen {
  bool inside = false;
  std::uint64_t number = 0;
};
Seen g_seen;

struct Probe : torch::autograd::Function<Probe> {
  static torch::Tensor forward(torch::autograd::AutogradContext*, const torch::Tensor& x) { return x.clone(); }
  static torch::autograd::variable_list backward(torch::autograd::AutogradContext*,
                                                 torch::autograd::variable_list gradients) {
    g_seen.inside = inside_backward();
    if (g_seen.inside) g_seen.number = backward_sequence_number();
    return gradients;
  }
};

TEST(TorchHooks, TheCurrentNodeIsKnownInsideBackwardOnly) {
  const auto x = torch::ones({2}, torch::requires_grad());
  const auto y = Probe::apply(x);
  g_seen = {};
  EXPECT_FALSE(inside_backward());
  y.sum().backward();
  EXPECT_FALSE(inside_backward());
  EXPECT_TRUE(g_seen.inside) << "backward ops would be taken for forward ops";
  EXPECT_EQ(g_seen.number, y.grad_fn()->sequence_nr());
}

TEST(TorchHooks, OutputsOfANodeFlowToTheNodesOfItsOperands) {
  const auto x = torch::ones({2}, torch::requires_grad());
  const auto y = x * 2;
  const auto z = y.exp();
  GraphPlace of_exp, of_product;
  std::size_t given = 0;
  when_node_ends(place_in_graph(z).node, [&](const void* node, const std::vector<at::Tensor>& outputs) {
    of_exp = next_place(node, 0);
    given = outputs.size();
  });
  when_node_ends(place_in_graph(y).node, [&](const void* node, const auto&) { of_product = next_place(node, 0); });
  z.sum().backward();
  EXPECT_EQ(given, 1u);
  EXPECT_EQ(of_exp, place_in_graph(y)) << "errors of backward ops would meet no tangent";
  EXPECT_EQ(of_product.leaf, x.unsafeGetTensorImpl()) << "errors of parameters' gradients would meet none";
}

TEST(TorchHooks, ErrorsGoThroughNodesThatOnlyLayOut) {
  const auto x = torch::ones({6, 2}, torch::requires_grad());
  const std::uint64_t first = next_sequence_number();
  const auto y = x.view({3, 4}).t().to(torch::kHalf);
  EXPECT_EQ(nodes_behind(y, first).size(), 3u);
  GraphPlace place = place_in_graph(y);
  at::Tensor error = torch::arange(12).view({4, 3});
  const at::Tensor expected = error.t().reshape({6, 2});
  for (int node = 0; node < 3; ++node) EXPECT_TRUE(go_through(place, error)) << node;
  EXPECT_EQ(place.leaf, x.unsafeGetTensorImpl());
  EXPECT_TRUE(at::equal(error, expected));
  EXPECT_FALSE(go_through(place, error)) << "a leaf is the end";
}

TEST(TorchHooks, AccumulateGradHasTheLargestSequenceNumber) {
  const auto x = torch::ones({2}, torch::requires_grad());
  EXPECT_EQ(torch::autograd::impl::grad_accumulator(x)->sequence_nr(), UINT64_MAX)
      << "parameters' gradients would have no module path";
}

TEST(TorchHooks, GradScalersOpsTakeWhatTheStageReads) {
  auto& dispatcher = c10::Dispatcher::singleton();
  const auto unscale = dispatcher.findSchemaOrThrow("aten::_amp_foreach_non_finite_check_and_unscale_", "");
  ASSERT_EQ(unscale.schema().arguments().size(), 3u);
  EXPECT_EQ(unscale.schema().arguments()[1].name(), "found_inf");
  EXPECT_EQ(unscale.schema().arguments()[2].name(), "inv_scale");
  const auto update = dispatcher.findSchemaOrThrow("aten::_amp_update_scale_", "");
  EXPECT_EQ(update.schema().arguments()[2].name(), "found_inf");
  EXPECT_EQ(update.schema().returns().size(), 1u) << "the new scale is read from the result";
}

TEST(TorchHooks, TheVersionIsWhereTheStubLooksForIt) {
  using AbiVersion = std::uint64_t (*)();
  const auto abi_version = reinterpret_cast<AbiVersion>(dlsym(RTLD_DEFAULT, "aoti_torch_abi_version"));
  ASSERT_NE(abi_version, nullptr) << "the stub would find no recorder for this LibTorch";
  const auto part = [&](int place) { return std::to_string(abi_version() >> (56 - 8 * place) & 0xff); };
  EXPECT_EQ(part(0) + '.' + part(1) + '.' + part(2), describe_torch(false).torch_version)
      << "the stub would take the recorder of another LibTorch";
}

TEST(TorchHooks, APyTorchProfilerOfThisThreadIsSeen) {
  using torch::profiler::impl::ProfilerConfig;
  EXPECT_FALSE(profiles_itself());
  const std::set<torch::profiler::impl::ActivityType> cpu{torch::profiler::impl::ActivityType::CPU};
  const ProfilerConfig config(torch::profiler::impl::ProfilerState::KINETO);
  torch::autograd::profiler::prepareProfiler(config, cpu);
  torch::autograd::profiler::enableProfiler(config, cpu);
  EXPECT_TRUE(profiles_itself());
  torch::autograd::profiler::disableProfiler();
  EXPECT_FALSE(profiles_itself());
}

TEST(TorchHooks, AutocastKeepsTheCopyOfALeafUntilItsCacheIsCleared) {
  using at::autocast::cached_cast;
  at::autocast::set_autocast_enabled(at::kCPU, true);
  at::autocast::set_autocast_dtype(at::kCPU, at::kBFloat16);
  const auto weight = torch::ones({2, 2}, torch::requires_grad());
  const auto batch = torch::ones({2, 2});
  AutocastCache cache;
  at::Tensor copy = cached_cast(at::kBFloat16, weight, at::kCPU);
  const c10::weak_intrusive_ptr<c10::TensorImpl, c10::UndefinedTensorImpl> weak(copy.getIntrusivePtr());
  EXPECT_FALSE(cache.given(weight, copy, 1));
  const auto hit = cache.given(weight, cached_cast(at::kBFloat16, weight, at::kCPU), 2);
  ASSERT_TRUE(hit) << "hits would be counted as casts";
  EXPECT_EQ(*hit, 1);
  EXPECT_TRUE(cached_cast(at::kFloat, weight, at::kCPU).is_same(weight)) << "no cast would be taken for one";
  for (int i = 0; i < 2; ++i) EXPECT_FALSE(cache.given(batch, cached_cast(at::kBFloat16, batch, at::kCPU), 1));
  copy.reset();
  at::autocast::clear_cache();
  EXPECT_TRUE(weak.expired()) << "ampprof keeps copies alive";
  cache.clear();
  EXPECT_FALSE(cache.given(weight, cached_cast(at::kBFloat16, weight, at::kCPU), 3)) << "it was cast anew";
  at::autocast::clear_cache();
  at::autocast::set_autocast_enabled(at::kCPU, false);
}

TEST(TorchHooks, OutsideTorchScriptThereIsNoScriptPath) { EXPECT_EQ(script_module_path(), ""); }

torch::autograd::edge_list edges_of(const std::vector<torch::Tensor>& roots) {
  torch::autograd::edge_list edges;
  for (const torch::Tensor& root : roots) edges.push_back(torch::autograd::impl::gradient_edge(root));
  return edges;
}

TEST(TorchHooks, ALossIsFoundByTheNodeThatItsBackwardBeginsAt) {
  const auto x = torch::ones({3}, torch::requires_grad());
  OneElementResults results;
  const torch::Tensor loss = (x * 2).sum();
  const std::vector<torch::Tensor> parts = x.unbind();
  results.add(loss);
  for (const torch::Tensor& part : parts) results.add(part);
  const torch::autograd::edge_list edges = edges_of({parts[2], loss});
  const std::vector<BackwardRoot> roots = roots_of(&edges);
  ASSERT_EQ(roots.size(), 2u);
  EXPECT_TRUE(results.at(roots[0]).is_same(parts[2])) << "one node may make several results";
  EXPECT_TRUE(results.at(roots[1]).is_same(loss));
  EXPECT_EQ(roots[1].sequence_number, loss.grad_fn()->sequence_nr());
}

TEST(TorchHooks, OnlyALivingResultOfOneElementWithAGradientIsALoss) {
  const auto x = torch::ones({3}, torch::requires_grad());
  OneElementResults results;
  const auto edge_of = [](const torch::Tensor& root) {
    const torch::autograd::edge_list edges = edges_of({root});
    return roots_of(&edges).at(0);
  };
  const torch::Tensor many = x * 2;
  results.add(many);
  results.add(torch::ones({1}));
  EXPECT_FALSE(results.at(edge_of(many)).defined());
  torch::Tensor loss = many.sum();
  const auto node = loss.grad_fn();
  const BackwardRoot root = edge_of(loss);
  results.add(loss);
  loss.reset();
  EXPECT_FALSE(results.at(root).defined()) << "it is not kept alive";
  results.add(torch::Tensor());
}

TEST(TorchHooks, ALossThatWasWrittenToHasTheNodeOfTheWriting) {
  const auto x = torch::ones({3}, torch::requires_grad());
  OneElementResults results;
  torch::Tensor loss = x.sum();
  results.add(loss);
  loss += x.prod();
  results.add(loss);
  const torch::autograd::edge_list edges = edges_of({loss});
  EXPECT_TRUE(results.at(roots_of(&edges).at(0)).is_same(loss));
}

TEST(TorchHooks, OpsOfC10dTakeAGroupAndAReductionAndGiveWorkLast) {
  for (const char* name : {"c10d::allreduce_", "c10d::_reduce_scatter_base_", "c10d::reduce_"}) {
    const auto op = collective_op(name);
    const auto& schema = op.schema();
    EXPECT_TRUE(takes_group(schema)) << name << ": calls of collectives would not be recorded";
    EXPECT_TRUE(schema.argumentIndexWithName("reduce_op")) << name;
    EXPECT_NE(schema.returns().back().type()->str().find("c10d.Work"), std::string::npos) << name;
  }
  for (const char* name : {"c10d::_allgather_base_", "c10d::broadcast_", "_c10d_functional::all_reduce"}) {
    EXPECT_TRUE(takes_group(collective_op(name).schema())) << name;
  }
}

TEST(TorchHooks, TheGroupOfACollectiveIsKnown) {
  const auto group = group_of_one("blue");
  const torch::jit::Stack stack = all_reduce_of({torch::ones({2})}, group, c10d::ReduceOp::AVG);
  const GroupOfCall found = group_of(collective_op("c10d::allreduce_"), stack);
  EXPECT_EQ(found.name, "blue");
  EXPECT_EQ(found.size, 1);
  EXPECT_EQ(found.reduction, "avg");
  const torch::jit::Stack functional{torch::ones({2}), "sum", "red"};
  const GroupOfCall by_name = group_of(collective_op("_c10d_functional::all_reduce"), functional);
  EXPECT_EQ(by_name.name, "red");
  EXPECT_EQ(by_name.reduction, "sum");
}

TEST(TorchHooks, WaitingForGlooIncludesTheCallbackAtItsEnd) {
  const auto group = group_of_one("");
  for (int i = 0; i < 20; ++i) {
    torch::jit::Stack stack = all_reduce_of({torch::ones({1 << 12})}, group);
    collective_op("c10d::allreduce_").callBoxed(&stack);
    std::atomic<int> ends{0};
    when_done(stack, [&ends] { ++ends; });
    wait_for_work(stack);
    EXPECT_EQ(ends.load(), 1) << "a collective would end later than the program knows, or never";
    when_done(stack, [&ends] { ++ends; });
    EXPECT_EQ(ends.load(), 2) << "what is done already is said at once";
  }
}

TEST(TorchHooks, ResultsWithoutWorkSayNothing) {
  const torch::jit::Stack tensors{torch::ones({2})};
  when_done(tensors, [] { ADD_FAILURE() << "nothing is under way"; });
  when_done({}, [] { ADD_FAILURE() << "nothing is under way"; });
}

}  // namespace profiler_canary_test
}  // namespace ampprof::profiler
