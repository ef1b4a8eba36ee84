// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <torch/csrc/distributed/c10d/reducer.hpp>
#include <unordered_map>
#include <vector>

namespace amp {

/// Constructor arguments of c10d's reducer; buckets hold indices of parameters.
struct ReducerParts {
  std::vector<at::Tensor> parameters;
  std::vector<std::vector<std::size_t>> buckets;
  c10::intrusive_ptr<c10d::ProcessGroup> group;
  std::vector<bool> makes_sparse_gradients;
  std::unordered_map<std::size_t, std::string> names;
  std::int64_t bucket_bytes = 0;
  std::int64_t first_bucket_bytes = 0;
  bool find_unused_parameters = false;
};

/// Makes a reducer with the constructor of this LibTorch version: from 2.11 on, the constructor also takes a list of
/// bucket sizes, which is left empty.
std::unique_ptr<c10d::Reducer> make_c10d_reducer(ReducerParts parts);

}  // namespace amp
