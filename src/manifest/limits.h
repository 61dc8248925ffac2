/* SPDX-License-Identifier: Apache-2.0 */
/* Limits on the size of a manifest. Real ones stay far below every limit. */
#ifndef FATHOM_MANIFEST_LIMITS_H
#define FATHOM_MANIFEST_LIMITS_H

#include <stdint.h>

/* One file or standard input. The largest cluster Kubernetes supports (5,000
 * nodes, 150,000 pods) dumps to some 300 MB of JSON with statuses; the tree
 * takes about four times as much. */
static const uint64_t INPUT_BYTES_MOST = UINT64_C(512) << 20;

/* One text. The API server refuses requests above 3 MiB and etcd values above
 * 1.5 MiB, so nothing longer can be part of an object. */
static const uint64_t SCALAR_BYTES_MOST = UINT64_C(3) << 20;

enum {
    /* Deepest nesting of sequences and mappings. A pod template reaches 12, a
     * custom resource's schema some 60; recursive walks stay cheap. */
    DOCUMENT_DEPTH_MOST = 100,

    /* Values that aliases may add to those that are written: ten times as many,
     * and this many in any case. Anchors save typing; a document that is
     * mostly repetition is an attack ("billion laughs") or a mistake. */
    ALIASED_VALUES_FREE = 100000,
    ALIASED_VALUES_RATIO = 10,

    /* Mistakes reported for one text before the reader gives up on it: nobody
     * reads more, and a hostile text could be made of nothing else. */
    TEXT_PROBLEMS_MOST = 50,

    /* `%TAG` lines in a file: libyaml compares each with all before it. */
    TAG_DIRECTIVES_MOST = 100,

    /* Distinct keys that are kept once instead of each time. Kubernetes' field
     * names are a few hundred; labels and annotations add some. Beyond this
     * the table would cost more than it saves. */
    KEYS_SHARED_MOST = 65536,

    /* Folders inside folders, with -R: an end to symbolic links in circles. */
    FOLDER_DEPTH_MOST = 40,
};

#endif
