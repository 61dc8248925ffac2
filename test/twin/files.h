/* SPDX-License-Identifier: Apache-2.0 */
/* Checks as files. Whatever goes wrong ends the program. */
#ifndef FATHOM_TEST_TWIN_FILES_H
#define FATHOM_TEST_TWIN_FILES_H

#include "base/text.h"

void write_text(const char *path, const char *text);
void read_text(const char *path, struct text *text);

#endif
