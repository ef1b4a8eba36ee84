// SPDX-License-Identifier: Apache-2.0
// libFuzzer: any words are a valid command line or give a message about the error. NUL separates words; the first word
// is the verb. No command is executed.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "analysis/ops/nearest.h"
#include "cli/launch/program/arguments.h"
#include "cli/verbs/describe.h"
#include "cli/verbs/run_options.h"
#include "reports/text/shell_text.h"
#include "reports/text/usage_error.h"
#include "views/table/format.h"

namespace {

using namespace ampprof;
using namespace ampprof::cli;

Arguments split(std::string_view bytes) {
  Arguments words{""};
  for (const char c : bytes) {
    if (c == '\0') {
      words.emplace_back();
    } else {
      words.back() += c;
    }
  }
  return words;
}

template <class Try>
void expect_usage_error(const Try& attempt) {
  try {
    attempt();
  } catch (const text::UsageError& error) {
    if (*error.what() == '\0') std::abort();
  }
}

// Parses the words with one verb. If the first word is not a verb, all verbs are tried.
void parse(const Verb& verb, const Arguments& words) {
  if (verb.name == "run") {
    expect_usage_error([&] { (void)run_options_from({words.begin() + 1, words.end()}); });
    return;
  }
  Arguments arguments = words;
  arguments.front() = kParseOnly;
  expect_usage_error([&] {
    try {
      (void)verb.run(arguments, {});
    } catch (const Parsed&) {
    }
  });
}

void read_value(const std::string& word) {
  expect_usage_error([&] {
    const StepRange range = steps_from(word);
    if (range.last && *range.last < range.first) std::abort();
  });
  expect_usage_error([&] {
    if (levels_from(word).empty()) std::abort();
  });
  expect_usage_error([&] {
    if (size_from("--max-report", word) < 0) std::abort();
  });
  expect_usage_error([&] { (void)input_from(word); });
  expect_usage_error([&] { (void)views::format_from(word); });
  (void)expanded_report_name(word);
  (void)analysis::did_you_mean(word, {"show", "check"});
}

// Selects records of a view, as the flags --op and --sort do.
void select_by(const std::string& word) {
  const views::View view{.name = "v", .keys = {"op", "calls"}, .columns = {}, .records = {}, .none = ""};
  for (const char* key : {"op", "sort"}) {
    views::View selected = view;
    for (const char* op : {"conv2d", "mm"}) {
      selected.records.push_back({.values = {std::string(op), std::int64_t{2}}});
    }
    views::Selection selection;
    (*key == 'o' ? selection.op : selection.sort) = word;
    expect_usage_error([&] { (void)views::select(selected, selection); });
  }
}

}  // namespace

extern "C" int LLVMFuzzerInitialize(int*, char***) {
  // Hides printed help; libFuzzer writes to stderr.
  return std::freopen("/dev/null", "w", stdout) == nullptr ? 1 : 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const Arguments words = split({reinterpret_cast<const char*>(data), size});
  const auto& verbs = all_verbs();
  const auto named = std::find_if(verbs.begin(), verbs.end(), [&](const Verb& v) { return v.name == words.front(); });
  if (named != verbs.end()) {
    parse(*named, words);
  } else {
    for (const Verb& verb : verbs) parse(verb, words);
  }
  for (const std::string& word : words) {
    read_value(word);
    select_by(word);
  }
  (void)text::shell_text(words);
  return 0;
}
