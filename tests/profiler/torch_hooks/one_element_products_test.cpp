// SPDX-License-Identifier: Apache-2.0
#include "profiler/torch_hooks/one_element_products.h"

#include <gtest/gtest.h>
#include <torch/torch.h>

namespace ampprof::profiler {
namespace one_element_products_test {

using Products = OneElementProducts;

torch::Tensor loss_of(float value) { return torch::full({}, value, torch::requires_grad()) * 1; }

BackwardRoot root_of(const torch::Tensor& tensor) {
  return {tensor.grad_fn().get(), static_cast<std::uint32_t>(tensor.output_nr()), 0};
}

/// Multiplies, and reports the op as the observer does.
void multiply(Products& products, torch::Tensor& result, const torch::Tensor& operand, double factor,
              std::int32_t line) {
  auto taken = Products::operand_of(operand, {}, false);
  result = operand * factor;
  products.add(result, std::move(taken), {.value = factor}, line);
}

TEST(OneElementProducts, AreFoundFromTheRootOn) {
  Products products;
  const torch::Tensor loss = loss_of(1.1f);
  torch::Tensor scaled;
  torch::Tensor root;
  multiply(products, scaled, loss, 65536, 7);
  multiply(products, root, scaled, 0.25, 8);
  scaled.reset();
  const Products::Chain chain = products.at(root_of(root));
  ASSERT_EQ(chain.products.size(), 2u);
  EXPECT_EQ(chain.products[0].site, (LossSite{8, 0}));
  EXPECT_EQ(chain.products[1].factor.value, 65536.0);
  EXPECT_EQ(chain.operands[0].run.item<float>(), 65536 * 1.1f) << "lives on";
  EXPECT_EQ(chain.operands[1].run.item<float>(), 1.1f);
  EXPECT_FALSE(chain.operands[1].run.requires_grad());
  EXPECT_TRUE(products.at(root_of(loss_of(1))).products.empty());
}

TEST(OneElementProducts, OfOneLineAreNumberedFromTheLossOn) {
  Products products;
  torch::Tensor scaled;
  torch::Tensor root;
  multiply(products, scaled, loss_of(1.1f), 65536, 7);
  multiply(products, root, scaled, 0.25, 7);
  const Products::Chain chain = products.at(root_of(root));
  ASSERT_EQ(chain.products.size(), 2u);
  EXPECT_EQ(chain.products[0].site, (LossSite{7, 1}));
  EXPECT_EQ(chain.products[1].site, (LossSite{7, 0}));
}

TEST(OneElementProducts, AnOperandThatTheCallOverwritesIsCopied) {
  Products products;
  torch::Tensor loss = loss_of(3);
  auto taken = Products::operand_of(loss, {{torch::tensor(4.0f)}, {}}, /*is_overwritten=*/true);
  loss.mul_(8);
  products.add(loss, std::move(taken), {}, 1);
  const Products::Chain chain = products.at(root_of(loss));
  EXPECT_EQ(chain.operands.at(0).run.item<float>(), 3);
  EXPECT_EQ(chain.operands.at(0).in_replays.at(0).value.item<float>(), 4);
  EXPECT_FALSE(chain.operands.at(0).in_replays.at(1).value.defined());
}

TEST(OneElementProducts, AnOperandThatIsWrittenToLaterIsUnknown) {
  Products products;
  torch::Tensor loss = loss_of(3);
  torch::Tensor root;
  multiply(products, root, loss, 8, 1);
  loss.detach().zero_();
  const Products::Chain chain = products.at(root_of(root));
  EXPECT_EQ(chain.products.size(), 1u);
  EXPECT_FALSE(chain.operands.at(0).run.defined());
}

TEST(OneElementProducts, KeepNoLargeMemory) {
  const torch::Tensor many = torch::ones(1000, torch::requires_grad());
  const auto taken = Products::operand_of(many[3], {}, false);
  EXPECT_EQ(taken.value.run.storage().nbytes(), sizeof(float));
}

const LossChain kLine1{{.site = {1}}};

TEST(OneElementProducts, TellWhichValueTheProgramReads) {
  Products products;
  const torch::Tensor loss = loss_of(3);
  torch::Tensor root;
  multiply(products, root, loss, 8, 1);
  products.read(torch::ones({}));
  EXPECT_EQ(products.first_read_in(kLine1), std::nullopt);
  products.read(loss.detach());
  EXPECT_EQ(products.first_read_in(kLine1), 1u) << "the operand";
  products.read(root);
  EXPECT_EQ(products.first_read_in(kLine1), 0u) << "the product";
}

TEST(OneElementProducts, RememberWhatWasReadBefore) {
  Products products;
  const torch::Tensor losses = torch::ones(2, torch::requires_grad()) * 1;
  products.read(losses[0]);
  torch::Tensor root;
  multiply(products, root, losses[1], 0.25, 1);
  EXPECT_EQ(products.first_read_in(kLine1), std::nullopt) << "another element of the same memory";
  multiply(products, root, losses[0], 0.25, 1);
  EXPECT_EQ(products.first_read_in(kLine1), 1u);
}

TEST(OneElementProducts, MemoryThatIsUsedAgainIsAnother) {
  Products products;
  for (int i = 0; i < 100; ++i) {
    torch::Tensor root;
    multiply(products, root, loss_of(3), 8, 1);
    root.reset();
    products.read(torch::ones({}));
    EXPECT_EQ(products.first_read_in(kLine1), std::nullopt);
  }
}

}  // namespace one_element_products_test
}  // namespace ampprof::profiler
