/* SPDX-License-Identifier: Apache-2.0 */
/* The CronJob controller: each case is a CronJob, its Jobs and the present; the answer is the
 * Job that is started and when the controller looks again. */
#include "decide/controller/cron_job_controller.h"

#include "decide/scenario_fixture.h"
#include "object/arena_fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

struct cron_case {
    const char *name;
    const char *spec;   /* more members of the CronJob's spec, with a comma in front */
    const char *status; /* members of its status */
    const char *jobs;   /* objects, with a comma in front of each */
    const char *now;
    const char *result;
};

#define OWNED(name)                                                                   \
    "\"metadata\":{\"name\":\"" name "\",\"namespace\":\"default\",\"uid\":\"u-" name \
    "\",\"ownerReferences\":[{\"apiVersion\":\"batch/v1\",\"kind\":\"CronJob\","      \
    "\"name\":\"cj\",\"uid\":\"cj-uid\",\"controller\":true}]}"
#define JOB(name, status)                                                         \
    ",{\"apiVersion\":\"batch/v1\",\"kind\":\"Job\"," OWNED(name) ",\"spec\":{}," \
                                                                  "\"status\":{" status "}}"
#define RUNNING "\"startTime\":\"2024-03-01T12:00:00Z\""
#define ENDED(type, start, end)                                                              \
    "\"startTime\":\"2024-03-01T" start "Z\"," end "\"conditions\":[{\"type\":\"" type "\"," \
    "\"status\":\"True\"}]"
#define COMPLETE(start) ENDED("Complete", start, "\"completionTime\":\"2024-03-01T12:13:00Z\",")
#define ACTIVE(name) \
    "\"active\":[{\"name\":\"" name "\",\"namespace\":\"default\",\"uid\":\"u-" name "\"}]"
#define LAST "\"lastScheduleTime\":\"2024-03-01T12:00:00Z\""
#define TEN  "\"*/10 * * * *\""
#define CREATED(name, last, after)                                                              \
    "{\"result\":{\"active\":[\"" name "\"],\"created\":[\"" name "\"],\"events\":[\"Normal "   \
    "SuccessfulCreate\"],\"lastScheduleTime\":\"2024-03-01T" last "Z\",\"requeueAfter\":" after \
    ",\"updateStatus\":true}}"
#define NOTHING(after)                                                                   \
    "{\"result\":{\"lastScheduleTime\":\"2024-03-01T12:00:00Z\",\"requeueAfter\":" after \
    ",\"updateStatus\":false}}"

