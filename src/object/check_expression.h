/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Intents in users' own words, in the form of a Check:
 *
 *     {name: two-in-every-zone, when: EXPRESSION, always: EXPRESSION}
 *     {name: rollout-ends, leadsTo: {from: EXPRESSION, to: EXPRESSION}, within: 10m}
 *
 * The name is the user's. The same as parameters of an intent of the library is
 * {name: always, title: two-in-every-zone, expression: EXPRESSION, condition: EXPRESSION}.
 */
#ifndef FATHOM_OBJECT_CHECK_EXPRESSION_H
#define FATHOM_OBJECT_CHECK_EXPRESSION_H

#include "object/check.h"
#include "object/reading.h"

/* The form as a JSON Schema: a name, one of the kinds, and a condition. */
#define CHECK_EXPRESSION_PAIR(first)                                                           \
    "{\"type\":\"object\",\"required\":[\"" first "\",\"to\"],\"additionalProperties\":false," \
    "\"properties\":{\"" first "\":{\"type\":\"string\"},\"to\":{\"type\":\"string\"}}}"
#define CHECK_EXPRESSION_TEXT(kind)  "\"" kind "\":{\"type\":\"string\"}"
#define CHECK_EXPRESSION_NEEDS(kind) "{\"required\":[\"" kind "\"]}"
/* clang-format off */
#define CHECK_EXPRESSION_SHAPE                                                                  \
    "{\"type\":\"object\",\"required\":[\"name\"],\"additionalProperties\":false,\"properties\":{" \
    CHECK_EXPRESSION_TEXT("name") "," CHECK_EXPRESSION_TEXT("when") ","                         \
    CHECK_EXPRESSION_TEXT("after") "," CHECK_EXPRESSION_TEXT("within") ","                      \
    CHECK_EXPRESSION_TEXT("always") "," CHECK_EXPRESSION_TEXT("never") ","                      \
    CHECK_EXPRESSION_TEXT("eventually") "," CHECK_EXPRESSION_TEXT("stable") ","                 \
    CHECK_EXPRESSION_TEXT("alwaysPossible") "," CHECK_EXPRESSION_TEXT("reachable") ","          \
    "\"leadsTo\":" CHECK_EXPRESSION_PAIR("from") ",\"until\":" CHECK_EXPRESSION_PAIR("hold")    \
    "},\"anyOf\":["                                                                             \
    CHECK_EXPRESSION_NEEDS("always") "," CHECK_EXPRESSION_NEEDS("never") ","                    \
    CHECK_EXPRESSION_NEEDS("eventually") "," CHECK_EXPRESSION_NEEDS("stable") ","               \
    CHECK_EXPRESSION_NEEDS("alwaysPossible") "," CHECK_EXPRESSION_NEEDS("reachable") ","        \
    CHECK_EXPRESSION_NEEDS("leadsTo") "," CHECK_EXPRESSION_NEEDS("until") "]}"
/* clang-format on */

/* Is the intent of this form, and of which kind? */
bool check_expression_is(const struct value *value, enum intent_kind *kind);
/* False: something was wrong. */
bool check_expression_decode(struct reading *reading, const struct path *path,
                             const struct value *value, enum intent_kind kind,
                             struct check_intent *intent);
/* Reports times that make no sense. */
void check_expression_validate(struct reading *reading, const struct path *path,
                               const struct check_intent *intent);

#endif
