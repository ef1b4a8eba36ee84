// SPDX-License-Identifier: Apache-2.0
#include "cli/verbs/describe.h"

namespace ampprof::cli {

std::vector<VerbDescription> describe_verbs(const Installation& installation) {
  std::vector<VerbDescription> descriptions;
  for (const Verb& verb : all_verbs()) {
    if (verb.about.empty()) continue;
    try {
      verb.run({kDescribe}, installation);
    } catch (const Described& described) {
      descriptions.push_back(described.description);
    }
  }
  return descriptions;
}

}  // namespace ampprof::cli
