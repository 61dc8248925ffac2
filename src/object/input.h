/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The input of a command, read into units: files, folders and standard input, YAML and
 * JSON, dumps of a cluster, decoded and admitted as the API server does it.
 *
 * A command looks for documents of one kind (Check, ServiceObjective, ControllerCheck).
 * Each of them becomes a unit. The objects of a unit are its own document, the other
 * documents of its file, those of -f, and those of the files that its spec.manifests
 * names. How commands differ is data (`struct input_kind`).
 *
 * Nothing is printed. Everything lives in the arena.
 */
#ifndef FATHOM_OBJECT_INPUT_H
#define FATHOM_OBJECT_INPUT_H

#include "base/vec.h"
#include "object/object.h"

/* In which order the problems of all units are given. */
enum input_order {
    INPUT_AS_FOUND,    /* those of no unit, then unit by unit */
    INPUT_SORTED,      /* by file, line and column */
    INPUT_SORTED_ONCE, /* so too, and what is said twice of one place only once */
};

/* What a command looks for, and what else may stand in the files. Messages are finished
 * sentences. */
struct input_kind {
    const char *kind;          /* NULL: no document in particular; all objects are one unit */
    bool of_any_version;       /* else the apiVersion must begin with "fathom/" */
    bool takes_manifests;      /* -f, spec.manifests and the other documents belong to a unit;
                                  without it only the document itself is read */
    bool as_kubectl;           /* without `kind`: objects are taken as kubectl apply takes them,
                                  unless a document of ours is among them */
    bool admits;               /* defaults of admission are added (object/admission.h) */
    const char *nothing_given; /* neither files nor manifests; NULL: `none_found` says it */
    const char *none_in_file;  /* a file that is given by itself has no such document */
    const char *none_found;    /* there is no unit; NULL: manifests alone are a unit, too */
    enum input_order order;
};

/* Manifests that no file has: what other programs printed. */
struct input_text {
    const char *name; /* in messages: "<kubectl kustomize app>" */
    const char *bytes;
    size_t length;
};

struct input_texts {
    struct input_text *items;
    uint32_t count;
    uint32_t capacity;
};

/* What the user names. */
/* A file or folder; with the documents in it if it was read before, and nothing is wrong with it.
 */
struct input_path {
    const char *name;
    const struct documents *documents;
};

struct input_paths {
    const struct input_path *files; /* in which documents of the kind must stand */
    uint32_t file_count;
    const struct input_path *manifests; /* -f */
    uint32_t manifest_count;
    struct input_texts texts; /* beside those of -f */
    bool recursive;           /* folders inside folders, too */
    const char *name_space;   /* of objects that name none; NULL: "default" */
};

struct input_unit {
    const char *name;            /* of its document; "manifests" without one */
    const char *file;            /* NULL: there is no document */
    const struct value *root;    /* its document; NULL: there is none */
    const struct object *object; /* the same, decoded; NULL: there is none, or it is wrong */
    struct objects objects;
    const char *left_out; /* of manifests alone: kinds that make no difference; NULL: none */
    struct problems problems;
};

struct input {
    VEC(struct input_unit) units;
    struct problems problems; /* of what belongs to no unit alone */
    const char *api_server;   /* the version that a live cluster tells, "v1.31.4"; NULL: none */
};

/* False if anything is wrong. */
bool input_read(struct arena *arena, const struct input_kind *kind, const struct input_paths *paths,
                struct input *input);

/* All problems of the input and its units, in the order of the kind. `strict`: warnings
 * count as errors, unless they are only remarks. */
void input_problems(struct arena *arena, const struct input_kind *kind, const struct input *input,
                    bool strict, struct problems *all);

/* Is this a document that a command with this kind looks for? */
bool input_is_of_kind(const struct input_kind *kind, const struct value *root);

#endif
