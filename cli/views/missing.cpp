// SPDX-License-Identifier: Apache-2.0
#include "cli/text/elide.h"
#include "cli/text/numbers.h"
#include "cli/views/format.h"
#include "cli/views/views.h"

namespace ampprof::cli {

Json to_json(const MissingRow& row) {
  return {{"run", row.run},
          {"level", text_or_null(row.level)},
          {"what", row.missing.what},
          {"count", row.missing.count},
          {"cause", text_or_null(row.missing.cause)},
          {"remedy", text_or_null(row.missing.remedy)}};
}

View missing_view(const std::vector<MissingRow>& rows) {
  View view{.name = "missing",
            .keys = {"run", "level", "what", "count", "cause", "remedy"},
            .columns = {{.title = "run", .align = Align::Right, .spare = 1},
                        {"level"},
                        {"count", Align::Right},
                        {.title = "what", .flexible = true},
                        {.title = "cause", .flexible = true},
                        {.title = "remedy", .flexible = true}},
            .records = {},
            .wraps = true,
            .none = "Nothing is missing."};
  for (const MissingRow& row : rows) {
    view.records.push_back({to_json(row),
                            {{std::to_string(row.run)},
                             {printable(row.level), Tone::Strong},
                             {count(row.missing.count)},
                             {printable(row.missing.what), Tone::Attention},
                             {printable(row.missing.cause)},
                             {printable(row.missing.remedy)}}});
  }
  return view;
}

}  // namespace ampprof::cli
