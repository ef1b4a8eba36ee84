// SPDX-License-Identifier: Apache-2.0
#include "profiler/drift/followed_tensors.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "precision/formats/types/spacing.h"
#include "precision/tensors/dtype_of.h"

namespace ampprof::profiler {
namespace {

constexpr std::int64_t kLeastSegments = 2;
constexpr std::int64_t kManyRestarts = 3;

const c10::StorageImpl* memory_of(const at::Tensor& tensor) { return tensor.storage().unsafeGetStorageImpl(); }

/// Merges `other` into `row`, which keeps the statistics of the tensor that drifted more.
void merge(Drift& row, Drift&& other) {
  const std::int64_t tensors = row.tensors + other.tensors;
  const std::int64_t restarts = std::max(row.restarts, other.restarts);
  const auto rank = [](const Drift& of) { return std::pair(of.verdict != DriftClass::Short, of.drift); };
  if (rank(other) > rank(row)) row = std::move(other);
  row.tensors = tensors;
  row.restarts = restarts;
}

}  // namespace

bool FollowedTensor::is(const at::Tensor& tensor) const {
  if (tensor.storage_offset() != offset) return false;
  if (tensor.sizes() == at::IntArrayRef(sizes) && tensor.strides() == at::IntArrayRef(strides)) return true;
  return is_contiguous && tensor.is_contiguous() && tensor.numel() == c10::multiply_integers(sizes);
}

FollowedTensors::Pointer FollowedTensors::find(const at::Tensor& tensor) const {
  if (!tensor.defined() || !tensor.has_storage()) return nullptr;
  const auto place = tensors_.find(memory_of(tensor));
  if (place == tensors_.end()) return nullptr;
  const auto found = std::ranges::find_if(place->second, [&](const Pointer& known) { return known->is(tensor); });
  return found == place->second.end() ? nullptr : *found;
}

FollowedTensors::Pointer FollowedTensors::follow(const at::Tensor& tensor, drift::FollowedSample sample) {
  std::vector<Pointer>& beside = tensors_[memory_of(tensor)];
  if (const Pointer known = find(tensor)) {
    close(*known);
    std::erase(beside, known);
  }
  return beside.emplace_back(std::make_shared<FollowedTensor>(
      FollowedTensor{.storage = tensor.storage().getWeakStorageImpl(),
                     .offset = tensor.storage_offset(),
                     .sizes = tensor.sizes().vec(),
                     .strides = tensor.strides().vec(),
                     .is_contiguous = tensor.is_contiguous(),
                     .sample = std::move(sample),
                     .row = {.dtype = tensors::dtype_of(tensor), .elements = tensor.numel()}}));
}

void FollowedTensors::restart(FollowedTensor& tensor, std::vector<double> run) {
  if (tensor.sample.segments() >= kLeastSegments) close(tensor);
  tensor.sample = drift::FollowedSample(std::move(run));
  ++tensor.row.restarts;
}

void FollowedTensors::renew(FollowedTensor& tensor, std::int64_t segment) {
  close(tensor);
  tensor.sample = tensor.sample.anew(segment);
}

void FollowedTensors::sweep() {
  std::vector<const FollowedTensor*> ended;
  const auto is_gone = [](const std::vector<Pointer>& tensors) {
    return tensors.empty() || tensors.front()->storage.expired();
  };
  for (const auto& [memory, tensors] : tensors_) {
    for (const Pointer& tensor : tensors) {
      tensor->ancestors.clear();
      if (is_gone(tensors)) ended.push_back(tensor.get());
    }
  }
  close(ended);
  std::erase_if(tensors_, [&](const auto& entry) { return is_gone(entry.second); });
}

/// Makes the rows of tensors whose lives end at the same time. In compensated summation one tensor holds the rounding
/// error of another one, and the lives of both end together.
void FollowedTensors::close(std::span<const FollowedTensor* const> ended) {
  std::vector<Drift> rows;
  std::vector<std::vector<double>> differences;
  std::vector<drift::Pairing> pairs;
  rows.reserve(ended.size());
  differences.reserve(ended.size());
  for (const FollowedTensor* tensor : ended) {
    if (tensor->has_successor) continue;
    if (tensor->sample.segments() < kLeastSegments) {
      if (tensor->row.restarts >= kManyRestarts) ++lost_;
      continue;
    }
    Drift& row = rows.emplace_back(tensor->row);
    const error::Spacing spacing = error::spacing_of(row.dtype);
    tensor->sample.fill_statistics(row, std::ldexp(1.0, -spacing.mantissa_bits - 1));
    differences.push_back(tensor->sample.difference());
    pairs.push_back({&row, differences.back(), tensor->sample.is_exact_small()});
  }
  drift::find_compensated(pairs);
  for (Drift& row : rows) {
    const bool is_one_of_its_name = row.role == DriftRole::Parameter || row.role == DriftRole::Gradient;
    const Key key{row.role, row.parameter, is_one_of_its_name ? 0 : row.call_site};
    const auto [known, is_new] = closed_.try_emplace(key, row);
    if (!is_new) merge(known->second, std::move(row));
  }
}

std::vector<Drift> FollowedTensors::rows() {
  std::vector<const FollowedTensor*> left;
  for (const auto& [memory, tensors] : tensors_) {
    for (const Pointer& tensor : tensors) left.push_back(tensor.get());
  }
  close(left);
  tensors_.clear();
  std::vector<Drift> rows;
  std::ranges::transform(closed_, std::back_inserter(rows), [](auto& entry) { return std::move(entry.second); });
  return rows;
}

}  // namespace ampprof::profiler
