// SPDX-License-Identifier: Apache-2.0
#include "precision/probe/lines.h"

#include <istream>
#include <nlohmann/json.hpp>
#include <ostream>
#include <stdexcept>

namespace ampprof::probe {
namespace {

using Json = nlohmann::ordered_json;

Json json_of(const MatrixLayout& layout) {
  return {{"transposed", layout.is_transposed}, {"leading", layout.leading}, {"offset", layout.offset}};
}

Json json_of_workload(const GemmCase& gemm) {
  return {{"gemm",
           {{"batch", gemm.batch},
            {"m", gemm.m},
            {"n", gemm.n},
            {"k", gemm.k},
            {"a", json_of(gemm.a)},
            {"b", json_of(gemm.b)},
            {"bias", gemm.has_bias}}}};
}

Json json_of_workload(const ConvolutionCase& convolution) {
  return {{"convolution",
           {{"input", convolution.input},
            {"weight", convolution.weight},
            {"stride", convolution.stride},
            {"padding", convolution.padding},
            {"dilation", convolution.dilation},
            {"output_padding", convolution.output_padding},
            {"groups", convolution.groups},
            {"transposed", convolution.is_transposed},
            {"backward", convolution.is_backward},
            {"channels_last", convolution.is_channels_last}}}};
}

Json json_of(const Case& what) {
  Json json = std::visit([](const auto& workload) { return json_of_workload(workload); }, what.workload);
  json["dtype"] = short_name(what.arithmetic.dtype);
  json["tf32"] = what.arithmetic.tf32;
  json["benchmark"] = what.cudnn_benchmark;
  return json;
}

MatrixLayout layout_from(const Json& json) { return {json.at("transposed"), json.at("leading"), json.at("offset")}; }

Workload workload_from(const Json& json) {
  if (json.contains("gemm")) {
    const Json& gemm = json.at("gemm");
    return GemmCase{.batch = gemm.at("batch"),
                    .m = gemm.at("m"),
                    .n = gemm.at("n"),
                    .k = gemm.at("k"),
                    .a = layout_from(gemm.at("a")),
                    .b = layout_from(gemm.at("b")),
                    .has_bias = gemm.at("bias")};
  }
  const Json& convolution = json.at("convolution");
  return ConvolutionCase{.input = convolution.at("input"),
                         .weight = convolution.at("weight"),
                         .stride = convolution.at("stride"),
                         .padding = convolution.at("padding"),
                         .dilation = convolution.at("dilation"),
                         .output_padding = convolution.at("output_padding"),
                         .groups = convolution.at("groups"),
                         .is_transposed = convolution.at("transposed"),
                         .is_backward = convolution.at("backward"),
                         .is_channels_last = convolution.at("channels_last")};
}

PlannedCase planned_from(const Json& json) {
  const Arithmetic arithmetic{dtype_from(json.at("dtype").get<std::string>()), json.at("tf32")};
  return {{workload_from(json), arithmetic, json.at("benchmark")}, json.at("ask"), json.at("time")};
}

Json or_null(const std::optional<std::int64_t>& number) { return number ? Json(*number) : Json(); }

std::optional<std::int64_t> number_or_nothing(const Json& json) {
  return json.is_null() ? std::nullopt : std::optional(json.get<std::int64_t>());
}

Json json_of_answer(const Timing& timing) {
  return {{"time",
           {{"median_us", timing.median_us},
            {"spread_us", timing.spread_us},
            {"repeats", timing.repeats},
            {"calls", timing.calls},
            {"sm_mhz_before", or_null(timing.sm_mhz_before)},
            {"sm_mhz_after", or_null(timing.sm_mhz_after)}}}};
}

Json json_of_answer(const GemmAlgorithm& algorithm) {
  return {{"algorithm",
           {{"numerics", algorithm.numerics},
            {"id", algorithm.id},
            {"tile", algorithm.tile},
            {"stages", algorithm.stages},
            {"split_k", algorithm.split_k},
            {"waves", algorithm.waves},
            {"workspace_bytes", algorithm.workspace_bytes},
            {"alignment_bytes", algorithm.alignment_bytes}}}};
}

Json json_of_answer(const Failure& failure) {
  return {{"failure", {{"of_time", failure.of_time}, {"why", failure.why}}}};
}

Timing timing_from(const Json& json) {
  return {.median_us = json.at("median_us"),
          .spread_us = json.at("spread_us"),
          .repeats = json.at("repeats"),
          .calls = json.at("calls"),
          .sm_mhz_before = number_or_nothing(json.at("sm_mhz_before")),
          .sm_mhz_after = number_or_nothing(json.at("sm_mhz_after"))};
}

GemmAlgorithm algorithm_from(const Json& json) {
  return {.numerics = json.at("numerics"),
          .id = json.at("id"),
          .tile = json.at("tile"),
          .stages = json.at("stages"),
          .split_k = json.at("split_k"),
          .waves = json.at("waves"),
          .workspace_bytes = json.at("workspace_bytes"),
          .alignment_bytes = json.at("alignment_bytes")};
}

Answer answer_from(const Json& json) {
  Answer answer{.at = json.at("case")};
  if (json.contains("time")) {
    answer.answer = timing_from(json.at("time"));
  } else if (json.contains("algorithm")) {
    answer.answer = algorithm_from(json.at("algorithm"));
  } else {
    const Json& failure = json.at("failure");
    answer.answer = Failure{failure.at("of_time"), failure.at("why")};
  }
  return answer;
}

/// Words of a library may be in any encoding.
std::string one_line(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

}  // namespace

std::string text_of(const Case& what) { return one_line(json_of(what)); }

void write_cases(std::ostream& out, const std::vector<PlannedCase>& cases) {
  for (const PlannedCase& planned : cases) {
    Json json = json_of(planned.what);
    json["ask"] = planned.ask;
    json["time"] = planned.time;
    out << one_line(json) << '\n';
  }
}

std::vector<PlannedCase> cases_from(std::istream& in) {
  std::vector<PlannedCase> cases;
  for (std::string line; std::getline(in, line);) {
    try {
      cases.push_back(planned_from(Json::parse(line)));
    } catch (const nlohmann::json::exception& error) {
      throw std::runtime_error("line " + std::to_string(cases.size() + 1) + " is no case: " + error.what());
    }
  }
  return cases;
}

std::string line_of(const Device& device) {
  return one_line({{"device", device.name}, {"cublaslt_version", device.cublaslt_version}});
}

std::string line_of(const Answer& answer) {
  Json json = std::visit([](const auto& of) { return json_of_answer(of); }, answer.answer);
  json["case"] = answer.at;
  return one_line(json);
}

Results results_from(std::istream& in) {
  Results results;
  try {
    for (std::string line; std::getline(in, line);) {
      const Json json = Json::parse(line);
      if (json.contains("device")) {
        results.device = {json.at("device"), json.at("cublaslt_version")};
      } else {
        results.answers.push_back(answer_from(json));
      }
    }
  } catch (const nlohmann::json::exception&) {  // the probe was stopped while it wrote
  }
  return results;
}

}  // namespace ampprof::probe
