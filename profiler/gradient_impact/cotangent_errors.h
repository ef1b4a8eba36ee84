// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>
#include <ATen/core/ivalue.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "precision/replay/tape/tape.h"
#include "profiler/gradient_impact/deferred_scalars.h"
#include "profiler/torch_hooks/cotangents.h"
#include "reports/records/gradient_impact.h"

namespace ampprof::profiler {

/// Identifies a row of the report: a call site, the matmul of the call site, and the index of the recipe (the run).
struct ErrorSource {
  std::int64_t call_site = 0;
  Matmul matmul = Matmul::None;
  std::size_t run = 0;

  auto operator<=>(const ErrorSource&) const = default;
};

/// Keeps the errors of backward calls until the tangents of the step are known. Each error is stored under the tensor
/// whose cotangent contains the error. Thread-safe.
class CotangentErrors {
 public:
  explicit CotangentErrors(std::int64_t bytes) : bytes_left_(bytes) {}

  /// Notes that `tensor` is the output of a forward op at the index `place` of the tape.
  void made(const at::Tensor& tensor, tape::OutputIndex place);
  /// Notes that node_ended() will be called for this node.
  void watches(const void* node);
  /// Notes that this leaf is the tape's input with index `input`.
  void add_leaf(const c10::TensorImpl* leaf, std::size_t input);
  /// Returns the tape's index of the output at this position of the autograd graph; empty if there is none.
  std::optional<tape::OutputIndex> made_at(const GraphPlace& place) const;

  /// Adds the error of an output of a call that ran inside `node` with these arguments. `error`: in BF16, as
  /// impact::difference() returns it; undefined if the output has no error.
  void add(const void* node, ErrorSource source, const at::Tensor& output, const at::Tensor& error,
           c10::ArrayRef<c10::IValue> arguments);
  /// Reserves a row for a call whose output is computed again when the backward pass runs on the tape.
  void will_be_run_again(ErrorSource source);
  /// Adds the error of an output that was computed again on the tape. The output is the cotangent of the tensor at
  /// `origin`.
  void add_at(const tape::Origin& origin, ErrorSource source, const at::Tensor& error);
  /// Assigns the errors that were added for `node`, which has ended, to the outputs of the node. An error in none of
  /// the outputs is in no cotangent, so it is only counted.
  void node_ended(const void* node, const std::vector<at::Tensor>& outputs);

  /// Ends a backward pass on this thread.
  static void pass_ended();

  // Functions for use after the step. This object must live until `numbers` have arrived.
  bool any() const;
  void tangent_of(std::size_t run, tape::OutputIndex place, const at::Tensor& tangent, DeferredScalars& numbers);
  void tangent_of_input(std::size_t run, std::size_t input, const at::Tensor& tangent, DeferredScalars& numbers);
  /// Returns the rows of a run of the report, by call site. Call it once all numbers have arrived. A tensor whose
  /// tangent was never passed in has tangent 0.
  std::vector<GradientImpact> take(std::size_t run, std::int64_t segment);

 private:
  struct Error {
    ErrorSource source{};
    at::Tensor values{};
  };
  /// Holds an output and its error until the node ends.
  struct Pending {
    ErrorSource source{};
    at::Tensor output{};
    at::Tensor error{};
  };
  struct Sum {
    double impact = 0.0;
    double square = 0.0;
    std::int64_t met = 0;
    std::int64_t no_cotangents = 0;
    std::int64_t left_out = 0;
  };
  struct HashOfPlace {
    std::size_t operator()(const GraphPlace& place) const {
      return std::hash<const void*>{}(place.node) * 31 + place.output;
    }
  };

  bool keep(GraphPlace where, ErrorSource source, at::Tensor error);
  void keep_in(std::vector<Error>& errors, ErrorSource source, const at::Tensor& error);
  bool keep_where_it_flows(const void* node, const std::vector<at::Tensor>& outputs, const Pending& pending,
                           std::vector<bool>& taken);
  void meet(std::size_t run, const std::vector<Error>& errors, const at::Tensor& tangent, DeferredScalars& numbers);

  mutable std::mutex mutex_;
  std::int64_t bytes_left_;
  std::unordered_map<GraphPlace, tape::OutputIndex, HashOfPlace> places_;
  std::unordered_set<const void*> nodes_;  ///< nodes for which node_ended() is called
  std::unordered_map<const c10::TensorImpl*, std::size_t> leaves_;
  std::unordered_map<const void*, std::vector<Pending>> pending_;
  std::map<tape::OutputIndex, std::vector<Error>> errors_;
  std::map<std::size_t, std::vector<Error>> errors_of_inputs_;
  std::map<ErrorSource, Sum> sums_;
};

}  // namespace ampprof::profiler
