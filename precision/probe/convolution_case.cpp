// SPDX-License-Identifier: Apache-2.0
#include "precision/probe/convolution_case.h"

#include <algorithm>
#include <charconv>
#include <span>

#include "precision/rules/matmuls/convolution.h"

namespace ampprof::probe {
namespace {

using Numbers = std::vector<std::int64_t>;

/// "2" for all axes, or "2,1". Empty for anything else.
std::optional<Numbers> along_axes(std::string_view text, std::size_t axes) {
  Numbers numbers;
  const char* at = text.data();
  const char* const end = at + text.size();
  while (at < end) {
    std::int64_t number = 0;
    const auto [after, error] = std::from_chars(at, end, number);
    if (error != std::errc{} || number < 0 || number > kLargestSize) return std::nullopt;
    numbers.push_back(number);
    if (after < end && *after != ',') return std::nullopt;
    at = std::min(after + 1, end);
  }
  if (numbers.size() == 1) numbers.resize(axes, numbers.front());
  return numbers.size() == axes ? std::optional(numbers) : std::nullopt;
}

/// Words that stand for numbers. What "same" adds on one side only, LibTorch adds before the convolution.
std::optional<Numbers> padding_of(std::string_view text, const Numbers& dilation,
                                  std::span<const std::int64_t> kernel) {
  if (text == "valid") return Numbers(kernel.size(), 0);
  if (text != "same") return along_axes(text, kernel.size());
  Numbers padding;
  for (std::size_t axis = 0; axis < kernel.size(); ++axis) padding.push_back(dilation[axis] * (kernel[axis] - 1) / 2);
  return padding;
}

bool are_possible(const Numbers& sizes) {
  return std::ranges::all_of(sizes, [](std::int64_t size) { return size > 0 && size <= kLargestSize; });
}

bool lies_by_channels(const TensorInfo& input) {
  const auto& strides = input.strides;
  return strides.size() >= 3 && strides[1] == 1 && input.shape[1] > 1;
}

std::int64_t number_of(std::string_view text) {
  std::int64_t number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

}  // namespace

std::optional<ConvolutionCase> convolution_case(std::string_view op, const Signature& signature) {
  const auto operands = rules::convolution_operands(op, signature);
  if (!operands || !rules::matmul_of_convolution(op, signature)) return std::nullopt;
  const TensorInfo& input = signature.tensors[operands->a];
  ConvolutionCase convolution{.input = input.shape,
                              .weight = signature.tensors[operands->a + 1].shape,
                              .groups = std::max<std::int64_t>(number_of(signature.attribute("groups", "1")), 1),
                              .is_transposed = operands->is_transposed,
                              .is_backward = operands->is_backward,
                              .is_channels_last = lies_by_channels(input)};
  if (convolution.input.size() < convolution.weight.size()) convolution.input.insert(convolution.input.begin(), 1);
  if (!are_possible(convolution.input) || !are_possible(convolution.weight)) return std::nullopt;
  const auto kernel = std::span(std::as_const(convolution.weight)).subspan(2);
  const auto stride = along_axes(signature.attribute("stride"), kernel.size());
  const auto dilation = along_axes(signature.attribute("dilation"), kernel.size());
  const auto output_padding = along_axes(signature.attribute("output_padding", "0"), kernel.size());
  if (!stride || !are_possible(*stride) || !dilation || !output_padding) return std::nullopt;
  const auto padding = padding_of(signature.attribute("padding"), *dilation, kernel);
  if (!padding) return std::nullopt;
  convolution.stride = *stride;
  convolution.padding = *padding;
  convolution.dilation = *dilation;
  convolution.output_padding = *output_padding;
  return convolution;
}

}  // namespace ampprof::probe
