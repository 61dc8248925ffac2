/* SPDX-License-Identifier: Apache-2.0 */
#include "decide/autoscaler/result_names.h"

const char *scale_up_result_name(enum scale_up_result result)
{
    static const char *const names[] = {
        [SCALE_UP_NOT_TRIED] = "NotTried",
        [SCALE_UP_NOT_NEEDED] = "NotNeeded",
        [SCALE_UP_NO_OPTIONS] = "NoOptionsAvailable",
        [SCALE_UP_IN_COOLDOWN] = "InCooldown",
        [SCALE_UP_SUCCESSFUL] = "Successful",
        [SCALE_UP_ERROR] = "Error",
    };
    return names[result];
}

const char *scale_down_result_name(enum scale_down_result result)
{
    static const char *const names[] = {
        [SCALE_DOWN_NOT_TRIED] = "NotTried",
        [SCALE_DOWN_IN_COOLDOWN] = "InCooldown",
        [SCALE_DOWN_NO_UNNEEDED] = "NoUnneeded",
        [SCALE_DOWN_NO_NODE_DELETED] = "NoNodeDeleted",
        [SCALE_DOWN_STARTED] = "NodeDeleteStarted",
        [SCALE_DOWN_IN_PROGRESS] = "InProgress",
        [SCALE_DOWN_ERROR] = "Error",
    };
    return names[result];
}

const char *unremovable_reason_name(enum unremovable_reason reason)
{
    static const char *const names[] = {
        [REMOVABLE] = "NoReason",
        [UNREMOVABLE_DISABLED] = "ScaleDownDisabledAnnotation",
        [UNREMOVABLE_NOT_LONG_ENOUGH] = "NotUnneededLongEnough",
        [UNREMOVABLE_NOT_UNREADY_LONG_ENOUGH] = "NotUnreadyLongEnough",
        [UNREMOVABLE_MIN_SIZE] = "NodeGroupMinSizeReached",
        [UNREMOVABLE_MIN_RESOURCES] = "MinimalResourceLimitExceeded",
        [UNREMOVABLE_BEING_DELETED] = "CurrentlyBeingDeleted",
        [UNREMOVABLE_UTILIZED] = "NotUnderutilized",
        [UNREMOVABLE_OTHER] = "NotUnneededOtherReason",
        [UNREMOVABLE_RECENTLY] = "RecentlyUnremovable",
        [UNREMOVABLE_NO_PLACE] = "NoPlaceToMovePods",
        [UNREMOVABLE_BLOCKED] = "BlockedByPod",
        [UNREMOVABLE_ERROR] = "UnexpectedError",
    };
    return names[reason];
}

const char *blocking_reason_name(enum blocking_reason reason)
{
    static const char *const names[] = {
        [BLOCKED_NOT] = "NoReason",
        [BLOCKED_CONTROLLER_NOT_FOUND] = "ControllerNotFound",
        [BLOCKED_MIN_REPLICAS] = "MinReplicasReached",
        [BLOCKED_NOT_REPLICATED] = "NotReplicated",
        [BLOCKED_LOCAL_STORAGE] = "LocalStorageRequested",
        [BLOCKED_NOT_SAFE] = "NotSafeToEvictAnnotation",
        [BLOCKED_SYSTEM_POD] = "UnmovableKubeSystemPod",
        [BLOCKED_BUDGET] = "NotEnoughPdb",
    };
    return names[reason];
}

const char *scale_action_name(enum scale_action_kind kind)
{
    static const char *const names[] = {
        [ACTION_INCREASE] = "increase",      [ACTION_DECREASE_TARGET] = "decreaseTarget",
        [ACTION_DELETE_NODE] = "deleteNode", [ACTION_TAINT] = "taint",
        [ACTION_UNTAINT] = "untaint",        [ACTION_CORDON] = "cordon",
    };
    return names[kind];
}