static const struct cron_case cases[] = {
    {"before the first time", TEN, "", "", "2024-03-01T11:59:59Z",
     "{\"result\":{\"requeueAfter\":1.1,\"updateStatus\":false}}"},
    {"at the first time", TEN, "", "", "2024-03-01T12:00:00Z",
     CREATED("cj-28488240", "12:00:00", "600.1")},
    {"one Job for all that were missed", TEN, LAST, "", "2024-03-01T12:35:00Z",
     CREATED("cj-28488270", "12:30:00", "300.1")},
    {"after the deadline", TEN ",\"startingDeadlineSeconds\":60", LAST, "", "2024-03-01T12:31:30Z",
     NOTHING("510.1")},
    {"before the deadline", TEN ",\"startingDeadlineSeconds\":60", LAST, "", "2024-03-01T12:30:50Z",
     CREATED("cj-28488270", "12:30:00", "550.1")},
    {"Forbid while a Job is active", TEN ",\"concurrencyPolicy\":\"Forbid\"",
     LAST "," ACTIVE("cj-28488240"), JOB("cj-28488240", RUNNING), "2024-03-01T12:10:00Z",
     "{\"result\":{\"active\":[\"cj-28488240\"],\"events\":[\"Normal JobAlreadyActive\"],"
     "\"lastScheduleTime\":\"2024-03-01T12:00:00Z\",\"requeueAfter\":600.1,"
     "\"updateStatus\":false}}"},
    {"Forbid starts late once the Job has ended", TEN ",\"concurrencyPolicy\":\"Forbid\"",
     LAST "," ACTIVE("cj-28488240"), JOB("cj-28488240", COMPLETE("12:00:00")),
     "2024-03-01T12:13:00Z",
     "{\"result\":{\"active\":[\"cj-28488250\"],\"created\":[\"cj-28488250\"],\"events\":["
     "\"Normal SawCompletedJob\",\"Normal SuccessfulCreate\"],\"lastScheduleTime\":"
     "\"2024-03-01T12:10:00Z\",\"requeueAfter\":420.1,\"updateStatus\":true}}"},
    {"Forbid with a deadline waits for the next time",
     TEN ",\"concurrencyPolicy\":\"Forbid\",\"startingDeadlineSeconds\":60",
     LAST "," ACTIVE("cj-28488240"), JOB("cj-28488240", COMPLETE("12:00:00")),
     "2024-03-01T12:13:00Z",
     "{\"result\":{\"events\":[\"Normal SawCompletedJob\"],\"lastScheduleTime\":"
     "\"2024-03-01T12:00:00Z\",\"requeueAfter\":420.1,\"updateStatus\":true}}"},
    {"Replace deletes what is active", TEN ",\"concurrencyPolicy\":\"Replace\"",
     LAST "," ACTIVE("cj-28488240"), JOB("cj-28488240", RUNNING), "2024-03-01T12:10:00Z",
     "{\"result\":{\"active\":[\"cj-28488250\"],\"created\":[\"cj-28488250\"],\"deleted\":["
     "\"cj-28488240\"],\"events\":[\"Normal SuccessfulCreate\",\"Normal SuccessfulDelete\"],"
     "\"lastScheduleTime\":\"2024-03-01T12:10:00Z\",\"requeueAfter\":600.1,"
     "\"updateStatus\":true}}"},
    {"Allow starts a second one", TEN, LAST "," ACTIVE("cj-28488240"), JOB("cj-28488240", RUNNING),
     "2024-03-01T12:10:00Z",
     "{\"result\":{\"active\":[\"cj-28488240\",\"cj-28488250\"],\"created\":[\"cj-28488250\"],"
     "\"events\":[\"Normal SuccessfulCreate\"],\"lastScheduleTime\":\"2024-03-01T12:10:00Z\","
     "\"requeueAfter\":600.1,\"updateStatus\":true}}"},
    {"suspended", TEN ",\"suspend\":true", LAST, "", "2024-03-01T12:47:00Z",
     "{\"result\":{\"lastScheduleTime\":\"2024-03-01T12:00:00Z\",\"updateStatus\":false}}"},
    {"resumed", TEN, LAST, "", "2024-03-01T12:47:00Z", CREATED("cj-28488280", "12:40:00", "180.1")},
    {"many missed times", "\"* * * * *\"", LAST, "", "2024-03-01T14:00:00Z",
     "{\"result\":{\"active\":[\"cj-28488360\"],\"created\":[\"cj-28488360\"],\"events\":["
     "\"Normal SuccessfulCreate\",\"Warning TooManyMissedTimes\"],\"lastScheduleTime\":"
     "\"2024-03-01T14:00:00Z\",\"requeueAfter\":60.1,\"updateStatus\":true}}"},
    {"100 missed times are not many", "\"* * * * *\"", LAST, "", "2024-03-01T13:40:00Z",
     CREATED("cj-28488340", "13:40:00", "60.1")},
    {"a date that there is not", "\"59 23 31 2 *\"", "", "", "2024-03-01T12:47:00Z",
     "{\"result\":{\"events\":[\"Warning InvalidSchedule\"],\"updateStatus\":false}}"},
    {"a schedule with gaps", "\"30 6-16/4 * * 1-5\"", LAST, "", "2024-03-04T07:00:00Z",
     "{\"result\":{\"active\":[\"cj-28492230\"],\"created\":[\"cj-28492230\"],\"events\":["
     "\"Normal SuccessfulCreate\"],\"lastScheduleTime\":\"2024-03-04T06:30:00Z\","
     "\"requeueAfter\":12600.1,\"updateStatus\":true}}"},
    {"the latest of missed times at unequal distances", "\"0 1,13,14,15 * * *\"",
     "\"lastScheduleTime\":\"2024-02-29T15:00:00Z\"", "", "2024-03-01T15:30:00Z",
     CREATED("cj-28488420", "15:00:00", "34200.1")},
    {"no such schedule", "\"bad\"", "", "", "2024-03-01T12:47:00Z",
     "{\"result\":{\"events\":[\"Warning UnparseableSchedule\"],\"updateStatus\":false}}"},
    {"no such time zone", TEN ",\"timeZone\":\"Etc/GMT+99\"", "", "", "2024-03-01T12:47:00Z",
     "{\"result\":{\"events\":[\"Warning UnknownTimeZone\"],\"updateStatus\":false}}"},
    {"a time zone", "\"0 14 * * *\",\"timeZone\":\"Etc/GMT-2\"", "", "", "2024-03-01T12:00:00Z",
     CREATED("cj-28488240", "12:00:00", "86400.1")},
    {"a Job of this time is there and owned", TEN, "", JOB("cj-28488240", RUNNING),
     "2024-03-01T12:00:00Z",
     "{\"result\":{\"active\":[\"cj-28488240\"],\"events\":[\"Warning UnexpectedJob\"],"
     "\"lastScheduleTime\":\"2024-03-01T12:00:00Z\",\"requeueAfter\":600.1,"
     "\"updateStatus\":true}}"},
    {"an active Job is gone", TEN, LAST "," ACTIVE("cj-28488240"), "", "2024-03-01T12:05:00Z",
     "{\"result\":{\"events\":[\"Normal MissingJob\"],\"lastScheduleTime\":"
     "\"2024-03-01T12:00:00Z\",\"requeueAfter\":300.1,\"updateStatus\":true}}"},
    {"history", TEN, LAST ",\"lastSuccessfulTime\":\"2024-03-01T12:13:00Z\"",
     JOB("c1", COMPLETE("11:01:00")) JOB("c2", COMPLETE("11:02:00")) JOB("c3", COMPLETE("11:03:00"))
         JOB("c4", COMPLETE("11:04:00")) JOB("c5", COMPLETE("11:05:00"))
             JOB("f1", ENDED("Failed", "11:01:00", "")) JOB("f2", ENDED("Failed", "11:02:00", "")),
     "2024-03-01T12:05:00Z",
     "{\"result\":{\"deleted\":[\"c1\",\"c2\",\"f1\"],\"events\":[\"Normal SuccessfulDelete\","
     "\"Normal SuccessfulDelete\",\"Normal SuccessfulDelete\"],\"lastScheduleTime\":"
     "\"2024-03-01T12:00:00Z\",\"lastSuccessfulTime\":\"2024-03-01T12:13:00Z\","
     "\"requeueAfter\":300.1,\"updateStatus\":true}}"},
};

static void test_cases(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        const char *scenario = arena_printf(
            &arena,
            "{\"now\":\"%s\",\"objects\":[{\"apiVersion\":\"batch/v1\",\"kind\":\"CronJob\","
            "\"metadata\":{\"name\":\"cj\",\"namespace\":\"default\",\"uid\":\"cj-uid\","
            "\"creationTimestamp\":\"2024-03-01T11:55:00Z\"},\"spec\":{\"jobTemplate\":{},"
            "\"schedule\":%s},\"status\":{%s}}%s]}",
            cases[i].now, cases[i].spec, cases[i].status, cases[i].jobs);
        const char *found = answer_of(&memory, &arena, &decider_cronjob, scenario);
        if (strcmp(found, cases[i].result) != 0)
            fail_msg("%s\n  found    %s\n  expected %s", cases[i].name, found, cases[i].result);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cases),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
