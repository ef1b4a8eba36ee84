// SPDX-License-Identifier: Apache-2.0
#include "amp_core/parallel/sync_batch_norm.h"

#include <ATen/Context.h>
#include <ATen/Functions.h>

#include <ostream>
#include <sstream>
#include <utility>

#include "amp_core/levels/error.h"
#include "amp_core/parallel/batch_norm_steps.h"
#include "amp_core/parallel/process_group.h"
#include "amp_core/parallel/synchronized_norm.h"

namespace amp::parallel {
namespace {

void check_shapes(const at::Tensor& input, const at::Tensor& addend, std::int64_t channels) {
  std::ostringstream problem;
  if (input.dim() < 2 || input.size(1) != channels) {
    problem << "SyncBatchNorm of " << channels << " features got an input of shape " << input.sizes()
            << ". It takes (N, C, ...), where C is the number of features.";
  } else if (addend.defined() && addend.sizes() != input.sizes()) {
    problem << "SyncBatchNorm got an addend of shape " << addend.sizes() << " for an input of shape " << input.sizes()
            << ". They must be the same.";
  }
  if (!problem.str().empty()) throw Error(problem.str());
}

}  // namespace

SyncBatchNormImpl::SyncBatchNormImpl(SyncBatchNormOptions options) : options(std::move(options)) {
  SyncBatchNormImpl::reset();
}

void SyncBatchNormImpl::reset() {
  const std::int64_t channels = options.num_features();
  const bool affine = options.affine();
  weight = register_parameter("weight", affine ? at::ones({channels}) : at::Tensor(), affine);
  bias = register_parameter("bias", affine ? at::zeros({channels}) : at::Tensor(), affine);
  const bool tracks = options.track_running_stats();
  running_mean = register_buffer("running_mean", tracks ? at::zeros({channels}) : at::Tensor());
  running_var = register_buffer("running_var", tracks ? at::ones({channels}) : at::Tensor());
  num_batches_tracked = register_buffer("num_batches_tracked", tracks ? at::zeros({}, at::kLong) : at::Tensor());
}

void SyncBatchNormImpl::pretty_print(std::ostream& stream) const {
  stream << std::boolalpha << "amp::parallel::SyncBatchNorm(" << options.num_features() << ", eps=" << options.eps()
         << ", momentum=";
  if (options.momentum()) {
    stream << *options.momentum();
  } else {
    stream << "None";
  }
  stream << ", affine=" << options.affine() << ", track_running_stats=" << options.track_running_stats()
         << ", fuse_relu=" << options.fuse_relu() << ")";
}

at::Tensor SyncBatchNormImpl::forward(const at::Tensor& input, const at::Tensor& addend) {
  check_shapes(input, addend, options.num_features());
  at::Tensor output = normalized(input, addend);
  if (counts_batches()) num_batches_tracked += 1;
  return output;
}

bool SyncBatchNormImpl::counts_batches() const { return is_training() && num_batches_tracked.defined(); }

double SyncBatchNormImpl::momentum_of_next_batch() const {
  if (options.momentum()) return *options.momentum();
  return counts_batches() ? 1.0 / (num_batches_tracked.item<double>() + 1) : 0.0;
}

at::Tensor SyncBatchNormImpl::normalized(const at::Tensor& input, const at::Tensor& addend) const {
  if (!is_training()) return normalized_alone(input, addend);
  const auto group = options.process_group() ? options.process_group() : default_group();
  if (group->getSize() > 1) {
    return synchronized_norm(input, addend,
                             {.affine = {weight, bias},
                              .running = {running_mean, running_var, momentum_of_next_batch()},
                              .eps = options.eps(),
                              .fuse_relu = options.fuse_relu(),
                              .group = group});
  }
  refuse_too_few(values_per_channel(input));
  return normalized_alone(input, addend);
}

at::Tensor SyncBatchNormImpl::normalized_alone(const at::Tensor& input, const at::Tensor& addend) const {
  const bool by_batch = is_training() || !running_mean.defined();
  at::Tensor output = at::batch_norm(input, weight, bias, running_mean, running_var, by_batch, momentum_of_next_batch(),
                                     options.eps(), at::globalContext().userEnabledCuDNN());
  if (addend.defined()) output = output + addend;
  return options.fuse_relu() ? output.relu() : output;
}

}  // namespace amp::parallel
