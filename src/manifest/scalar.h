/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a plain YAML scalar means to kubectl.
 *
 * kubectl reads manifests with sigs.k8s.io/yaml, which is go-yaml v2: YAML 1.1
 * as its users expect it rather than as the standard has it. The first
 * character decides what is tried at all; what fails is a string.
 *
 *   null      (nothing) ~ null Null NULL
 *   boolean   y yes true on / n no false off, each also Capitalised and UPPER
 *   integer   decimal, 0x hex, 0o or 0 octal, 0b binary, with a sign and with
 *             underscores anywhere after the first character; -2^63 .. 2^64-1
 *   float     1.5 1. .5 1e3, and what looks like an integer but is none: 08,
 *             or decimal digits beyond 64 bits. Beyond double: a string
 *   infinite  .inf +.inf -.inf .nan in three spellings: floats that JSON does
 *             not have; kubectl fails on them, except as keys
 *   string    everything else: 1:30 (no base 60), 2020-01-02 (dates go over
 *             into JSON as they are written), 0x, 1.2.3, Off-by-one, yEs
 *
 * Quoted scalars and block scalars are strings, whatever they look like.
 */
#ifndef FATHOM_MANIFEST_SCALAR_H
#define FATHOM_MANIFEST_SCALAR_H

#include "manifest/document.h"

enum scalar_kind {
    SCALAR_NULL,
    SCALAR_FALSE,
    SCALAR_TRUE,
    SCALAR_INTEGER,
    SCALAR_FLOAT,
    SCALAR_NOT_FINITE,
    SCALAR_STRING,
};

enum scalar_kind scalar_resolve(const char *text, size_t length);

/* The value of a text that resolves to an integer or a float. */
struct scalar_number {
    bool is_integer;
    bool negative;
    uint64_t magnitude; /* if it is an integer */
    double approximate; /* always set */
};

struct scalar_number scalar_number(const char *text, size_t length);

#endif
