/* SPDX-License-Identifier: Apache-2.0 */
/* A claim that is for one pod alone. */
#include "decide/scheduler/rule_cases.h"

#define CLAIM(mode)                                                                       \
    "{apiVersion: v1, kind: PersistentVolumeClaim, metadata: {name: data, annotations: "  \
    "{pv.kubernetes.io/bind-completed: 'yes'}}, spec: {accessModes: [" mode               \
    "], volumeName: v, storageClassName: '', resources: {requests: {storage: 1Gi}}}}" END \
    "{apiVersion: v1, kind: PersistentVolume, metadata: {name: v}, spec: {accessModes: "  \
    "[" mode "], capacity: {storage: 1Gi}, csi: {driver: d, volumeHandle: h}}}" END
#define TAKEN \
    "node has pod using PersistentVolumeClaim with the same name and ReadWriteOncePod access mode"
#define USES      ", volumes: [{name: d, persistentVolumeClaim: {claimName: data}}]"
#define NODES     NODE("n1", "", "4", "") NODE("n2", "", "4", "")
#define TWO_USERS POD("old", "", "1", USES RUNNING("n1", "01")) POD("new", "", "1", USES)

static const struct rule_case cases[] = {
    {"a claim for one pod is like any other", 26, NODES CLAIM("ReadWriteOncePod") TWO_USERS,
     "n1=ok; n2=ok"},
    {"a claim for one pod is taken, whatever the node", 27,
     NODES CLAIM("ReadWriteOncePod") TWO_USERS, "n1: " TAKEN "; n2: " TAKEN},
    {"a claim that is not there is not looked for", 26, NODES POD("new", "", "1", USES),
     "n1! VolumeBinding; n2! VolumeBinding"},
    {"a claim that is not there", 27, NODES POD("new", "", "1", USES),
     "n1: persistentvolumeclaim \"data\" not found; n2: persistentvolumeclaim \"data\" not found"},
    {"a claim for one pod that nobody uses", 27,
     NODES CLAIM("ReadWriteOncePod") POD("new", "", "1", USES), "n1=ok; n2=ok"},
    {"a claim for one node is not a claim for one pod", 27, NODES CLAIM("ReadWriteOnce") TWO_USERS,
     "n1=ok; n2=ok"},
};

extern const struct rule_table rules_of_volume_restrictions;
const struct rule_table rules_of_volume_restrictions = RULE_TABLE("VolumeRestrictions", cases);
