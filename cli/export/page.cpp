// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "cli/export/formats.h"
#include "cli/export/html.h"
#include "cli/export/sections.h"
#include "reports/text/numbers.h"

namespace ampprof::cli {
namespace {

// page.css, page.js and live.js as string literals, which the build generates.
constexpr const char* kStyle =
#include "page.css.inc"
    ;
constexpr const char* kScript =
#include "page.js.inc"
    ;
constexpr const char* kLiveScript =
#include "live.js.inc"
    ;

// Content-Security-Policy that forbids the browser to fetch anything, whatever the page contains.
constexpr const char* kPolicy =
    "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

struct Part {
  const char* id;
  const char* title;
  std::string (*make)(const PageSource&);
};

// Sections in the order of the page.
constexpr Part kParts[]{{"missing", "missing", missing_section},
                        {"answer", "answer", answer_section},
                        {"runs", "runs", runs_section},
                        {"curves", "curves", curves_section},
                        {"call-sites", "call sites", call_sites_section},
                        {"events", "overflows", events_section},
                        {"exponents", "magnitudes", exponents_section},
                        {"tensor-cores", "Tensor Cores", tensor_cores_section},
                        {"gpu", "GPU", gpu_section}};

void write(const Exported& exported, const std::string& policy, const std::string& script, std::ostream& out) {
  const std::string& report = exported.name;
  const PageSource page(exported.views, report);
  out << "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      << "<meta http-equiv=\"Content-Security-Policy\" content=\"" << policy << "\">\n"
      << "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>" << escaped(report)
      << " - ampprof</title>\n<style>\n"
      << kStyle << "</style>\n</head>\n<body>\n<header>\n<h1>" << escaped(report) << "</h1>\n<p class=\"about\">"
      << escaped(about(page)) << "</p>\n</header>\n<nav>";
  std::string body;
  for (const Part& part : kParts) {
    const std::string section = part.make(page);
    if (!section.empty()) out << "<a href=\"#" << part.id << "\">" << part.title << "</a> ";
    body += section;
  }
  out << "</nav>\n<main>\n" << body << "</main>\n<script>\n" << script << "</script>\n</body>\n</html>\n";
}

}  // namespace

void write_page(const Exported& exported, std::ostream& out) { write(exported, kPolicy, kScript, out); }

void write_live_page(const Exported& exported, std::ostream& out) {
  write(exported, std::string(kPolicy) + "; connect-src 'self'", std::string(kScript) + kLiveScript, out);
}

}  // namespace ampprof::cli
