// SPDX-License-Identifier: Apache-2.0
#include "views/gpu/no_gpu_activity.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

#include "reports/queries/missing.h"
#include "reports/queries/runs.h"
#include "reports/records/run.h"
#include "reports/text/elide.h"

namespace ampprof::views {
namespace {

struct Reason {
  std::string none;
  std::string remedy;
};

/// Turns a remedy from a recorder, such as "record fewer steps", into a sentence with a capital and a full stop.
std::string as_sentence(std::string words) {
  if (words.empty()) return words;
  if (words.front() >= 'a' && words.front() <= 'z') words.front() = static_cast<char>(words.front() - 'a' + 'A');
  return words.ends_with('.') ? words : words + '.';
}

Reason reason_of(const Missing& refused) {
  const std::string cause = text::printable(refused.cause.substr(0, refused.cause.find('\n')));
  return {fmt::format("No GPU activity was recorded: {}{}", cause, cause.ends_with('.') ? "" : "."),
          as_sentence(text::printable(refused.remedy))};
}

Reason reason_of(const std::vector<queries::RunRow>& runs) {
  const auto is_on_cpu = [](const queries::RunRow& run) { return run.device == "cpu"; };
  if (!runs.empty() && std::ranges::all_of(runs, is_on_cpu)) {
    return {"No GPU activity was recorded: the program computed on the CPU only.",
            "Move the model and its inputs to a GPU, and record on a machine with an NVIDIA GPU and CUPTI. ampprof "
            "doctor checks both."};
  }
  return {"No GPU activity was recorded.",
          "Check the GPU and CUPTI with ampprof doctor, and record the program again."};
}

}  // namespace

View with_reason_for_no_gpu(View view, const std::vector<queries::RunRow>& runs,
                            const std::vector<queries::MissingRow>& missing) {
  const auto has_activity = [](const queries::RunRow& run) { return run.gpu_ms_per_step.has_value(); };
  if (!view.records.empty() || std::ranges::any_of(runs, has_activity)) return view;
  const auto is_refusal = [](const queries::MissingRow& row) { return row.missing.what == kAllGpuActivity; };
  const auto refusal = std::ranges::find_if(missing, is_refusal);
  Reason reason = refusal == missing.end() ? reason_of(runs) : reason_of(refusal->missing);
  view.none = std::move(reason.none);
  view.remedy = std::move(reason.remedy);
  return view;
}

}  // namespace ampprof::views
