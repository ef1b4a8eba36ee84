// SPDX-License-Identifier: Apache-2.0
#include "reports/store/described_tables.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "reports/store/confirmation_table.h"
#include "reports/store/optimizer_table.h"
#include "reports/store/probe_tables.h"
#include "reports/store/tables.h"

namespace ampprof::store {
namespace {

constexpr std::pair<std::string_view, std::string_view> kKeys[]{
    {"run", "Run: `id` of `run`."},
    {"call_site", "Call site: `id` of `call_site`. 0: outside of any op call, or unknown."},
    {"position", "Position of the segment in its step, from 0."},
    {"event", "Event: `id` of `nonfinite_event`."},
};

/// Declares an integer column that hand-written SQL writes, so that no record has it.
DeclaredColumn integer(std::string name, std::string about, bool is_nullable = true) {
  return {{std::move(name), "INTEGER", is_nullable}, std::move(about)};
}

DeclaredColumn key(std::string_view name) {
  const auto* const known = std::ranges::find(kKeys, name, &std::pair<std::string_view, std::string_view>::first);
  return integer(std::string(name), known == std::end(kKeys) ? "" : std::string(known->second), false);
}

template <class... Declared>
DescribedTable described(std::string_view row, const Declared&... parts) {
  DescribedTable table{"", row};
  const auto add = [&](const auto& part) {
    table.name = part.name;
    for (const std::string_view name : part.keys) table.columns.push_back(key(name));
    part.each_column([&](DeclaredColumn column) { table.columns.push_back(std::move(column)); });
  };
  (add(parts), ...);
  return table;
}

DescribedTable run_table(std::string_view row) {
  DescribedTable table = described(row, kRunStart, kRunAttach, kRunDetach);
  table.columns.insert(table.columns.begin(), integer("id", "Number of the run, from 1."));
  table.columns.push_back(integer("rolled_up_to", "Largest id of the chunks that are in the totals. NULL if none is."));
  table.columns.push_back(integer("exit_code",
                                  "Exit code of the recorded process; 128 + signal if a signal ended it. NULL while it "
                                  "runs, or if its end was not seen."));
  table.columns.push_back(
      integer("ended_ns", "Time at which the process ended, since 1970. NULL if its end was not seen."));
  return table;
}

DescribedTable event_table(std::string_view row) {
  DescribedTable table = described(row, kNonfiniteEvent);
  table.columns.insert(table.columns.begin(), integer("id", "Number of the event, unique in the report."));
  return table;
}

/// Appends the reference of the error to the descriptions of inherited-error columns, which are otherwise equal to
/// those of local-error columns.
DescribedTable op_table(std::string_view row) {
  DescribedTable table = described(row, kOpTotal);
  for (DeclaredColumn& column : table.columns) {
    if (column.name.starts_with("inherited_") && column.name != "inherited_exponents") {
      column.about += " The reference is the step in exact arithmetic (--inherited).";
    }
  }
  return table;
}

DescribedTable parameter_table(std::string_view row) {
  DescribedTable table = described(row, kNonfiniteParameter);
  std::ranges::find(table.columns, "position", &DeclaredColumn::name)->about = "Position among the parameters, from 0.";
  return table;
}

DescribedTable chain_table(std::string_view row) {
  return {"nonfinite_chain",
          row,
          {key("event"), integer("position", "Position in the chain, from 0.", false),
           integer("call_site", "Call site: `id` of `call_site`.", false)}};
}

}  // namespace

std::vector<DescribedTable> described_tables() {
  return {
      run_table("run of the program"),
      described("distinct list of arguments", kSignature),
      described("distinct name of a GPU activity", kGpuActivityName),
      described("distinct text of an NVTX range", kNvtxRangeName),
      described("place in the program that calls an op", kCallSite),
      described("part of a step that ends where its gradients are used: a GAN has one for each optimizer, and "
                "micro-batches whose gradients accumulate share one. The time between two such parts, such as the "
                "loading of a batch, and work outside of steps are segments, too",
                kSegment),
      described("optimizer, identified by the parameters that it updates", kOptimizerTotal),
      described("chunk of the records of a segment", kCallChunk),
      op_table("call site and position in the step"),
      described("arguments and types of a call site", kOpVariant),
      described("kind of cast that AMP inserted at a call site", kCastTotal),
      described("op call that computed with a copy that torch.autocast had made before the parameter was written",
                kStaleCast),
      described("kernel, memcpy or memset that a call site launched, by name", kGpuActivityTotal),
      described("NVTX range or mark", kNvtxRange),
      described("loss that was seen", kLoss),
      described("error and loss, in each segment in which the error's impact on the loss was measured", kLossImpact),
      described("backward call site in a taped segment, and one more for all errors of the segment's forward pass. A "
                "segment is taped if its ops are kept so that its passes can be run again in high precision",
                kGradientImpact),
      described("parameter's gradient in a taped segment", kGradientError),
      described("taped segment that was run again", kStepDecrease),
      described("parameter that an optimizer call wrote", kWeightUpdate),
      described("tensor that outlives steps, followed in FP64 with --inherited", kDrift),
      described("call that computes integers or booleans from floating-point values, in a replayed step", kDecision),
      described("matmul of a forward call site in a segment, as a recipe would compute it, with --what-if RECIPE and "
                "--screen. Columns that begin with `first_` describe the input (for dgrad the output's gradient), and "
                "columns that begin with `second_` describe the weight (for wgrad the output's gradient)",
                kRecipeMatmul),
      described("decision of a loss scaler", kScaleUpdate),
      event_table("call site that made NaN or inf from finite values in a step, or decision of a loss scaler that saw "
                  "NaN or inf"),
      parameter_table("parameter whose gradient is not finite"),
      chain_table("call site that the event's NaN or inf spread through"),
      described("measured op call, with --sketch", kSketch),
      described("call of a c10d op in which a group of ranks takes part", kCollective),
      described("side of an all-reduce, with --sketch: the rank's input, or its result", kCollectiveSketch),
      described("parameter that an update wrote, in each checked step of --check-ranks", kParameterChecksum),
      described("matmul of the run that was timed alone after the run had ended", kProbeTime),
      described("GEMM of the run, as cublasLt would compute it", kProbeAlgorithm),
      described("remedy that `ampprof advise --confirm` tried, with the run that has the finding", kConfirmation),
      described("run of `ampprof search` that has ended", kTrial),
      described("kind of missing data", kMissing),
  };
}

}  // namespace ampprof::store
