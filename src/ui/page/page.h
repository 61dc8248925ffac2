/* SPDX-License-Identifier: Apache-2.0 */
/* The style sheet and the script of the workbench, bundled at build time from the modules in this
 * folder and those of reports (tools/bundle_page.py), and the hashes that a
 * Content-Security-Policy names them by. */
#ifndef FATHOM_UI_PAGE_PAGE_H
#define FATHOM_UI_PAGE_PAGE_H

#include <stddef.h>

extern const unsigned char ui_style[];
extern const size_t ui_style_length;
extern const char ui_style_hash[]; /* 'sha256-...' */
extern const unsigned char ui_script[];
extern const size_t ui_script_length;
extern const char ui_script_hash[];

#endif
