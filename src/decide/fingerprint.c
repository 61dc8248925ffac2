/* SPDX-License-Identifier: Apache-2.0 */
#include "decide/fingerprint.h"

#include <string.h>

void fingerprint_number(struct text *text, int64_t number)
{
    char digits[24];
    char *end = digits + sizeof(digits);
    char *next = end;
    uint64_t rest = number < 0 ? -(uint64_t)number : (uint64_t)number;
    *--next = ';';
    do {
        *--next = (char)('0' + rest % 10);
        rest /= 10;
    } while (rest);
    if (number < 0)
        *--next = '-';
    text_append(text, next, (size_t)(end - next));
}

void fingerprint_string(struct text *text, const char *string)
{
    if (!string) {
        text_append(text, "~", 1);
        return;
    }
    size_t length = strlen(string);
    fingerprint_number(text, (int64_t)length);
    text_append(text, string, length);
}

void fingerprint_optional(struct text *text, struct optional_int value)
{
    if (value.set)
        fingerprint_number(text, value.value);
    else
        text_append(text, "~", 1);
}

void fingerprint_strings(struct text *text, const struct string_list *list)
{
    fingerprint_number(text, list->count);
    for (uint32_t i = 0; i < list->count; i++)
        fingerprint_string(text, list->items[i]);
}

void fingerprint_labels(struct text *text, const struct labels *labels)
{
    fingerprint_number(text, labels->count);
    for (uint32_t i = 0; i < labels->count; i++) {
        fingerprint_string(text, labels->items[i].key);
        fingerprint_string(text, labels->items[i].value);
    }
}

void fingerprint_resources(struct text *text, const struct resource_list *list)
{
    fingerprint_number(text, list->count);
    for (uint32_t i = 0; i < list->count; i++) {
        fingerprint_string(text, list->items[i].name);
        fingerprint_number(text, (int64_t)(list->items[i].quantity.nanos >> 64));
        fingerprint_number(text, (int64_t)list->items[i].quantity.nanos);
    }
}

void fingerprint_tolerations(struct text *text, const struct toleration *tolerations,
                             uint32_t count)
{
    fingerprint_number(text, count);
    for (uint32_t i = 0; i < count; i++) {
        fingerprint_string(text, tolerations[i].key);
        fingerprint_number(text, tolerations[i].operator);
        fingerprint_string(text, tolerations[i].value);
        fingerprint_number(text, tolerations[i].effect);
        fingerprint_optional(text, tolerations[i].toleration_seconds);
    }
}
