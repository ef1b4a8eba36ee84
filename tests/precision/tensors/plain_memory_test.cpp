// SPDX-License-Identifier: Apache-2.0
#include "precision/tensors/plain_memory.h"

#include <gtest/gtest.h>
#include <torch/types.h>

#include <functional>
#include <ostream>
#include <string>

namespace ampprof {
namespace plain_memory_test {

struct Case {
  const char* name;
  std::function<at::Tensor()> make;
  std::string kind;  ///< expected result of kind_of_wrapper()
  bool is_plain;
};

void PrintTo(const Case& value, std::ostream* out) { *out << value.name; }

class PlainMemory : public testing::TestWithParam<Case> {};

at::Tensor with_freed_memory() {
  at::Tensor tensor = at::ones({8});
  tensor.unsafeGetTensorImpl()->unsafe_storage().unsafeGetStorageImpl()->set_nbytes(0);
  return tensor;
}

TEST_P(PlainMemory, IsWhereValuesCanBeRead) {
  const at::Tensor tensor = GetParam().make();
  EXPECT_EQ(tensors::kind_of_wrapper(tensor), GetParam().kind);
  EXPECT_EQ(tensors::has_plain_memory(tensor), GetParam().is_plain);
}

INSTANTIATE_TEST_SUITE_P(
    OfEachKind, PlainMemory,
    testing::Values(Case{"dense",
                         [] {
                           return at::ones({2, 3});
                         },
                         "", true},
                    Case{"empty",
                         [] {
                           return at::ones({0, 3});
                         },
                         "", true},
                    Case{"scalar", [] { return at::ones({}); }, "", true},
                    Case{"a_view_at_the_end", [] { return at::ones({8}).narrow(0, 6, 2); }, "", true},
                    Case{"expanded", [] { return at::ones({1}).expand({1000}); }, "", true},
                    Case{"complex", [] { return at::ones({2}, at::kComplexFloat); }, "", true},
                    Case{"undefined", [] { return at::Tensor(); }, "", false},
                    Case{"freed", with_freed_memory, "", false},
                    Case{"meta", [] { return at::ones({2}, at::kMeta); }, "meta", false},
                    Case{"sparse", [] { return at::eye(3).to_sparse(); }, "sparse", false},
                    Case{"sparse_rows", [] { return at::eye(3).to_sparse_csr(); }, "sparse", false},
                    Case{"quantized", [] { return at::quantize_per_tensor(at::ones({2}), 0.1, 0, at::kQInt8); },
                         "quantized", false},
                    Case{"mkldnn",
                         [] {
                           return at::ones({2, 2}).to_mkldnn();
                         },
                         "mkldnn", false},
                    Case{"zero_tensor", [] { return at::_efficientzerotensor({2}, at::TensorOptions()); },
                         "zero (forward-mode AD)", false},
                    Case{"nested",
                         [] {
                           return at::_nested_tensor_from_tensor_list({at::ones({2}), at::ones({3})});
                         },
                         "nested", false}),
    [](const auto& info) { return info.param.name; });

}  // namespace plain_memory_test
}  // namespace ampprof
