// SPDX-License-Identifier: Apache-2.0
#include "amp_core/torch_hooks/reducer.h"

#include <type_traits>
#include <utility>

namespace amp {
namespace {

/// Constructs a reducer. Later LibTorch versions added arguments only at the end.
template <class Made, class... Arguments>
std::unique_ptr<Made> make(Arguments&&... arguments) {
  using BucketSizes = std::vector<std::int64_t>;
  if constexpr (std::is_constructible_v<Made, Arguments..., BucketSizes>) {
    return std::make_unique<Made>(std::forward<Arguments>(arguments)..., BucketSizes());
  } else {
    return std::make_unique<Made>(std::forward<Arguments>(arguments)...);
  }
}

}  // namespace

std::unique_ptr<c10d::Reducer> make_c10d_reducer(ReducerParts parts) {
  constexpr bool gradient_as_bucket_view = false;
  constexpr bool skip_all_reduce_unused_params = false;
  constexpr bool use_python_reducer = false;
  return make<c10d::Reducer>(std::move(parts.parameters), std::move(parts.buckets), std::move(parts.group),
                             std::move(parts.makes_sparse_gradients), parts.bucket_bytes, parts.find_unused_parameters,
                             bool{gradient_as_bucket_view}, std::move(parts.names), parts.first_bucket_bytes,
                             bool{skip_all_reduce_unused_params}, bool{use_python_reducer});
}

}  // namespace amp
