// SPDX-License-Identifier: Apache-2.0
#include "cli/launch/machine/probe.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>

#include "analysis/ops/targets.h"
#include "cli/launch/program/find_torch.h"
#include "cli/launch/run/child.h"
#include "cli/launch/run/environment.h"
#include "precision/probe/outcome.h"
#include "precision/probe/plan.h"
#include "reports/queries/missing.h"
#include "reports/queries/ops.h"
#include "reports/queries/report.h"
#include "reports/queries/runs.h"
#include "reports/records/probe.h"
#include "reports/records/run.h"
#include "reports/records/signature.h"
#include "reports/text/numbers.h"
#include "reports/text/usage_error.h"

namespace ampprof::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::milliseconds kTimeout{200};

void note_of_probe(const std::string& text) { fmt::print(stderr, "ampprof: {}\n", text); }

/// Returns whether to probe on the CPU. Tests set AMPPROF_PROBE_DEVICE, to probe any run without a GPU.
bool is_on_cpu() {
  const char* device = std::getenv("AMPPROF_PROBE_DEVICE");
  return device != nullptr && std::string_view(device) == "cpu";
}

/// Returns whether kernels were recorded, or could not be recorded although there was a GPU.
bool used_gpu(const queries::Report& report, const queries::RunRow& run) {
  if (run.gpu_ms_per_step) return true;
  const auto missing = queries::missing(report, run.run);
  return run.device != "cpu" && std::ranges::any_of(missing, [](const queries::MissingRow& row) {
           return row.missing.what == kAllGpuActivity;
         });
}

bool is_probed(const queries::OpRow& op) {
  const auto matmul = rules::matmul_of(op.op, signature_from(op.signature));
  return matmul && (matmul->kind == rules::MatmulKind::Gemm || matmul->kind == rules::MatmulKind::Convolution);
}

std::vector<probe::RecordedMatmul> matmuls_of(const queries::Report& report, const std::vector<queries::RunRow>& runs) {
  analysis::Targets targets(runs);
  std::vector<probe::RecordedMatmul> matmuls;
  for (const queries::RunRow& run : runs) {
    const std::vector<queries::OpRow> ops = queries::ops(report, run.run);
    targets.learn_from(ops);
    for (const queries::OpRow& op : ops) {
      const auto verdict = is_probed(op) ? targets.verdict(op) : std::nullopt;
      if (!verdict) continue;
      matmuls.push_back({.run = op.run,
                         .matmul = {op.op, op.signature, analysis::computed_in(op)},
                         .tf32_allowed = targets.allows_tf32(op),
                         .has_tensor_cores = verdict->dtype_ok,
                         .faults = probe::sizes_to_pad(verdict->findings),
                         .time_us = op.gpu_us.value_or(op.cpu_us)});
    }
  }
  return matmuls;
}

struct Probed {
  probe::Results results;
  probe::End end;
};

/// Starts the probe and waits for it. A signal that stops ampprof stops the probe; the answers up to then are used.
Probed run_probe(const probe::Plan& plan, const fs::path& executable, const fs::path& torch_lib, const fs::path& folder,
                 double budget_s) {
  const fs::path cases = folder / "cases";
  const fs::path answers = folder / "answers";
  std::ofstream out(cases);
  probe::write_cases(out, plan.cases);
  out.close();
  const Program probe{.executable = executable,
                      .arguments = {executable.string(), cases.string(), answers.string(), fmt::format("{}", budget_s),
                                    is_on_cpu() ? "cpu" : "cuda"},
                      .torch = {},
                      .torch_lib = torch_lib,
                      .steps = {}};
  const Ending ending = run_program(probe, with_torch(torch_lib, own_environment()), kTimeout, [] {});
  std::ifstream in(answers);
  return {probe::results_from(in), {budget_s, ending.exit_code == 0 ? "" : ending.text()}};
}

void write_outcome(const probe::Plan& plan, const Probed& probed, store::ReportWriter& writer) {
  for (const auto& [run, outcome] : probe::outcome_of(plan, probed.results, probed.end)) {
    writer.add_probe(run, outcome.records);
    for (const Missing& missing : outcome.missing) writer.add_missing(run, missing);
  }
}

std::int64_t timings_in(const probe::Plan& plan) {
  return std::ranges::count_if(plan.cases, [](const probe::PlannedCase& planned) { return planned.time; });
}

void say_what_was_timed(const probe::Plan& plan, const Probed& probed) {
  const auto done = std::ranges::count_if(probed.results.answers, [](const probe::Answer& answer) {
    return std::holds_alternative<Timing>(answer.answer);
  });
  note_of_probe(fmt::format("{} of {} matmuls and variants were timed on {}.", done, timings_in(plan),
                            probed.results.device.name.empty() ? "no device" : probed.results.device.name));
}

}  // namespace

void probe_matmuls(const RunOptions& options, const Installation& installation, const fs::path& report,
                   const fs::path& folder, const fs::path& torch_lib, store::ReportWriter& writer) {
  probe::Plan plan;
  std::string torch;
  {
    const queries::Report read(report);
    std::vector<queries::RunRow> runs = queries::runs(read);
    if (!is_on_cpu()) std::erase_if(runs, [&](const queries::RunRow& run) { return !used_gpu(read, run); });
    if (!runs.empty()) torch = runs.front().torch_version;
    if (runs.empty() && options.probe) note_of_probe("--probe times matmuls on a GPU, but no run used one.");
    plan = probe::plan_of(matmuls_of(read, runs), {.algorithms = true, .times = options.probe});
  }
  if (plan.cases.empty() && plan.left_out.empty()) return;
  const fs::path executable = installation.for_torch(torch).probe();
  if (!fs::exists(executable)) {
    note_of_probe(
        fmt::format("{} is missing, so matmuls were not examined. Rebuild or reinstall ampprof.", executable.string()));
    return;
  }
  const double budget = options.probe_budget;
  if (options.probe) {
    note_of_probe(
        fmt::format("taking {} of matmuls, for at most {:g} s", text::counted(timings_in(plan), "timing"), budget));
  }
  const fs::path lib = torch_lib.empty() ? find_own_torch(torch, installation).value().lib : torch_lib;
  const Probed probed = run_probe(plan, executable, lib, folder, options.probe ? budget : 0);
  write_outcome(plan, probed, writer);
  if (options.probe) say_what_was_timed(plan, probed);
}

}  // namespace ampprof::cli
