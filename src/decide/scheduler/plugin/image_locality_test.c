/* SPDX-License-Identifier: Apache-2.0 */
/* Nodes that have the images of a pod are better. */
#include "decide/scheduler/rule_cases.h"

#define HAS(name, image, bytes) \
    NODE(name, "", "4", ", images: [{names: ['" image "'], sizeBytes: " bytes "}]")
#define WANTS(image)                                                                    \
    "{apiVersion: v1, kind: Pod, metadata: {name: new}, spec: {containers: [{name: c, " \
    "image: '" image "'}]}}" END
#define INIT_IMAGE                                                                           \
    HAS("n1", "big:latest", "1200000000")                                                    \
    POD("new", "", "1",                                                                      \
        ", initContainers: [{name: s, image: big, resources: {requests: {cpu: '1', memory: " \
        "1Gi}}}]")

#define IMAGE_VOLUME                 \
    HAS("n1", "data:1", "638976000") \
    POD("new", "", "1", ", volumes: [{name: d, image: {reference: 'data:1'}}]")

static const struct rule_case cases[] = {
    {"an image that is nowhere", 26, NODE("n1", "", "4", "") WANTS("big:1"), "n1=0"},
    {"1000 MiB that every node has", 26, HAS("n1", "big:1", "1048576000") WANTS("big:1"), "n1=100"},
    {"an image that half of the nodes have counts half", 26,
     HAS("n1", "big:1", "1048576000") NODE("n2", "", "4", "") WANTS("big:1"), "n1=48; n2=0"},
    {"an image below 23 MiB does not count", 26, HAS("n1", "small:1", "24117248") WANTS("small:1"),
     "n1=0"},
    {"a name without a tag is that of the latest", 26,
     HAS("n1", "host:80/big:latest", "1048576000") WANTS("host:80/big"), "n1=100"},
    {"init containers' images do not count", 29, INIT_IMAGE, "n1=0"},
    {"init containers' images count", 30, INIT_IMAGE, "n1=56"},
    {"images of volumes do not count", 35, IMAGE_VOLUME, "n1=0"},
    {"images of volumes count, and do not raise the most that counts", 36, IMAGE_VOLUME, "n1=60"},
};

extern const struct rule_table rules_of_image_locality;
const struct rule_table rules_of_image_locality = RULE_TABLE("ImageLocality", cases);
