/* SPDX-License-Identifier: Apache-2.0 */
/* Where the claims of a pod are, or could be. */
#include "decide/scheduler/rule_cases.h"

#define WAITING_CLAIM(class)                                                                     \
    "{apiVersion: v1, kind: PersistentVolumeClaim, metadata: {name: data}, spec: {accessModes: " \
    "[ReadWriteOnce], storageClassName: " class ", resources: {requests: {storage: 5Gi}}}}" END
#define CLASS(name, provisioner, mode)                                           \
    "{apiVersion: storage.k8s.io/v1, kind: StorageClass, metadata: {name: " name \
    "}, provisioner: " provisioner ", volumeBindingMode: " mode "}" END
#define LOCAL \
    CLASS("local", "kubernetes.io/no-provisioner", "WaitForFirstConsumer") WAITING_CLAIM("local")
#define LOCAL_VOLUME(size)                                                               \
    "{apiVersion: v1, kind: PersistentVolume, metadata: {name: v}, spec: {accessModes: " \
    "[ReadWriteOnce], storageClassName: local, capacity: {storage: " size                \
    "}, csi: {driver: d, volumeHandle: h}}, status: {phase: Available}}" END

#define ELSEWHERE                                                                        \
    NODE("n1", "", "4", "")                                                              \
    NODE("n2", "", "4", "")                                                              \
    BOUND_CLAIM VOLUME(                                                                  \
        "", ", nodeAffinity: {required: {nodeSelectorTerms: [{matchExpressions: [{key: " \
            "kubernetes.io/hostname, operator: In, values: [n2]}]}]}}") WITH_CLAIM

static const struct rule_case cases[] = {
    {"a claim that is not there", 26, NODE("n1", "", "4", "") WITH_CLAIM,
     "n1: persistentvolumeclaim \"data\" not found"},
    {"a claim that is not there is found out by another", 27, NODE("n1", "", "4", "") WITH_CLAIM,
     "n1! VolumeRestrictions"},
    {"volumes give points, of 0", 27, NODE("n1", "", "4", "") POD("new", "", "1", ""), "n1=0"},
    {"volumes give no points", 28, NODE("n1", "", "4", "") POD("new", "", "1", ""), "n1=skipped"},
    {"a claim that has to be bound first", 26,
     NODE("n1", "", "4", "") CLASS("now", "example.com/disk", "Immediate") WAITING_CLAIM("now")
         WITH_CLAIM,
     "n1: pod has unbound immediate PersistentVolumeClaims"},
    {"a claim that a provisioner will serve", 26,
     NODE("n1", "", "4", "") CLASS("late", "example.com/disk", "WaitForFirstConsumer")
         WAITING_CLAIM("late") WITH_CLAIM,
     "n1=0"},
    {"a volume that is large enough will do", 26,
     NODE("n1", "", "4", "") LOCAL LOCAL_VOLUME("5Gi") WITH_CLAIM, "n1=0"},
    {"a volume that is too small will not", 26,
     NODE("n1", "", "4", "") LOCAL LOCAL_VOLUME("4Gi") WITH_CLAIM,
     "n1: node(s) didn't find available persistent volumes to bind"},
    {"a volume that is bound is where it is", 26, ELSEWHERE,
     "n1: node(s) had volume node affinity conflict; n2=0"},
    {"a volume that is elsewhere is told by its affinity", 33, ELSEWHERE,
     "n1: node(s) didn't match PersistentVolume's node affinity; n2=skipped"},
};

extern const struct rule_table rules_of_volume_binding;
const struct rule_table rules_of_volume_binding = RULE_TABLE("VolumeBinding", cases);
