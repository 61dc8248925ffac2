/* SPDX-License-Identifier: Apache-2.0 */
/* The flags of the cluster autoscaler. Durations are nanoseconds. */
#ifndef FATHOM_DECIDE_AUTOSCALER_AUTOSCALER_OPTIONS_H
#define FATHOM_DECIDE_AUTOSCALER_AUTOSCALER_OPTIONS_H

#include "base/error.h"
#include "decide/features.h"
#include "object/meta.h"

struct value; /* manifest/document.h */

#define FLAG_SWITCH(member)  bool member;
#define FLAG_COUNT(member)   int64_t member;
#define FLAG_SECONDS(member) int64_t member;
#define FLAG_RATIO(member)   double member;
#define FLAG_WORDS(member)   struct string_list member;

struct autoscaler_options {
#define FLAG(form, member, name, standard) FLAG_##form(member)
#include "decide/autoscaler/autoscaler_flags.def"
#undef FLAG
};

#undef FLAG_SWITCH
#undef FLAG_COUNT
#undef FLAG_SECONDS
#undef FLAG_RATIO
#undef FLAG_WORDS

/* The defaults of the version. */
void autoscaler_options_init(struct arena *arena, const struct features *features,
                             struct autoscaler_options *options);

/* Once all flags are read: the planner that the version has is used. If that is another one than
 * the flags ask for, a warning at `place` says so; NULL: the user was told. */
void autoscaler_options_settle(const struct features *features, struct autoscaler_options *options,
                               struct place place, struct problems *problems);

/* A mapping from flags to values; NULL: nothing is changed. `path` is where it stands. */
bool autoscaler_options_read(struct arena *arena, const struct value *mapping, const char *path,
                             struct autoscaler_options *options, struct problems *problems);

/* One flag of a command line: "--name=text" with durations as Go writes them ("10m"). A flag that
 * decides nothing is passed over. False, and `*why` says it, if the text is no value of the flag.
 */
bool autoscaler_options_set(struct arena *arena, struct autoscaler_options *options,
                            const char *name, const char *text, const char **why);

/* "MIN:MAX", of cores or gibibytes of the whole cluster. */
bool autoscaler_limits_read(const char *text, int64_t *least, int64_t *most);

/* Is the word in the list? */
bool string_list_has(const struct string_list *list, const char *word);

#endif
