// SPDX-License-Identifier: Apache-2.0
#include "samples/common/digits.h"

#include <ATen/CPUGeneratorImpl.h>
#include <torch/torch.h>

#include "samples/common/csv.h"
#include "samples/common/data_file.h"

namespace samples {
namespace {

constexpr const char* kFile = "mnist_5k.csv.gz";
constexpr std::int64_t kPixels = 28 * 28;
constexpr std::int64_t kHeldOutPerDigit = 100;

Digits read_digits() {
  std::vector<std::uint8_t> values = parse_csv(read_data_file(kFile), kPixels + 1, kFile);
  const auto rows = static_cast<std::int64_t>(values.size()) / (kPixels + 1);
  const at::Tensor table = torch::from_blob(values.data(), {rows, kPixels + 1}, torch::kUInt8);
  return {table.slice(1, 0, kPixels).to(torch::kFloat).div(255).reshape({rows, 1, 28, 28}),
          table.select(1, kPixels).to(torch::kLong)};
}

Digits pick(const Digits& digits, const std::vector<at::Tensor>& indices) {
  const at::Tensor index = torch::cat(indices);
  return {digits.images.index_select(0, index), digits.labels.index_select(0, index)};
}

}  // namespace

DigitSplit load_digits(std::uint64_t seed) {
  const torch::NoGradGuard no_grad;
  const Digits all = read_digits();
  const at::Generator generator = at::make_generator<at::CPUGeneratorImpl>(seed);
  std::vector<at::Tensor> train;
  std::vector<at::Tensor> test;
  for (int digit = 0; digit < 10; ++digit) {
    const at::Tensor places = (all.labels == digit).nonzero().squeeze(1);
    const at::Tensor shuffled = places.index_select(0, torch::randperm(places.size(0), generator));
    test.push_back(shuffled.slice(0, 0, kHeldOutPerDigit));
    train.push_back(shuffled.slice(0, kHeldOutPerDigit));
  }
  return {pick(all, train), pick(all, test)};
}

Digits Batches::next() {
  if (!order_.defined() || position_ + batch_size_ > digits_.size()) {
    order_ = torch::randperm(digits_.size()).to(digits_.labels.device());
    position_ = 0;
  }
  const at::Tensor index = order_.slice(0, position_, position_ + batch_size_);
  position_ += batch_size_;
  return {digits_.images.index_select(0, index), digits_.labels.index_select(0, index)};
}

}  // namespace samples
