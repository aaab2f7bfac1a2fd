#include "apps/viewer/page.h"

#ifdef SINEW_PAGE_FOLDER
// The assembler copies the files as they are: a literal of this size would take the compiler half a minute.
#define SINEW_EMBED(symbol, file)             \
  __asm__(                                    \
      ".section .rodata\n"                    \
      ".global sinew_page_" symbol            \
      "\n"                                    \
      ".global sinew_page_" symbol            \
      "_end\n"                                \
      "sinew_page_" symbol                    \
      ":\n"                                   \
      ".incbin \"" SINEW_PAGE_FOLDER "/" file \
      "\"\n"                                  \
      "sinew_page_" symbol                    \
      "_end:\n"                               \
      ".byte 0\n"                             \
      ".previous\n")

SINEW_EMBED("html", "index.html");
SINEW_EMBED("js", "page.js");
SINEW_EMBED("css", "page.css");

extern "C" {
extern const char sinew_page_html[], sinew_page_html_end[];
extern const char sinew_page_js[], sinew_page_js_end[];
extern const char sinew_page_css[], sinew_page_css_end[];
}
#endif

namespace sinew::viewer {

const std::vector<PageFile>& page_files() {
#ifdef SINEW_PAGE_FOLDER
  static const std::vector<PageFile> files = {
      {"", "text/html; charset=utf-8", {sinew_page_html, sinew_page_html_end}},
      {"page.js", "text/javascript; charset=utf-8", {sinew_page_js, sinew_page_js_end}},
      {"page.css", "text/css; charset=utf-8", {sinew_page_css, sinew_page_css_end}}};
#else
  static const std::vector<PageFile> files;
#endif
  return files;
}

}  // namespace sinew::viewer
