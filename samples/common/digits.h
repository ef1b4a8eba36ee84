// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>

namespace samples {

/// Images [n, 1, 28, 28] in FP32, 0 to 1, and their labels 0 to 9.
struct Digits {
  at::Tensor images;
  at::Tensor labels;

  std::int64_t size() const { return labels.size(0); }
  Digits to(at::Device device) const { return {images.to(device), labels.to(device)}; }
};

struct DigitSplit {
  Digits train;  ///< 400 of each digit
  Digits test;   ///< 100 of each digit
};

/// Loads the 5,000 digits that are installed beside the program. The held-out digits depend on the seed alone. Does not
/// change LibTorch's random state.
DigitSplit load_digits(std::uint64_t seed);

/// Returns batches in a new random order each epoch. Leaves out an incomplete last batch.
class Batches {
 public:
  Batches(Digits digits, std::int64_t batch_size) : digits_(std::move(digits)), batch_size_(batch_size) {}

  Digits next();

 private:
  Digits digits_;
  std::int64_t batch_size_;
  std::int64_t position_ = 0;
  at::Tensor order_;
};

}  // namespace samples
