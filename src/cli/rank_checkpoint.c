/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/rank_checkpoint.h"

#include "base/blame.h"
#include "cluster/threads/crew_save.h"
#include "object/time.h"
#include "ranks/link_mpi.h"
#include "verify/checkpoint.h"

#include <inttypes.h>
#include <string.h>
#include <unistd.h>

enum { GENERATIONS = 2 };

struct rank_checkpoint {
    struct session *session;
    struct link *link;
    uint64_t identity;
    struct rank_keeping keeping;
    const char *name;
    const char *paths[GENERATIONS];   /* by the number's last bit */
    uint64_t last;                    /* the greatest number that any rank has used; 0: none */
    uint64_t whole;                   /* the greatest of which every rank has the file; 0: none */
    struct checkpoint_reader *reader; /* what the run goes on from, until it is met */
    const struct checkpoint_part *part;
    struct bytes_in in;
    struct checkpoint_writer *writer; /* while a file is written */
    struct rank_checkpoint_key key;   /* of the exploration in hand */
    struct crew *crew;
    bool complained;
};

/* ---- files ---- */

static const char *path_of(struct arena *arena, const char *name, const struct link *link,
                           uint32_t generation)
{
    return arena_printf(arena, "%s.%u-of-%u.%c", name, link->rank + 1, link->count,
                        generation == 0 ? 'a' : 'b');
}

/* The next file must not take the place of the last that all have. */
static uint64_t next_number(const struct rank_checkpoint *checkpoint)
{
    const uint64_t next = checkpoint->last + 1;
    const bool is_kept =
        checkpoint->whole > 0 && next % GENERATIONS == checkpoint->whole % GENERATIONS;
    return next + is_kept;
}

/* Its number, and whether it is of this input; 0: there is no whole file. */
static uint64_t read_number(struct rank_checkpoint *checkpoint,
                            const struct checkpoint_reader *reader, bool *is_own)
{
    const struct checkpoint_part *part = checkpoint_find(reader, CHECKPOINT_INPUT, 0, 0);
    if (!part)
        return 0;
    struct bytes_in in = checkpoint_read(reader, part);
    const uint64_t identity = bytes_get_number(&in), number = bytes_get_number(&in);
    *is_own = !in.bad && identity == checkpoint->identity;
    const uint64_t found = in.bad ? 0 : number;
    checkpoint_done(&in);
    return found;
}

static const struct checkpoint_part *find_search(const struct checkpoint_reader *reader)
{
    uint64_t count;
    const struct checkpoint_part *parts = checkpoint_parts(reader, &count);
    for (uint64_t i = 0; i < count; i++)
        if (parts[i].kind == CHECKPOINT_SEARCH)
            return &parts[i];
    return NULL;
}

struct generation {
    struct checkpoint_reader *reader; /* NULL: there is no whole file */
    uint64_t number;
    bool is_own; /* of this input */
};

/* Why one of the files cannot be gone on from; NULL: both can. */
static const char *open_generations(struct rank_checkpoint *checkpoint, const char *name,
                                    struct generation *generations)
{
    struct session *session = checkpoint->session;
    const char *why = NULL;
    for (uint32_t g = 0; g < GENERATIONS; g++) {
        const char *path = path_of(&session->arena, name, checkpoint->link, g);
        const char *problem = NULL;
        struct generation *found = &generations[g];
        *found = (struct generation){0};
        found->reader = checkpoint_open(&session->memory, path, &problem);
        if (found->reader) {
            found->number = read_number(checkpoint, found->reader, &found->is_own);
            problem = found->number == 0 || !find_search(found->reader) ? "is damaged"
                      : !found->is_own ? "was made from other input"
                                       : NULL;
        }
        if (problem && !why)
            why = arena_printf(&session->arena, "%s: %s", path, problem);
    }
    return why;
}

static uint64_t greatest(const struct generation *generations, bool is_own)
{
    uint64_t most = 0;
    for (uint32_t g = 0; g < GENERATIONS; g++)
        if ((generations[g].is_own || !is_own) && generations[g].number > most)
            most = generations[g].number;
    return most;
}

