// SPDX-License-Identifier: Apache-2.0
#include "precision/probe/lines.h"

#include <istream>
#include <nlohmann/json.hpp>
#include <ostream>
#include <stdexcept>

namespace ampprof {

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(GemmAlgorithm, numerics, id, tile, stages, split_k, waves, workspace_bytes,
                                   alignment_bytes)

}  // namespace ampprof

namespace ampprof::probe {

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(MatrixLayout, is_transposed, leading, offset)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(GemmCase, batch, m, n, k, a, b, has_bias)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(ConvolutionCase, input, weight, stride, padding, dilation, output_padding, groups,
                                   is_transposed, is_backward, is_channels_last)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Failure, of_time, why)

namespace {

using Json = nlohmann::json;

Json json_of(const Case& what) {
  Json json = {{"dtype", short_name(what.arithmetic.dtype)},
               {"tf32", what.arithmetic.tf32},
               {"benchmark", what.cudnn_benchmark}};
  const char* const name = is_convolution(what.workload) ? "convolution" : "gemm";
  std::visit([&](const auto& workload) { json[name] = workload; }, what.workload);
  return json;
}

Workload workload_from(const Json& json) {
  if (json.contains("gemm")) return json.at("gemm").get<GemmCase>();
  return json.at("convolution").get<ConvolutionCase>();
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

Json json_of_answer(const GemmAlgorithm& algorithm) { return {{"algorithm", algorithm}}; }

Json json_of_answer(const Failure& failure) { return {{"failure", failure}}; }

Timing timing_from(const Json& json) {
  return {.median_us = json.at("median_us"),
          .spread_us = json.at("spread_us"),
          .repeats = json.at("repeats"),
          .calls = json.at("calls"),
          .sm_mhz_before = number_or_nothing(json.at("sm_mhz_before")),
          .sm_mhz_after = number_or_nothing(json.at("sm_mhz_after"))};
}

Answer answer_from(const Json& json) {
  Answer answer{.at = json.at("case")};
  if (json.contains("time")) {
    answer.answer = timing_from(json.at("time"));
  } else if (json.contains("algorithm")) {
    answer.answer = json.at("algorithm").get<GemmAlgorithm>();
  } else {
    answer.answer = json.at("failure").get<Failure>();
  }
  return answer;
}

/// Replaces invalid UTF-8, since text from a library may have any encoding.
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
  } catch (const nlohmann::json::exception&) {  // the probe was stopped while it wrote the last line
  }
  return results;
}

}  // namespace ampprof::probe
