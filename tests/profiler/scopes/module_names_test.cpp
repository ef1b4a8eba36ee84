// SPDX-License-Identifier: Apache-2.0
#include "profiler/scopes/module_names.h"

#include <gtest/gtest.h>
#include <torch/torch.h>

#include <set>
#include <string>

namespace ampprof::profiler {
namespace module_names_test {

struct EncoderImpl : torch::nn::Module {
  EncoderImpl() { register_module("fc", fc); }
  torch::nn::Linear fc{2, 2};
};

struct ModelImpl : torch::nn::Module {
  ModelImpl() { register_module("encoder", encoder); }
  std::shared_ptr<EncoderImpl> encoder = std::make_shared<EncoderImpl>();
};

std::string path(const ModuleNames& names, const torch::nn::Module& module) {
  const std::string* found = names.path_of(&module);
  return found == nullptr ? "?" : *found;
}

std::string name(const ModuleNames& names, const at::Tensor& parameter) {
  const std::string* found = names.name_of(parameter.unsafeGetTensorImpl());
  return found == nullptr ? "?" : *found;
}

TEST(ModuleNames, AreTheRootsOwnWhereThereIsOneRoot) {
  const auto model = std::make_shared<ModelImpl>();
  ModuleNames names;
  names.add_root(*model);
  EXPECT_EQ(path(names, *model), "");
  EXPECT_EQ(path(names, *model->encoder->fc), "encoder.fc");
  EXPECT_EQ(name(names, model->encoder->fc->weight), "encoder.fc.weight");
}

TEST(ModuleNames, APartSeenFirstTakesItsPlaceInTheTreeLater) {
  const auto model = std::make_shared<ModelImpl>();
  ModuleNames names;
  names.add_root(*model->encoder);
  EXPECT_EQ(path(names, *model->encoder->fc), "fc");
  names.add_root(*model);
  names.add_root(*model->encoder);
  EXPECT_EQ(path(names, *model->encoder->fc), "encoder.fc");
}

TEST(ModuleNames, SeveralRootsAreDistinguishedByTheirClass) {
  const auto first = std::make_shared<ModelImpl>();
  const auto second = std::make_shared<EncoderImpl>();
  const auto third = std::make_shared<EncoderImpl>();
  ModuleNames names;
  names.add_root(*first);
  names.add_root(*second);
  names.add_root(*third);
  EXPECT_EQ(path(names, *first->encoder), "Model.encoder");
  EXPECT_EQ(path(names, *second->fc), "Encoder.fc");
  EXPECT_EQ(path(names, *third->fc), "Encoder2.fc");
}

TEST(ModuleNames, ACopyIsCalledWhatItsOriginalIsCalled) {
  const auto model = std::make_shared<ModelImpl>();
  ModuleNames names;
  names.add_root(*model);
  const auto& weight = model->encoder->fc->weight;
  const auto master = weight.detach().clone();
  names.add_copy(weight.unsafeGetTensorImpl(), master.unsafeGetTensorImpl());
  EXPECT_EQ(name(names, master), "encoder.fc.weight");
}

TEST(ModuleNames, ACopyThatWasMadeFirstIsCalledAfterItsOriginalOnceThatHasAName) {
  ModuleNames names;
  const auto weight = torch::ones({2});
  const auto master = weight.clone();
  names.add_copy(weight.unsafeGetTensorImpl(), master.unsafeGetTensorImpl());
  EXPECT_EQ(names.name_of(master.unsafeGetTensorImpl()), nullptr);
  names.add_parameter(weight.unsafeGetTensorImpl(), "fc.weight");
  EXPECT_EQ(name(names, master), "fc.weight");
}

TEST(ModuleNames, KnowsTheOwnerOfAGradientAndForgetsTheDead) {
  ModuleNames names;
  at::Tensor gradient;
  {
    const auto model = std::make_shared<ModelImpl>();
    names.add_root(*model);
    model->encoder->fc->forward(torch::ones({1, 2})).sum().backward();
    gradient = model->encoder->fc->bias.grad();
    EXPECT_EQ(names.owner_of(gradient.unsafeGetTensorImpl()), "encoder.fc.bias");
  }
  EXPECT_EQ(names.owner_of(gradient.unsafeGetTensorImpl()), "");
}

TEST(ShortClassName, DropsNamespacesAndTheImplOfHolders) {
  EXPECT_EQ(short_class_name("(anonymous namespace)::GeneratorImpl"), "Generator");
  EXPECT_EQ(short_class_name("Net"), "Net");
  EXPECT_EQ(short_class_name("Impl"), "Impl");
}

TEST(ModuleNames, EachLivingParameterIsVisited) {
  const auto model = std::make_shared<ModelImpl>();
  ModuleNames names;
  names.add_root(*model);
  {
    const at::Tensor gone = at::ones({2});
    names.add_parameter(gone.unsafeGetTensorImpl(), "gone");
  }
  std::set<std::string> visited;
  names.each_parameter(
      [&](const c10::intrusive_ptr<c10::TensorImpl>&, const std::string& name) { visited.insert(name); });
  EXPECT_EQ(visited, (std::set<std::string>{"encoder.fc.weight", "encoder.fc.bias"}));
}

}  // namespace module_names_test
}  // namespace ampprof::profiler