/* The greatest number that all ranks have a file of; 0, after a complaint: there is none. */
static uint64_t choose(struct rank_checkpoint *checkpoint, const struct generation *generations,
                       const char *why)
{
    struct link *link = checkpoint->link;
    uint64_t number = greatest(generations, true);
    uint64_t without = number == 0 ? link->rank : UINT64_MAX;
    if (!link_reduce(link, LINK_LEAST, &number, 1) || !link_reduce(link, LINK_LEAST, &without, 1))
        return 0;
    uint64_t all_have = 0;
    for (uint32_t g = 0; g < GENERATIONS; g++)
        all_have |= generations[g].is_own && generations[g].number == number;
    if (!link_reduce(link, LINK_LEAST, &all_have, 1))
        return 0;
    if (without == link->rank)
        fprintf(stderr, "fathom-mpi: --resume: %s\n", why);
    else if (!all_have && number > 0 && link->rank == 0)
        fprintf(stderr, "fathom-mpi: --resume: %s: the files of the ranks do not belong together\n",
                checkpoint->session->options.resume);
    return all_have && number > 0 ? number : 0;
}

/* Keeps the file with this number. */
static void close_generations(struct rank_checkpoint *checkpoint,
                              const struct generation *generations, uint64_t kept)
{
    for (uint32_t g = 0; g < GENERATIONS; g++) {
        const struct generation *found = &generations[g];
        if (found->reader && found->is_own && kept > 0 && found->number == kept)
            checkpoint->reader = found->reader;
        else if (found->reader)
            checkpoint_close(found->reader);
    }
}

/* New files get greater numbers than those that are there, which they replace. */
static void count_on(struct rank_checkpoint *checkpoint)
{
    struct generation generations[GENERATIONS];
    (void)open_generations(checkpoint, checkpoint->name, generations);
    checkpoint->last = greatest(generations, false);
    close_generations(checkpoint, generations, 0);
    (void)link_reduce(checkpoint->link, LINK_MOST, &checkpoint->last, 1);
}

/* Finds the file that the run goes on from. False, after a complaint: there is none. */
static bool find_file(struct rank_checkpoint *checkpoint, const char *resume)
{
    struct generation generations[GENERATIONS];
    const char *why = open_generations(checkpoint, resume, generations);
    const uint64_t chosen = choose(checkpoint, generations, why);
    close_generations(checkpoint, generations, chosen);
    if (!checkpoint->reader)
        return false;
    checkpoint->part = find_search(checkpoint->reader);
    if (strcmp(resume, checkpoint->name) == 0)
        checkpoint->whole = chosen;
    return true;
}

/* ---- saving ---- */

/* Each rank has its own disk. */
static void complain(struct rank_checkpoint *checkpoint, const char *path, int error)
{
    if (!checkpoint->complained)
        fprintf(stderr, "fathom-mpi: no checkpoint was written: %s: %s\n", path, strerror(error));
    checkpoint->complained = true;
}

static bool finish(struct rank_checkpoint *checkpoint)
{
    const int error = checkpoint_commit(checkpoint->writer);
    if (error != 0)
        complain(checkpoint, checkpoint->paths[next_number(checkpoint) % GENERATIONS], error);
    checkpoint_free(checkpoint->writer);
    checkpoint->writer = NULL;
    return error == 0;
}

static struct bytes_out *begin(void *context)
{
    struct rank_checkpoint *checkpoint = context;
    const struct rank_checkpoint_key *key = &checkpoint->key;
    const uint64_t number = next_number(checkpoint);
    checkpoint->writer =
        checkpoint_create(&checkpoint->session->memory, checkpoint->paths[number % GENERATIONS]);
    struct bytes_out *out =
        checkpoint_begin(checkpoint->writer, &(struct checkpoint_part){.kind = CHECKPOINT_INPUT});
    if (out) {
        bytes_put_number(out, checkpoint->identity);
        bytes_put_number(out, number);
        checkpoint_end(checkpoint->writer);
        out = checkpoint_begin(checkpoint->writer, &(struct checkpoint_part){
                                                       .kind = CHECKPOINT_SEARCH,
                                                       .unit = key->unit,
                                                       .setup = key->setup,
                                                       .asked = key->asked,
                                                       .reductions = key->reductions,
                                                   });
    }
    if (!out) {
        (void)finish(checkpoint);
        return NULL;
    }
    bytes_put_number(out, key->interleaving);
    bytes_put_number(out, key->model);
    crew_save(checkpoint->crew, out);
    return out;
}

static bool end(void *context)
{
    struct rank_checkpoint *checkpoint = context;
    checkpoint_end(checkpoint->writer);
    return finish(checkpoint);
}

static void settle(void *context, bool all)
{
    struct rank_checkpoint *checkpoint = context;
    checkpoint->last = next_number(checkpoint);
    if (all)
        checkpoint->whole = checkpoint->last;
}

static bool is_sound(void *context, const uint32_t *words, uint32_t length)
{
    return crew_state_is_sound(((const struct rank_checkpoint *)context)->crew, words, length);
}

/* ---- one exploration ---- */

