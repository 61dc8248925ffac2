/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Forms: JSON with placeholders, of which plugins make values (fathom_make).
 *
 * Beyond JSON, strings may stand in single quotes and plain keys need none, so that
 * a form is readable inside a C string; %v, %s and %d stand for the arguments. A
 * resource version or uid may stand in place of a value, but not inside a string,
 * where it would be lost that it is one.
 */
#include "base/vec.h"
#include "reconcile/front/plugin.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { FORM_DEPTH_MOST = 100 };

struct form {
    struct plugin_call *call;
    const char *start;
    const char *next;
    struct text text; /* of the string that is being read */
    int depth;
    va_list arguments;
};

static const struct datum *form_value(struct form *form);

__attribute__((format(printf, 2, 3))) static const struct datum *form_fail(struct form *form,
                                                                           const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const char *message = arena_vprintf(form->call->arena, format, arguments);
    va_end(arguments);
    plugin_call_fail(form->call, "the form that starts with \"%.40s\": %s at \"%.40s\"",
                     form->start, message, form->next);
    return NULL;
}

static void skip_space(struct form *form)
{
    while (isspace((unsigned char)*form->next))
        form->next++;
}

static bool take(struct form *form, char c)
{
    skip_space(form);
    if (*form->next != c)
        return false;
    form->next++;
    return true;
}

/* --- Strings -------------------------------------------------------------- */

static void append_codepoint(struct text *text, unsigned long code)
{
    if (code < 0x80) {
        text_append_char(text, (char)code);
        return;
    }
    if (code < 0x800) {
        text_append_char(text, (char)(0xC0 | code >> 6));
    } else {
        text_append_char(text, (char)(0xE0 | code >> 12));
        text_append_char(text, (char)(0x80 | (code >> 6 & 0x3F)));
    }
    text_append_char(text, (char)(0x80 | (code & 0x3F)));
}

static bool string_escape(struct form *form)
{
    static const char letters[] = "\"\"''\\\\//b\bf\fn\nr\rt\t";
    char c = *form->next;
    if (c == 'u') {
        char digits[5] = "";
        for (int i = 0; i < 4 && isxdigit((unsigned char)form->next[1 + i]); i++)
            digits[i] = form->next[1 + i];
        unsigned long code = strtoul(digits, NULL, 16);
        if (strlen(digits) < 4 || code == 0 || (code >= 0xD800 && code < 0xE000))
            return form_fail(form, "a \\u that is no character of four hexadecimal digits");
        append_codepoint(&form->text, code);
        form->next += 5;
        return true;
    }
    for (const char *letter = letters; c && *letter; letter += 2) {
        if (*letter == c) {
            text_append_char(&form->text, letter[1]);
            form->next++;
            return true;
        }
    }
    return form_fail(form, "an unknown escape");
}

bool plugin_append_scalar(struct plugin_call *call, struct text *text, const struct datum *value,
                          const char *where)
{
    if (!value)
        return true;
    switch (value->kind) {
    case DATUM_FALSE: text_append_string(text, "false"); return true;
    case DATUM_TRUE: text_append_string(text, "true"); return true;
    case DATUM_INTEGER: text_printf(text, "%" PRId64, value->integer); return true;
    case DATUM_DOUBLE: text_printf(text, "%.17g", value->real); return true;
    case DATUM_STRING: text_append_string(text, value->text); return true;
    case DATUM_VERSION:
    case DATUM_UID:
        plugin_call_fail(call,
                         "a resource version or uid inside the text \"%.40s\": it can be copied "
                         "and compared, so it has to be a value of its own",
                         where);
        return false;
    case DATUM_LIST:
    case DATUM_OBJECT: break;
    }
    plugin_call_fail(call, "a list or an object inside the text \"%.40s\"", where);
    return false;
}

static bool string_placeholder(struct form *form)
{
    char c = *form->next;
    const char *text;
    switch (c) {
    case '%': text_append_char(&form->text, '%'); break;
    case 'd': text_printf(&form->text, "%d", va_arg(form->arguments, int)); break;
    case 's':
        text = va_arg(form->arguments, const char *);
        text_append_string(&form->text, text ? text : "");
        break;
    case 'v':
        if (!plugin_append_scalar(
                form->call, &form->text,
                plugin_datum(va_arg(form->arguments, const struct fathom_value *)), form->start))
            return false;
        break;
    default: return form_fail(form, "an unknown placeholder (%%v, %%s, %%d and %%%% are known)");
    }
    form->next++;
    return true;
}

/* Up to the quote that ends it; NULL if something is wrong. */
static const char *form_string(struct form *form, char quote)
{
    text_reset(&form->text);
    while (*form->next != quote) {
        char c = *form->next;
        if (!c) {
            form_fail(form, "a string that does not end");
            return NULL;
        }
        form->next++;
        if (c == '\\' ? !string_escape(form) : c == '%' && !string_placeholder(form))
            return NULL;
        if (c != '\\' && c != '%')
            text_append_char(&form->text, c);
    }
    form->next++;
    return text_content(&form->text);
}

