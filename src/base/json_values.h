/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How many values there are in a JSON text, before it is parsed.
 *
 * A value takes many times the memory of its text: few bytes must not become millions of values.
 */
#ifndef FATHOM_BASE_JSON_VALUES_H
#define FATHOM_BASE_JSON_VALUES_H

#include <stdbool.h>
#include <stddef.h>

bool json_has_more_values(const char *text, size_t length, size_t most);

#endif