static bool is_this(struct rank_checkpoint *checkpoint)
{
    const struct checkpoint_part *part = checkpoint->part;
    const struct rank_checkpoint_key *key = &checkpoint->key;
    if (part->unit != key->unit || part->setup != key->setup || part->asked != key->asked ||
        part->reductions != key->reductions)
        return false;
    checkpoint->in = checkpoint_read(checkpoint->reader, part);
    const uint64_t interleaving = bytes_get_number(&checkpoint->in);
    const uint64_t model = bytes_get_number(&checkpoint->in);
    return !checkpoint->in.bad && interleaving == key->interleaving && model == key->model;
}

/* Is this the exploration that the run goes on from? Until then nothing is saved, so that what was
 * is still there if the run ends before. */
static bool resumes(struct rank_checkpoint *checkpoint)
{
    if (!checkpoint->reader)
        return false;
    uint64_t matches = is_this(checkpoint);
    if (link_reduce(checkpoint->link, LINK_LEAST, &matches, 1) && matches)
        return true;
    checkpoint_done(&checkpoint->in);
    return false;
}

const struct rank_keeping *rank_checkpoint_attach(struct rank_checkpoint *checkpoint,
                                                  const struct rank_checkpoint_key *key,
                                                  struct crew *crew)
{
    if (!checkpoint)
        return NULL;
    checkpoint->key = *key;
    checkpoint->crew = crew;
    checkpoint->keeping.resume = NULL;
    if (resumes(checkpoint)) {
        crew_load(crew, &checkpoint->in);
        checkpoint->keeping.resume = &checkpoint->in;
    }
    checkpoint->keeping.saves = !checkpoint->reader || checkpoint->keeping.resume;
    return &checkpoint->keeping;
}

static void tell_where(struct rank_checkpoint *checkpoint)
{
    if (checkpoint->link->rank != 0 || checkpoint->session->options.quiet)
        return;
    if (checkpoint->whole > 0)
        session_say(checkpoint->session, "to go on from here: --resume %s", checkpoint->name);
    else if (!checkpoint->complained)
        session_say(checkpoint->session,
                    "no checkpoint was written yet: --checkpoint-every %s was not over",
                    duration_format(&checkpoint->session->arena,
                                    (int64_t)checkpoint->keeping.interval_ms * 1000000));
}

void rank_checkpoint_close(struct rank_checkpoint *checkpoint)
{
    if (checkpoint && checkpoint->reader)
        checkpoint_close(checkpoint->reader);
    if (checkpoint)
        checkpoint->reader = NULL;
}

static void remove_files(struct rank_checkpoint *checkpoint)
{
    for (uint32_t g = 0; g < GENERATIONS; g++)
        unlink(checkpoint->paths[g]);
    checkpoint->whole = 0;
}

void rank_checkpoint_detach(struct rank_checkpoint *checkpoint, enum explore_reason reason)
{
    if (!checkpoint)
        return;
    checkpoint_done(&checkpoint->in);
    checkpoint->crew = NULL;
    if (reason == EXPLORE_UNRESUMED) {
        fprintf(stderr, "fathom-mpi: --resume: %s: is damaged\n",
                checkpoint->session->options.resume);
        link_mpi_abort(EXIT_INPUT);
    }
    if (!checkpoint->keeping.saves)
        return;
    rank_checkpoint_close(checkpoint);
    uint64_t cut = reason != EXPLORE_DECIDED && reason != EXPLORE_STOPPED;
    if (!link_reduce(checkpoint->link, LINK_MOST, &cut, 1) || cut)
        tell_where(checkpoint);
    else
        remove_files(checkpoint);
}

/* ---- all of them ---- */

struct rank_checkpoint *rank_checkpoint_open(struct session *session, struct link *link,
                                             uint64_t identity, uint64_t interval_ms)
{
    const struct options *options = &session->options;
    const char *name = options->checkpoint ? options->checkpoint : options->resume;
    if (!name)
        return NULL;
    struct rank_checkpoint *checkpoint = ARENA_NEW(&session->arena, struct rank_checkpoint);
    *checkpoint = (struct rank_checkpoint){
        .session = session,
        .link = link,
        .identity = identity,
        .keeping = {checkpoint, interval_ms, true, begin, end, settle, NULL, is_sound},
        .name = name,
    };
    for (uint32_t g = 0; g < GENERATIONS; g++)
        checkpoint->paths[g] = path_of(&session->arena, name, link, g);
    if (options->resume && !find_file(checkpoint, options->resume) && !link->broken)
        link_mpi_abort(EXIT_INPUT);
    if (options->resume)
        bug_blame(options->resume);
    count_on(checkpoint);
    return checkpoint;
}
