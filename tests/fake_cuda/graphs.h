// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime_api.h>

#include <memory>
#include <string>
#include <vector>

#include "tests/fake_cuda/streams.h"

namespace fake_cuda {

/// A captured piece of work. Each depends on the one before it, which is a stricter order than CUDA's.
struct Node {
  Graph* graph;
  std::size_t place;
  std::string what;
  work::Work work;
};

/// The captured work of some streams. Handles are addresses of these.
struct Graph {
  unsigned long long id;
  cudaStreamCaptureMode mode;
  std::vector<std::unique_ptr<Node>> nodes;
  std::vector<Stream*> streams;
  cudaGraphNode_t tail = nullptr;  ///< the node that cudaStreamGetCaptureInfo returns
  bool is_broken = false;
};

void add_node(Graph& graph, const std::string& what, work::Work work);

/// Captures a stream's work into this graph, too.
void join_capture(Graph& graph, Stream& stream);

}  // namespace fake_cuda
