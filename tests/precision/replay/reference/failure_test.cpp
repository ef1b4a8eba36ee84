// SPDX-License-Identifier: Apache-2.0
#include "precision/replay/reference/failure.h"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <functional>
#include <stdexcept>

namespace ampprof::reference {
namespace failure_test {

std::string reason_for(const std::function<void()>& work) {
  try {
    work();
  } catch (const std::exception& error) {
    return reason_of(error);
  }
  return "";
}

at::Tensor zeros(std::initializer_list<std::int64_t> size) { return at::zeros(size); }

TEST(FailedReplay, SaysThatShapesDependOnValuesWhateverTheSizes) {
  const std::string reason = reason_for([] { zeros({14}) + zeros({15}); });
  EXPECT_EQ(reason, "a shape depends on values, and the replayed values give another shape");
  EXPECT_EQ(reason_for([] { zeros({3}) + zeros({2}); }), reason);
  EXPECT_EQ(reason_for([] { at::mm(zeros({3, 4}), zeros({5, 6})); }), reason);
  EXPECT_EQ(reason_for([] { zeros({7}).view({2, 3}); }), reason);
  EXPECT_EQ(reason_for([] { at::cat({zeros({2, 3}), zeros({2, 4})}); }), reason);
  EXPECT_EQ(reason_for([] { zeros({7}).expand({3}); }), reason);
}

TEST(FailedReplay, SaysThatAnIndexIsOutside) {
  const at::Tensor index = at::full({1}, 9, at::kLong);
  EXPECT_EQ(reason_for([&] {
              at::embedding(zeros({3, 2}), index);
            }),
            "the replayed values give an index outside the tensor");
  EXPECT_EQ(reason_for([&] { zeros({3}).index_select(0, index); }),
            "the replayed values give an index outside the tensor");
}

TEST(FailedReplay, SaysThatThereIsNoKernel) {
  EXPECT_EQ(reason_for([] { at::bitwise_and(zeros({2}), zeros({2})); }),
            "LibTorch has no kernel for it in the reference's type");
}

TEST(FailedReplay, QuotesTheFirstLineOfAnUnknownError) {
  EXPECT_EQ(reason_for([] { throw std::runtime_error("no such thing\nat line 3"); }), "no such thing");
  EXPECT_EQ(reason_for([] { TORCH_CHECK(false, "half only"); }), "half only");
}

}  // namespace failure_test
}  // namespace ampprof::reference
