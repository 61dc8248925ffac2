/* SPDX-License-Identifier: Apache-2.0 */
/* Base64 (RFC 4648), the standard alphabet with padding. */
#ifndef FATHOM_BASE_BASE64_H
#define FATHOM_BASE_BASE64_H

#include "base/arena.h"

char *base64_encode(struct arena *arena, const char *bytes, size_t count);
/* NUL-terminated, too; NULL if it is not base64. White space is skipped. */
char *base64_decode(struct arena *arena, const char *text, size_t *count);

#endif
