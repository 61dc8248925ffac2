/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The style sheet and the script of a report's page, bundled at build time from the modules in
 * this folder (tools/bundle_page.py), and the hashes that a Content-Security-Policy names them by.
 */
#ifndef FATHOM_REPORT_PAGE_PAGE_H
#define FATHOM_REPORT_PAGE_PAGE_H

#include <stddef.h>

extern const unsigned char report_style[];
extern const size_t report_style_length;
extern const char report_style_hash[]; /* 'sha256-...' */
extern const unsigned char report_script[];
extern const size_t report_script_length;
extern const char report_script_hash[];

#endif
