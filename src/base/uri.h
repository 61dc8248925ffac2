/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Parts of addresses (RFC 3986): what is not a letter, a digit or one of "-._~" is percent-encoded.
 */
#ifndef FATHOM_BASE_URI_H
#define FATHOM_BASE_URI_H

#include "base/arena.h"

/* One segment of a path: a slash in it is encoded, too. */
const char *uri_segment(struct arena *arena, const char *text);
/* A file: relative to the working folder as its name is, else with "file://". */
const char *uri_of_file(struct arena *arena, const char *name);

#endif
