// SPDX-License-Identifier: Apache-2.0
// libFuzzer: any text is a valid rule or gives an error that points into the text. Valid rules are evaluated, too.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "reports/gates/evaluate.h"
#include "reports/gates/occasion.h"
#include "reports/gates/parser.h"
#include "tests/reports/gates/evidence_builder.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace ampprof::gates;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  for (const Reports reports : {Reports::One, Reports::Two}) {
    try {
      const GateRule rule = parse_rule(text, reports);
      const RunEvidence run = a_run("O1");
      const Side side{{&run}, {&run}};
      if (judge(rule, {{.label = "O1", .a = side, .b = side}}).comparisons.empty()) std::abort();
    } catch (const RuleError& error) {
      if (error.offset > text.size()) std::abort();
    }
  }
  return 0;
}
