// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime_api.h>

#include <memory>
#include <string>
#include <vector>

#include "tests/fake_cuda/streams.h"

namespace fake_cuda {

/// A node of a captured graph. Each node depends on the previous one, which is a stricter order than CUDA's.
struct Node {
  Graph* graph;
  std::size_t place;
  std::string what;
  work::Work work;
};

/// The work that was captured from some streams. A handle is the address of its Graph or Node.
struct Graph {
  unsigned long long id;
  cudaStreamCaptureMode mode;
  std::vector<std::unique_ptr<Node>> nodes;
  std::vector<Stream*> streams;
  cudaGraphNode_t tail = nullptr;  ///< the node that cudaStreamGetCaptureInfo returns
  bool is_broken = false;
};

void add_node(Graph& graph, const std::string& what, work::Work work);

/// Makes a graph capture the work of another stream, too.
void join_capture(Graph& graph, Stream& stream);

}  // namespace fake_cuda
