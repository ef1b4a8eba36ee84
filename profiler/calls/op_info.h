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

/// An argument that is written into the signature.
struct Attribute {
  std::string name;
  int place = 0;
};

/// Tells the observer what it needs to know of an operator. Read once from its schema.
struct OpInfo {
  std::int32_t id = 0;
  std::string name;  ///< "conv2d", "add.Tensor"; other namespaces keep theirs: "myops::scale"
  bool returns_tensor = false;
  bool leaves_memory_unset = false;  ///< empty() and its kin: what the result holds means nothing yet
  bool may_be_view = false;          ///< its results may be an argument's memory, as those of view() and to()
  bool writes_first = false;         ///< the first argument is a tensor (list) that it writes to
  bool runs_backward = false;        ///< starts the autograd engine: what runs inside are calls of their own
  bool unscales = false;             ///< GradScaler's unscale and check
  bool updates_scale = false;        ///< GradScaler's update
  bool multiplies = false;           ///< its first argument by its second, as a loss by its scale
  bool divides = false;
  bool reads_value = false;         ///< gives the program the value of a tensor of one element
  bool sets_zero = false;           ///< its first argument, which it writes
  bool may_set_zero = false;        ///< the same, where its second argument is the number 0
  bool only_views = false;          ///< it reads no value: its result is a view of its argument
  bool is_compiled_region = false;  ///< what torch.compile() made of a graph; no op that could be called again
  bool is_collective = false;       ///< a group of ranks takes part in it
  bool is_matmul = false;           ///< Tensor Core rules judge it, and need to know how its arguments lie in memory
  int non_blocking = -1;  ///< place of the argument that says whether a copy may still be under way when the op returns
  std::vector<Attribute> attributes = {};  ///< of convolutions: what Tensor Core rules need besides the tensors
  std::size_t arguments = 0;
  std::size_t results = 0;
  std::vector<Stage*> stages = {};  ///< that look at its calls
};

/// Returns the name of an op as reports have it: "conv2d", "add.Tensor", "myops::scale".
std::string display_name(const c10::FunctionSchema& schema);

/// Operators that were seen, by schema. Not thread-safe. References stay valid.
class OpInfos {
 public:
  /// Asks `stages` once whether they look at this operator.
  const OpInfo& of(const c10::OperatorHandle& op, std::span<const std::unique_ptr<Stage>> stages = {});

 private:
  std::unordered_map<const c10::FunctionSchema*, OpInfo> infos_;
};

}  // namespace ampprof::profiler
