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

/// Names whose errors are one row: a call site, the matmul that a recipe computes in it, and of several recipes which.
struct ErrorSource {
  std::int64_t call_site = 0;
  Matmul matmul = Matmul::None;
  std::size_t run = 0;

  auto operator<=>(const ErrorSource&) const = default;
};

/// Keeps the errors of backward calls by the tensor whose cotangent they are in, until the tangents of these tensors
/// come. Thread-safe.
class CotangentErrors {
 public:
  explicit CotangentErrors(std::int64_t bytes) : bytes_left_(bytes) {}

  /// The forward op of this call on the tape gave this tensor.
  void made(const at::Tensor& tensor, tape::OutputIndex place);
  /// The end of this node will be told.
  void watches(const void* node);
  /// This leaf is an input of the tape.
  void met_leaf(const c10::TensorImpl* leaf, std::size_t input);
  /// Returns which result of the tape this place is of; empty where it is none.
  std::optional<tape::OutputIndex> made_at(const GraphPlace& place) const;

  /// A call inside `node` gave this output, off by `error`: BF16, as impact::difference() gives it; undefined where by
  /// nothing.
  void add(const void* node, ErrorSource source, const at::Tensor& output, const at::Tensor& error,
           c10::ArrayRef<c10::IValue> arguments);
  /// The output of such a call will be in a backward pass that is run again on the tape: there is a row for it.
  void will_be_run_again(ErrorSource source);
  /// It was, and gave a cotangent of what comes from there, off by `error`.
  void add_at(const tape::Origin& origin, ErrorSource source, const at::Tensor& error);
  /// The node gave these: what was added for it is the error of one of them, or of none.
  void node_ended(const void* node, const std::vector<at::Tensor>& outputs);

  /// A backward pass ended on this thread.
  static void pass_ended();

  // When the step is over. This must live until `numbers` have arrived.
  bool any() const;
  void tangent_of(std::size_t run, tape::OutputIndex place, const at::Tensor& tangent, DeferredScalars& numbers);
  void tangent_of_input(std::size_t run, std::size_t input, const at::Tensor& tangent, DeferredScalars& numbers);
  /// Returns the rows of a run, by call site, once all numbers have arrived: of what did not come the tangent is 0.
  std::vector<GradientImpact> take(std::size_t run, std::int64_t segment);

 private:
  struct Error {
    ErrorSource source{};
    at::Tensor values{};
  };
  /// An output that waits for the end of its node.
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
  std::unordered_set<const void*> nodes_;  ///< whose end will be told
  std::unordered_map<const c10::TensorImpl*, std::size_t> leaves_;
  std::unordered_map<const void*, std::vector<Pending>> pending_;
  std::map<tape::OutputIndex, std::vector<Error>> errors_;
  std::map<std::size_t, std::vector<Error>> errors_of_inputs_;
  std::map<ErrorSource, Sum> sums_;
};

}  // namespace ampprof::profiler
