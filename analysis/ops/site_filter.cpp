// SPDX-License-Identifier: Apache-2.0
#include "analysis/ops/site_filter.h"

#include <re2/re2.h>

namespace ampprof::analysis {

Pattern::Pattern(const std::string& expression)
    : regex_(std::make_shared<const re2::RE2>(expression, re2::RE2::Quiet)) {
  if (!regex_->ok()) throw Error(regex_->error());
}

bool Pattern::matches(const std::string& name) const { return !regex_ || re2::RE2::PartialMatch(name, *regex_); }

}  // namespace ampprof::analysis
