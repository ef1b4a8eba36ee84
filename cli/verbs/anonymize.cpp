// SPDX-License-Identifier: Apache-2.0
#include "cli/verbs/anonymize.h"

#include <fmt/format.h>

#include "analysis/ops/nearest.h"
#include "reports/merge/anonymize.h"
#include "reports/text/usage_error.h"

namespace ampprof::cli {

CLI::Option* add_anonymize(CLI::App& app, std::string& said) {
  return app
      .add_flag("--anonymize", said,
                "remove paths, addresses and the program's arguments; --anonymize=names removes module names too")
      ->envname(variable_of("--anonymize"));
}

merge::TextFilter filter_of_anonymize(const std::string& said) {
  if (said.empty() || said == "false" || said == "0") return nullptr;
  if (said == "true" || said == "1") return merge::anonymous(false);
  if (said == "names") return merge::anonymous(true);
  throw text::UsageError(fmt::format("--anonymize: unknown value '{}'.{} Use --anonymize or --anonymize=names.", said,
                                     analysis::did_you_mean(said, {"names"})));
}

}  // namespace ampprof::cli
