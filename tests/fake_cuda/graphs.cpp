// SPDX-License-Identifier: Apache-2.0
#include "tests/fake_cuda/graphs.h"

#include <cuda.h>

#include <algorithm>
#include <atomic>
#include <mutex>

#include "tests/fake_cuda/counts.h"

namespace fake_cuda {
namespace {

struct Captures {
  std::mutex mutex;
  std::vector<Graph*> open;
};

Captures& captures() {
  static Captures& only = *new Captures;
  return only;
}

thread_local cudaStreamCaptureMode mode_of_thread = cudaStreamCaptureModeGlobal;

/// The result of cudaGraphInstantiate: only the work of the nodes.
struct Executable {
  unsigned long long graph;
  std::vector<std::pair<std::string, work::Work>> nodes;
};

Graph& graph_of(cudaGraph_t handle) { return *reinterpret_cast<Graph*>(handle); }
Executable& executable_of(cudaGraphExec_t handle) { return *reinterpret_cast<Executable*>(handle); }
cudaGraphNode_t handle_of(const std::unique_ptr<Node>& node) { return reinterpret_cast<cudaGraphNode_t>(node.get()); }

cudaStreamCaptureStatus status_of(const Graph* capture) {
  if (capture == nullptr) return cudaStreamCaptureStatusNone;
  return capture->is_broken ? cudaStreamCaptureStatusInvalidated : cudaStreamCaptureStatusActive;
}

}  // namespace

void add_node(Graph& graph, const std::string& what, work::Work work) {
  const std::lock_guard lock(captures().mutex);
  graph.nodes.push_back(std::make_unique<Node>(Node{&graph, graph.nodes.size(), what, std::move(work)}));
}

void join_capture(Graph& graph, Stream& stream) {
  const std::lock_guard lock(captures().mutex);
  if (stream.capture == &graph) return;
  stream.capture = &graph;
  graph.streams.push_back(&stream);
}

bool breaks_a_capture() {
  if (mode_of_thread == cudaStreamCaptureModeRelaxed) return false;
  const std::lock_guard lock(captures().mutex);
  bool breaks = false;
  for (Graph* graph : captures().open) {
    if (graph->mode != cudaStreamCaptureModeGlobal) continue;
    breaks = graph->is_broken = true;
  }
  return breaks;
}

}  // namespace fake_cuda

using namespace fake_cuda;

FAKE_CUDA_API cudaError_t cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus* status) {
  FAKE_CUDA_COUNTED;
  *status = status_of(stream_of(stream).capture);
  return cudaSuccess;
}

FAKE_CUDA_API CUresult cuStreamIsCapturing(CUstream stream, CUstreamCaptureStatus* status) {
  FAKE_CUDA_COUNTED;
  *status = static_cast<CUstreamCaptureStatus>(status_of(stream_of(stream).capture));
  return CUDA_SUCCESS;
}

FAKE_CUDA_API cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode mode) {
  FAKE_CUDA_COUNTED;
  static std::atomic<unsigned long long> last_id{0};
  if (stream_of(stream).capture != nullptr) return answered(cudaErrorStreamCaptureUnsupported);
  auto* graph = new Graph{.id = ++last_id, .mode = mode, .nodes = {}, .streams = {}};
  join_capture(*graph, stream_of(stream));
  const std::lock_guard lock(captures().mutex);
  captures().open.push_back(graph);
  return cudaSuccess;
}

FAKE_CUDA_API cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* captured) {
  FAKE_CUDA_COUNTED;
  Graph* graph = stream_of(stream).capture;
  if (graph == nullptr) return answered(cudaErrorIllegalState);
  const std::lock_guard lock(captures().mutex);
  for (Stream* each : graph->streams) each->capture = nullptr;
  std::erase(captures().open, graph);
  *captured = graph->is_broken ? nullptr : reinterpret_cast<cudaGraph_t>(graph);
  return graph->is_broken ? answered(cudaErrorStreamCaptureInvalidated) : cudaSuccess;
}

FAKE_CUDA_API cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream, cudaStreamCaptureStatus* status,
                                                   unsigned long long* id, cudaGraph_t* graph,
                                                   const cudaGraphNode_t** dependencies,
                                                   const cudaGraphEdgeData** edges, std::size_t* count) {
  FAKE_CUDA_COUNTED;
  Graph* capture = stream_of(stream).capture;
  *status = status_of(capture);
  if (capture == nullptr) return cudaSuccess;
  const std::lock_guard lock(captures().mutex);
  capture->tail = capture->nodes.empty() ? nullptr : handle_of(capture->nodes.back());
  if (id != nullptr) *id = capture->id;
  if (graph != nullptr) *graph = reinterpret_cast<cudaGraph_t>(capture);
  if (dependencies != nullptr) *dependencies = &capture->tail;
  if (edges != nullptr) *edges = nullptr;
  if (count != nullptr) *count = capture->nodes.empty() ? 0 : 1;
  return cudaSuccess;
}

FAKE_CUDA_API cudaError_t cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode* mode) {
  FAKE_CUDA_COUNTED;
  std::swap(*mode, mode_of_thread);
  return cudaSuccess;
}

FAKE_CUDA_API cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, std::size_t* count) {
  FAKE_CUDA_COUNTED;
  const auto& all = graph_of(graph).nodes;
  for (std::size_t i = 0; nodes != nullptr && i < std::min(*count, all.size()); ++i) nodes[i] = handle_of(all[i]);
  *count = all.size();
  return cudaSuccess;
}

FAKE_CUDA_API cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t node, cudaGraphNode_t* dependencies,
                                                       cudaGraphEdgeData*, std::size_t* count) {
  FAKE_CUDA_COUNTED;
  const Node& of = *reinterpret_cast<Node*>(node);
  const std::size_t found = of.place > 0 ? 1 : 0;
  if (dependencies != nullptr && *count > 0 && found > 0) dependencies[0] = handle_of(of.graph->nodes[of.place - 1]);
  *count = found;
  return cudaSuccess;
}

FAKE_CUDA_API cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t* executable, cudaGraph_t graph,
                                                        unsigned long long) {
  FAKE_CUDA_COUNTED;
  auto* made = new Executable{graph_of(graph).id, {}};
  for (const auto& node : graph_of(graph).nodes) made->nodes.emplace_back(node->what, node->work);
  *executable = reinterpret_cast<cudaGraphExec_t>(made);
  return cudaSuccess;
}

FAKE_CUDA_API cudaError_t cudaGraphInstantiate(cudaGraphExec_t* executable, cudaGraph_t graph,
                                               unsigned long long flags) {
  return cudaGraphInstantiateWithFlags(executable, graph, flags);
}

FAKE_CUDA_API cudaError_t cudaGraphLaunch(cudaGraphExec_t executable, cudaStream_t stream) {
  FAKE_CUDA_COUNTED;
  static Count& nodes = count_of("graph nodes launched");
  nodes += static_cast<long>(executable_of(executable).nodes.size());
  for (const auto& [what, work] : executable_of(executable).nodes) enqueue(stream, what, work);
  return cudaSuccess;
}

FAKE_CUDA_API cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
  FAKE_CUDA_COUNTED;
  delete &graph_of(graph);
  return cudaSuccess;
}

FAKE_CUDA_API cudaError_t cudaGraphExecDestroy(cudaGraphExec_t executable) {
  FAKE_CUDA_COUNTED;
  delete &executable_of(executable);
  return cudaSuccess;
}

FAKE_CUDA_API cudaError_t cudaGraphDebugDotPrint(cudaGraph_t, const char*, unsigned) {
  FAKE_CUDA_COUNTED;
  return cudaSuccess;
}
