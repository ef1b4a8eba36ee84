// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <filesystem>

#include "tests/cli/export/hostile_report.h"
#include "tests/cli/gpu_report.h"
#include "tests/cli/program.h"
#include "tests/cli/synthetic_report.h"
#include "tests/golden.h"
#include "views/all_views.h"
#include "views/table/view.h"

namespace ampprof::cli {
namespace export_verb_test {

namespace fs = std::filesystem;
using testing_reports::bytes_of;
using testing_reports::write_bytes;

class ExportVerb : public BuiltProgram {
 protected:
  ExportVerb() { write_synthetic_report(work("r.ampprof")); }

  std::string exported(const std::string& to, const std::string& rest = "") const {
    const Outcome outcome = ampprof("export r.ampprof --force --to " + to + " -o made " + rest);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_TRUE(outcome.err.starts_with("ampprof: wrote made\n")) << outcome.err;
    return bytes_of(work("made"));
  }
};

// Returns the page without the parts that all pages share.
std::string own_part(const std::string& page) {
  const auto style_end = page.find("</style>");
  const auto script = page.find("<script>");
  return page.substr(style_end, script - style_end);
}

TEST_F(ExportVerb, MakesAPage) {
  const std::string page = exported("html");
  test_support::expect_golden("page.html", own_part(page));
  EXPECT_LT(page.find("id=\"missing\""), page.find("id=\"answer\"")) << "what is missing comes first";
}

TEST_F(ExportVerb, DrawsTheMeanLossOfMicroBatches) {
  const auto curves = [&](std::vector<LossValue> losses) {
    Batch batch;
    for (const auto& [id, step] : {std::pair{1, 1}, {2, 1}, {3, 2}}) {
      batch.segments.push_back(testing_reports::segment(id, step, id * 10, id * 10 + 9));
    }
    batch.losses = std::move(losses);
    store::create_report(work("r.ampprof"), true);
    store::ReportWriter writer(work("r.ampprof"));
    writer.append(writer.begin_run(testing_reports::start_of("O1")), batch);
    writer.fold();
    const std::string page = exported("html");
    const auto begin = page.find("id=\"curves\"");
    return page.substr(begin, page.find("</section>", begin) - begin);
  };
  const std::string with_micro_batches = curves({{1, 0, 2.0}, {2, 0, 4.0}, {3, 0, 1.0}});
  EXPECT_NE(with_micro_batches.find("<path"), std::string::npos);
  EXPECT_EQ(with_micro_batches, curves({{1, 0, 3.0}, {3, 0, 1.0}}));
}

TEST_F(ExportVerb, MakesMetrics) {
  const std::string metrics = exported("openmetrics");
  test_support::expect_golden("metrics.txt", metrics);
  EXPECT_TRUE(metrics.ends_with("\n# EOF\n"));
}

TEST_F(ExportVerb, ShowsWhatAGpuDidWhereThereWasOne) {
  EXPECT_EQ(exported("html").find("id=\"gpu\""), std::string::npos);
  fs::remove(work("r.ampprof"));
  write_gpu_report(work("r.ampprof"));
  const std::string page = exported("html");
  const auto section = page.find("id=\"gpu\"");
  ASSERT_NE(section, std::string::npos);
  EXPECT_NE(page.find("triton_per_fused_attention_0", section), std::string::npos) << "a kernel";
  EXPECT_NE(page.find("unlaunched", section), std::string::npos) << "idle gaps";
}

TEST_F(ExportVerb, MakesAPageThatNeedsNothingElse) {
  const std::string page = exported("html");
  for (const char* part : {"http:", "https:", "//cdn", "src=", "@import", "url("}) {
    EXPECT_EQ(page.find(part), std::string::npos) << part;
  }
  EXPECT_NE(page.find("default-src 'none'"), std::string::npos);
}

TEST_F(ExportVerb, KeepsHostileTextsInTheirPlaces) {
  write_report_with("<script>alert(1)</script><img src=x onerror='alert(2)'>\"'--><!--]]>\x1b[31m", work("r.ampprof"));
  const std::string page = exported("html");
  std::size_t scripts = 0;
  for (auto at = page.find("<script"); at != std::string::npos; at = page.find("<script", at + 1)) ++scripts;
  EXPECT_EQ(scripts, 1u);
  EXPECT_EQ(page.find("<img"), std::string::npos);
  EXPECT_EQ(page.find("<!--"), std::string::npos);
  EXPECT_EQ(page.find('\x1b'), std::string::npos);
}

TEST_F(ExportVerb, MakesOneObjectOfAllViews) {
  const std::string text = exported("json");
  test_support::expect_golden("report.json", text);
  const views::Json json = views::Json::parse(text);
  for (const views::NamedView& view : views::all_views()) {
    std::string key = view.name;
    std::ranges::replace(key, '-', '_');
    EXPECT_EQ(json.at(key), views::Json::parse(ampprof(std::string("show r.ampprof --format json ") + view.name).out))
        << view.name;
  }
}

TEST_F(ExportVerb, MakesAFolderOfTables) {
  EXPECT_EQ(ampprof("export r.ampprof --to csv -o tables").exit_code, 0);
  EXPECT_EQ(std::distance(fs::directory_iterator(work("tables")), {}), std::ssize(views::all_views()));
  for (const char* view : {"runs", "ops", "events", "missing", "loss-scale"}) {
    EXPECT_EQ(bytes_of(work(std::string("tables/") + view + ".csv")),
              ampprof(std::string("show r.ampprof --format csv ") + view).out);
  }
  test_support::expect_golden("events.csv", bytes_of(work("tables/events.csv")));
  const Outcome again = ampprof("export r.ampprof --to csv -o tables");
  EXPECT_EQ(again.exit_code, 2);
  EXPECT_NE(again.err.find("exists already"), std::string::npos) << again.err;
  EXPECT_EQ(ampprof("export r.ampprof --to csv -o tables --force").exit_code, 0);
  EXPECT_EQ(std::distance(fs::directory_iterator(work("tables")), {}), std::ssize(views::all_views()))
      << "a temporary file is left";
}

TEST_F(ExportVerb, MakesALogFolder) {
  EXPECT_EQ(ampprof("export r.ampprof --to tensorboard -o logs --run O1").exit_code, 0);
  EXPECT_TRUE(fs::exists(work("logs/O1/events.out.tfevents.1767323045.ampprof")));
  EXPECT_FALSE(fs::exists(work("logs/O0")));
  const Outcome again = ampprof("export r.ampprof --to tensorboard -o logs");
  EXPECT_EQ(again.exit_code, 2);
  EXPECT_NE(again.err.find("exists already"), std::string::npos) << again.err;
  EXPECT_EQ(ampprof("export r.ampprof --to tensorboard -o logs --force").exit_code, 0);
}

TEST_F(ExportVerb, MakesATrace) { EXPECT_GT(views::Json::parse(exported("perfetto")).at("traceEvents").size(), 180u); }

TEST_F(ExportVerb, LeavesOutWhoAndWhereWhenAsked) {
  fs::remove(work("r.ampprof"));
  testing_reports::write_sample_report(work("r.ampprof"));
  const auto holds = [](const std::string& text, const char* part) { return text.find(part) != std::string::npos; };
  for (const char* to : {"html", "json", "perfetto"}) {
    EXPECT_TRUE(holds(exported(to), "./train --epochs 2")) << to;
    const std::string anonymous = exported(to, "--anonymize");
    EXPECT_TRUE(holds(anonymous, "train ...") && !holds(anonymous, "--epochs")) << to;
    EXPECT_TRUE(holds(anonymous, "fc.weight")) << to;
    const std::string nameless = exported(to, "--anonymize=names");
    EXPECT_TRUE(holds(nameless, "n2.weight") && !holds(nameless, "fc")) << to;
    EXPECT_FALSE(holds(nameless, "r.ampprof\"")) << "a file name may tell who and where";
  }
}

TEST_F(ExportVerb, WorksInAReadOnlyFolder) {
  fs::permissions(work(""), fs::perms::owner_read | fs::perms::owner_exec);
  const Outcome outcome = ampprof("export r.ampprof --to json -o ../made.json");
  fs::permissions(work(""), fs::perms::owner_all);
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
}

TEST_F(ExportVerb, LeavesNothingOnAFullDisk) {
  for (const char* to : {"html", "json", "perfetto"}) {
    const Outcome outcome =
        shell(std::string("ulimit -f 2; '" AMPPROF_PROGRAM "' export r.ampprof -o made --to ") + to);
    EXPECT_EQ(outcome.exit_code, 2) << outcome.err;
    EXPECT_NE(outcome.err.find("the disk is full"), std::string::npos) << outcome.err;
    EXPECT_EQ(std::distance(fs::directory_iterator(work("")), {}), 1) << "a file is left";
  }
}

struct WrongExport {
  const char* name;
  const char* arguments;
  int exit_code;
  const char* says;
};

void PrintTo(const WrongExport& wrong, std::ostream* out) { *out << wrong.arguments; }

class WrongExports : public ExportVerb, public testing::WithParamInterface<WrongExport> {};

TEST_P(WrongExports, GetASentenceAndLeaveNothing) {
  write_bytes(work("there"), "precious");
  const Outcome outcome = ampprof(GetParam().arguments);
  EXPECT_EQ(outcome.exit_code, GetParam().exit_code);
  EXPECT_NE(outcome.err.find(GetParam().says), std::string::npos) << outcome.err;
  EXPECT_EQ(bytes_of(work("there")), "precious");
  EXPECT_EQ(std::distance(fs::directory_iterator(work("")), {}), 2) << "a file is left";
}

INSTANTIATE_TEST_SUITE_P(
    ExportVerb, WrongExports,
    testing::Values(
        WrongExport{"format", "export r.ampprof --to htm -o x", 2, "Did you mean 'html'?"},
        WrongExport{"no_format", "export r.ampprof -o x", 2, "--to"},
        WrongExport{"no_output", "export r.ampprof --to html", 2, "--output"},
        WrongExport{"no_report", "export none.ampprof --to html -o x", 4, "cannot open the report"},
        WrongExport{"not_a_report", "export there --to html -o x", 4, "not an ampprof report"},
        WrongExport{"onto_itself", "export r.ampprof --to html -o r.ampprof --force", 2, "cannot be the output"},
        WrongExport{"existing", "export r.ampprof --to html -o there", 2, "exists already"},
        WrongExport{"folder_that_is_a_file", "export r.ampprof --to csv -o there", 2, "a file has that name"},
        WrongExport{"log_folder_that_is_a_file", "export r.ampprof --to tensorboard -o there", 2,
                    "a file has that name"},
        WrongExport{"no_folder", "export r.ampprof --to csv -o none/x", 2, "cannot make the folder"},
        WrongExport{"anonymous_what", "export r.ampprof --to html -o x --anonymize=all", 2, "--anonymize"}),
    [](const auto& info) { return info.param.name; });

}  // namespace export_verb_test
}  // namespace ampprof::cli
