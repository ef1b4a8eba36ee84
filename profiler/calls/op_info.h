// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "reports/records/collective.h"
#include "reports/records/compiled_region.h"

namespace c10 {
class OperatorHandle;
struct FunctionSchema;
}  // namespace c10

namespace ampprof::profiler {

class Stage;

/// An argument of a convolution that becomes part of the signature.
struct Attribute {
  std::string name;
  int place = 0;
};

/// Holds facts about an operator, read once from its schema.
struct OpInfo {
  std::int32_t id = 0;
  std::string name;  ///< as display_name() returns it
  bool returns_tensor = false;
  bool leaves_memory_unset = false;  ///< empty(), resize_(), set_(): the result's values are undefined
  bool may_be_view = false;          ///< results may share an argument's memory, as in view() and to()
  bool writes_first = false;         ///< writes to its first argument, a tensor or a list
  bool runs_backward = false;        ///< starts the autograd engine, whose ops are observed one by one
  bool unscales = false;             ///< the op of GradScaler.unscale_(), which also checks for inf and NaN
  bool updates_scale = false;        ///< the op of GradScaler.update()
  bool multiplies = false;           ///< multiplies its first argument by its second, as a loss by its scale
  bool divides = false;
  bool reads_value = false;         ///< returns the value of a one-element tensor to the program
  bool sets_zero = false;           ///< sets its first argument to zero
  bool may_set_zero = false;        ///< sets its first argument to zero if its second is the number 0
  bool only_views = false;          ///< returns a view of its argument, and reads no values
  bool is_compiled_region = false;  ///< a compiled region of torch.compile(), which cannot be called again
  bool is_collective = false;       ///< a collective of a process group
  bool is_matmul = false;           ///< a matmul or convolution: Tensor Core rules need its arguments' memory layout
  int non_blocking = -1;            ///< index of the argument `non_blocking` of a copy; -1 if the op has none
  std::vector<Attribute> attributes = {};  ///< arguments of convolutions, for Tensor Core rules
  std::size_t arguments = 0;
  std::size_t results = 0;
  std::vector<Stage*> stages = {};  ///< stages that look at calls of this op
};

/// Returns the name of an op in reports: without the namespace aten ("conv2d", "add.Tensor"), with any other namespace
/// ("myops::scale").
std::string display_name(const c10::FunctionSchema& schema);

/// Holds the facts about each operator called so far, by schema. Not thread-safe. References stay valid.
class OpInfos {
 public:
  /// Returns the facts about an operator. Asks each of `stages` once whether it looks at calls of the operator.
  const OpInfo& of(const c10::OperatorHandle& op, std::span<const std::unique_ptr<Stage>> stages = {});

 private:
  std::unordered_map<const c10::FunctionSchema*, OpInfo> infos_;
};

}  // namespace ampprof::profiler