/* --- Objects, lists, scalars ------------------------------------------------ */

static bool is_key_letter(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '-';
}

static const char *form_key(struct form *form)
{
    skip_space(form);
    char quote = *form->next;
    if (quote == '"' || quote == '\'') {
        form->next++;
        const char *key = form_string(form, quote);
        return key ? arena_strdup(form->call->arena, key) : NULL;
    }
    const char *start = form->next;
    while (is_key_letter(*form->next))
        form->next++;
    if (form->next == start) {
        form_fail(form, "expected a key");
        return NULL;
    }
    return arena_strndup(form->call->arena, start, (size_t)(form->next - start));
}

static const struct datum *form_object(struct form *form)
{
    VEC(struct datum_member) members = {0};
    if (take(form, '}'))
        return datum_object(form->call->arena, NULL, 0);
    do {
        struct datum_member member = {.key = form_key(form)};
        if (!member.key)
            return NULL;
        if (!take(form, ':'))
            return form_fail(form, "expected ':'");
        member.value = form_value(form);
        if (form->call->failed)
            return NULL;
        VEC_PUSH(form->call->arena, &members, member);
    } while (take(form, ','));
    if (!take(form, '}'))
        return form_fail(form, "expected ',' or '}'");
    return datum_object(form->call->arena, members.items, members.count);
}

static const struct datum *form_list(struct form *form)
{
    VEC(const struct datum *) items = {0};
    if (take(form, ']'))
        return datum_list(form->call->arena, NULL, 0);
    do {
        const struct datum *item = form_value(form);
        if (form->call->failed)
            return NULL;
        if (!item)
            return form_fail(form, "a list with an item that is null");
        VEC_PUSH(form->call->arena, &items, item);
    } while (take(form, ','));
    if (!take(form, ']'))
        return form_fail(form, "expected ',' or ']'");
    return datum_list(form->call->arena, items.items, items.count);
}

static const struct datum *form_argument(struct form *form)
{
    struct arena *arena = form->call->arena;
    const char *text;
    switch (*++form->next) {
    case 'v':
        form->next++;
        return plugin_datum(va_arg(form->arguments, const struct fathom_value *));
    case 's':
        form->next++;
        text = va_arg(form->arguments, const char *);
        return text ? datum_string(arena, text) : NULL;
    case 'd': form->next++; return datum_integer(arena, va_arg(form->arguments, int));
    default: return form_fail(form, "an unknown placeholder (%%v, %%s and %%d are known)");
    }
}

static const struct datum *form_number(struct form *form)
{
    size_t length = strspn(form->next, "+-0123456789.eE");
    char *end;
    bool whole = !memchr(form->next, '.', length) && !memchr(form->next, 'e', length) &&
                 !memchr(form->next, 'E', length);
    const struct datum *number =
        whole ? datum_integer(form->call->arena, strtoll(form->next, &end, 10))
              : datum_double(form->call->arena, strtod(form->next, &end));
    if (end != form->next + length)
        return form_fail(form, "a number that is none");
    form->next = end;
    return number;
}

static const struct datum *form_word(struct form *form)
{
    static const char *const words[] = {"null", "true", "false"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        size_t length = strlen(words[i]);
        if (strncmp(form->next, words[i], length) == 0 && !is_key_letter(form->next[length])) {
            form->next += length;
            return i == 0 ? NULL : datum_bool(i == 1);
        }
    }
    return form_fail(form, "expected a value");
}

static const struct datum *form_value(struct form *form)
{
    if (form->depth == FORM_DEPTH_MOST)
        return form_fail(form, "nested too deeply");
    form->depth++;
    skip_space(form);
    char c = *form->next;
    const struct datum *value;
    if (c == '{' || c == '[') {
        form->next++;
        value = c == '{' ? form_object(form) : form_list(form);
    } else if (c == '"' || c == '\'') {
        form->next++;
        const char *text = form_string(form, c);
        value = text ? datum_string(form->call->arena, text) : NULL;
    } else if (c == '%') {
        value = form_argument(form);
    } else if (c == '-' || isdigit((unsigned char)c)) {
        value = form_number(form);
    } else {
        value = form_word(form);
    }
    form->depth--;
    return value;
}

const struct datum *plugin_form_make(struct plugin_call *call, const char *text, va_list arguments)
{
    if (call->failed)
        return NULL;
    struct form form = {.call = call, .start = text, .next = text};
    text_init(&form.text, call->arena->memory);
    va_copy(form.arguments, arguments);
    const struct datum *value = form_value(&form);
    skip_space(&form);
    if (!call->failed && *form.next)
        value = form_fail(&form, "something behind the value");
    va_end(form.arguments);
    text_release(&form.text);
    return call->failed ? NULL : value;
}
