/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The dashboard of `fathom trace`, bundled at build time from the modules in this
 * folder (tools/bundle_page.py): one HTML page in three pieces. After the first a
 * Content-Security-Policy may stand, for a page that no server sends with one; after
 * the second, records in JSON. With no records, the page asks the server that it came
 * from.
 */
#ifndef FATHOM_TRACING_PAGE_PAGE_H
#define FATHOM_TRACING_PAGE_PAGE_H

#include <stddef.h>

extern const unsigned char page_start[];
extern const size_t page_start_length;
extern const unsigned char page_head[];
extern const size_t page_head_length;
extern const unsigned char page_tail[];
extern const size_t page_tail_length;

/* 'sha256-...': what a Content-Security-Policy names its style sheet and its script by. */
extern const char page_style_hash[];
extern const char page_script_hash[];

#endif
