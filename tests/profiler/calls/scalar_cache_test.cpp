// SPDX-License-Identifier: Apache-2.0
#include "profiler/calls/scalar_cache.h"

#include <gtest/gtest.h>
#include <torch/types.h>

#include <algorithm>
#include <iterator>

namespace ampprof::profiler {
namespace scalar_cache_test {

std::vector<double> read(const std::vector<at::Tensor>& tensors) {
  std::vector<double> numbers;
  std::ranges::transform(tensors, std::back_inserter(numbers), [](const at::Tensor& t) { return t.item().toDouble(); });
  return numbers;
}

/// Writes without a change of the version counter, so that only a second read sees the write.
void write_unseen(const at::Tensor& tensor, float value) { *tensor.mutable_data_ptr<float>() = value; }

TEST(ScalarCache, AreReadOnceUntilSomethingWritesToThem) {
  ScalarCache known(read);
  const at::Tensor scale = torch::tensor(4.0f);
  EXPECT_EQ(known.of({scale}), std::vector<double>{4.0});
  write_unseen(scale, 5.0f);
  EXPECT_EQ(known.of({scale}), std::vector<double>{4.0}) << "known";
  scale.fill_(6.0);
  EXPECT_EQ(known.of({scale}), std::vector<double>{6.0});
}

TEST(ScalarCache, CanBeToldAndStandInTheirOrder) {
  ScalarCache known(read);
  const at::Tensor told = torch::tensor(1.0f);
  known.put(told, 8.0);
  const std::vector<double> expected{3.0, 8.0, 2.0};
  EXPECT_EQ(known.of({torch::tensor(3), told, torch::tensor({2.0}, torch::kDouble)}), expected);
}

TEST(ScalarCache, OfATensorThatIsGoneAreForgotten) {
  ScalarCache known(read);
  for (int i = 0; i < 100; ++i) {  // some tensors reuse the memory of earlier ones
    EXPECT_EQ(known.of({torch::tensor(static_cast<float>(i))}).at(0), i);
  }
}

TEST(ScalarCache, OfInferenceTensorsAreReadEachTime) {
  ScalarCache known(read);
  const c10::InferenceMode inference;
  const at::Tensor number = torch::tensor(1.0f);
  EXPECT_EQ(known.of({number}).at(0), 1.0);
  write_unseen(number, 2.0f);
  EXPECT_EQ(known.of({number}).at(0), 2.0);
}

}  // namespace scalar_cache_test
}  // namespace ampprof::profiler
