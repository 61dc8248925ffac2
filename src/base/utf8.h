/* SPDX-License-Identifier: Apache-2.0 */
/* UTF-8, strictly: no overlong forms, no surrogates, nothing above U+10FFFF. */
#ifndef FATHOM_BASE_UTF8_H
#define FATHOM_BASE_UTF8_H

#include <stddef.h>

/* Bytes of the character at the start of the text, 0 if there is no valid one. */
size_t utf8_length(const char *bytes, size_t available);

/* Offset of the first byte that is not part of a valid character; `count` if all are. */
size_t utf8_valid_prefix(const char *bytes, size_t count);

#endif
