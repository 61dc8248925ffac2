/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The dashboard of `fathom trace`, bundled at build time from the modules in this
 * folder (tools/bundle_page.py): one HTML page in two halves, between which
 * records in JSON may stand. With nothing between, the page asks the
 * server that it came from.
 */
#ifndef FATHOM_TRACING_PAGE_PAGE_H
#define FATHOM_TRACING_PAGE_PAGE_H

#include <stddef.h>

extern const unsigned char page_head[];
extern const size_t page_head_length;
extern const unsigned char page_tail[];
extern const size_t page_tail_length;

#endif
