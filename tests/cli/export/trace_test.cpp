// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validation_results.hpp>
#include <valijson/validator.hpp>

#include "cli/export/formats.h"
#include "tests/cli/export/hostile_report.h"
#include "tests/cli/gpu_report.h"
#include "tests/cli/synthetic_report.h"
#include "tests/golden.h"
#include "tests/views/all_runs.h"
#include "views/table/view.h"

namespace ampprof::cli {
namespace trace_test {

namespace fs = std::filesystem;

views::Json events_of(const std::string& trace) { return views::Json::parse(trace).at("traceEvents"); }

std::string trace_of(const fs::path& path) {
  views::AllRuns opened(path);
  std::ostringstream out;
  write_trace({opened.source(), "r"}, out);
  return out.str();
}

/// Checks traces against trace_event.schema.json.
class Format {
 public:
  Format() {
    views::Json text;
    std::ifstream(AMPPROF_TRACE_SCHEMA) >> text;
    valijson::SchemaParser(valijson::SchemaParser::kDraft7)
        .populateSchema(valijson::adapters::NlohmannJsonAdapter(text), schema_);
  }

  void check(const std::string& trace) {
    const views::Json json = views::Json::parse(trace);
    valijson::ValidationResults wrong;
    if (validator_.validate(schema_, valijson::adapters::NlohmannJsonAdapter(json), &wrong)) return;
    valijson::ValidationResults::Error error;
    while (wrong.popError(error)) ADD_FAILURE() << testing::PrintToString(error.context) << ": " << error.description;
  }

 private:
  valijson::Schema schema_;
  valijson::Validator validator_;
};

// Checks that spans of one track follow each other or nest.
void check_nesting(std::vector<std::pair<double, double>> spans) {
  std::sort(spans.begin(), spans.end(),
            [](auto a, auto b) { return a.first < b.first || (a.first == b.first && a.second > b.second); });
  std::vector<double> open;
  for (const auto& [start, end] : spans) {
    while (!open.empty() && open.back() <= start) open.pop_back();
    if (!open.empty()) {
      EXPECT_LE(end, open.back()) << "spans cross at " << start;
    }
    open.push_back(end);
  }
}

class Trace : public testing::Test {
 protected:
  Trace() { write_synthetic_report(folder_ / "r"); }

  testing_reports::TemporaryFolder folder_;
};

TEST_F(Trace, KeepsToTheFormat) {
  const views::Json trace = views::Json::parse(trace_of(folder_ / "r"));
  std::map<std::pair<int, int>, std::vector<std::pair<double, double>>> tracks;
  Format().check(trace.dump());
  for (const views::Json& event : trace.at("traceEvents")) {
    if (event.at("ph") != "X") continue;
    const double start = event.at("ts");
    tracks[{event.at("pid"), event.at("tid")}].emplace_back(start, start + event.at("dur").get<double>());
  }
  EXPECT_GE(tracks.size(), 3u * 5u);
  for (const auto& [track, spans] : tracks) check_nesting(spans);
}

TEST_F(Trace, OfAGpuKeepsToTheFormatAndLeadsEachArrowFromACallToItsWork) {
  write_gpu_report(folder_ / "gpu");
  const std::string trace = trace_of(folder_ / "gpu");
  Format().check(trace);
  std::map<std::string, double> launches;
  int arrows = 0;
  for (const views::Json& event : events_of(trace)) {
    if (event.at("ph") == "s") launches[event.at("id")] = event.at("ts");
    if (event.at("ph") != "f") continue;
    EXPECT_LE(launches.at(event.at("id")), event.at("ts").get<double>());
    ++arrows;
  }
  EXPECT_EQ(arrows, 4 * (6 + 7)) << "one for each work of each step";
}

TEST_F(Trace, HoldsEveryCallStepAndDecision) {
  const views::Json trace = views::Json::parse(trace_of(folder_ / "r"));
  std::map<std::string, int> spans;
  std::map<std::string, int> counters;
  int instants = 0;
  for (const views::Json& event : trace.at("traceEvents")) {
    const std::string kind = event.at("ph");
    if (kind == "X") ++spans[event.at("cat")];
    if (kind == "C") ++counters[event.at("name")];
    if (kind == "i") ++instants;
  }
  EXPECT_EQ(spans["step"], 36);
  EXPECT_EQ(spans["forward"], 3 * 12 * 2);
  EXPECT_EQ(spans["backward"], 3 * 12 * 2);
  EXPECT_EQ(spans["optimizer"], 3 * 12 - 1);
  EXPECT_EQ(counters["loss scale"], 13);
  EXPECT_EQ(counters["loss"], 12 + 12 + 1) << "a loss that is NaN has no counter";
  EXPECT_EQ(instants, 1);
}

TEST_F(Trace, NamesItsTracks) {
  std::set<std::string> names;
  const views::Json events = events_of(trace_of(folder_ / "r"));
  for (const views::Json& event : events) {
    if (event.at("ph") == "M" && event.at("args").contains("name")) names.insert(event.at("args").at("name"));
  }
  EXPECT_EQ(names, (std::set<std::string>{"O0: sample:mnist_cnn", "O1: sample:mnist_cnn", "O3: sample:mnist_cnn",
                                          "steps", "forward", "backward", "optimizer", "inference", "thread 0"}));
}

TEST_F(Trace, StaysAsItWas) {
  testing_reports::write_sample_report(folder_ / "small");
  test_support::expect_golden("trace.json", trace_of(folder_ / "small"));
}

TEST_F(Trace, TakesAnyText) {
  write_report_with("a\"\\</script>\x1b\xff\n", folder_ / "hostile");
  Format().check(trace_of(folder_ / "hostile"));
}

TEST_F(Trace, OfNoRunIsEmpty) {
  store::create_report(folder_ / "empty", false);
  EXPECT_TRUE(views::Json::parse(trace_of(folder_ / "empty")).at("traceEvents").empty());
}

// No recorder writes such times, but a damaged or forged report may contain them.
TEST_F(Trace, SurvivesImpossibleTimes) {
  store::create_report(folder_ / "odd", false);
  {
    store::ReportWriter writer(folder_ / "odd");
    const std::int64_t run = writer.begin_run(testing_reports::start_of("O1"));
    Batch batch = testing_reports::two_steps();
    constexpr auto kMost = std::numeric_limits<std::int64_t>::max();
    constexpr auto kLeast = std::numeric_limits<std::int64_t>::min();
    batch.calls[0].start_ns = kMost;
    batch.calls[0].duration_ns = kMost;
    batch.calls[1].start_ns = kLeast;
    batch.calls[1].duration_ns = kLeast;
    batch.calls[2].thread = std::numeric_limits<std::int32_t>::min();
    batch.segments[0].start_ns = kLeast;
    batch.segments[0].end_ns = kMost;
    batch.segments[1].overhead_ns = kMost;
    writer.append(run, batch);
  }
  Format().check(trace_of(folder_ / "odd"));
}

}  // namespace trace_test
}  // namespace ampprof::cli
