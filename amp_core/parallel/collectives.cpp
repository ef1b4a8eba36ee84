// SPDX-License-Identifier: Apache-2.0
#include "amp_core/parallel/collectives.h"

#include <c10/util/Exception.h>

#include <string_view>
#include <torch/csrc/distributed/c10d/comm.hpp>

namespace amp::parallel {

void sum_over_ranks(const c10::intrusive_ptr<c10d::ProcessGroup>& group, at::Tensor& tensor) {
  std::vector<at::Tensor> tensors{tensor};
  group->allreduce(tensors)->wait();
}

at::Tensor largest_of_ranks(const c10::intrusive_ptr<c10d::ProcessGroup>& group, const at::Tensor& numbers) {
  std::vector<at::Tensor> tensors{numbers.clone()};
  c10d::AllreduceOptions options;
  options.reduceOp = c10d::ReduceOp::MAX;
  group->allreduce(tensors, options)->wait();
  return tensors.front();
}

void broadcast_from_first_rank(const c10::intrusive_ptr<c10d::ProcessGroup>& group,
                               const std::vector<at::Tensor>& tensors) {
  constexpr std::size_t kBytesTogether = std::size_t{250} << 20;
  std::vector<at::Tensor> values;
  for (const at::Tensor& tensor : tensors) {
    if (tensor.defined()) values.push_back(tensor.detach());
  }
  if (!values.empty()) c10d::broadcast_coalesced(group, values, kBytesTogether);
}

void throw_lost_ranks(const char* caller, const std::exception& error) {
  const std::string text = error.what();
  throw Error(std::string("amp::parallel: ") + caller +
              " needs all ranks, but at least one did not take part. A rank ended, hangs, or makes different calls "
              "from the others: read what each rank printed. c10d says: " +
              text.substr(0, text.find('\n')));
}

void explain_lost_ranks(const char* caller, const std::exception& error) {
  const std::string_view text = error.what();
  const bool is_of_gloo = text.find("third_party/gloo") != std::string_view::npos;
  if (is_of_gloo || dynamic_cast<const c10::DistError*>(&error) != nullptr) throw_lost_ranks(caller, error);
}

}  // namespace amp::parallel
