/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Regions of sizes (src/decide/size_region.h) against exploration itself.
 *
 *     regions_test                               a sample
 *     regions_test FIRST-SEED HOW-MANY STATES      random Checks
 *     regions_test FILE...                         Checks of files
 *     regions_test parts FIRST-SEED HOW-MANY STATES
 *     regions_test parts STATES FILE...            the same of what holds for workloads one by one,
 *                                                  against all of them together
 *     regions_test map FILE NODES                  the regions of a Check with as many nodes in
 *                                                  each group, up to so many
 *     regions_test brute FILE NODES                the same, each number by itself
 *     regions_test against FILE NODES              the one against the other
 *
 * Of each Check, sizes from one node in each group on are explored. The region that each gives is
 * tried at both ends, and at points inside that are drawn by chance: as many states and steps, the
 * same depth, the same verdicts and equally long counterexamples. What is different is printed, and
 * makes the exit code 1.
 */
#include "explore_size.h"
#include "twin/files.h"
#include "twin/random_check.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GROUPS_MOST = 16, INSIDE = 3, SIZES_EACH = 8, NODES_FAR = 1000000 };
enum { STATES_OF_FILES = 20000, STATES_OF_SAMPLE = 300, SEEDS_OF_SAMPLE = 12 };
enum { SIZES_OF_COMPONENTS = 4 };
enum { NODES_EACH = 40 }; /* each number up to it, of the sample */

#define ALL_PARTS ((UINT64_C(1) << PART_COUNT) - 1)

struct counting {
    uint64_t checks, regions, unbounded, far, points, tried, cut;
};

static bool is_same(const struct seen *left, const struct seen *right)
{
    /* Components are explored until something is shown, and allow more than can happen. */
    if (left->components || right->components)
        return !left->decided || !right->decided || left->undecided || right->undecided ||
               left->violated == right->violated;
    return left->decided == right->decided && left->states == right->states &&
           left->transitions == right->transitions && left->violated == right->violated &&
           left->applied == right->applied && left->came == right->came &&
           left->depth == right->depth &&
           (!left->told || !right->told || left->lengths == right->lengths);
}

static void print_nodes(const int32_t *nodes, uint32_t groups)
{
    for (uint32_t g = 0; g < groups; g++)
        printf("%s%d", g > 0 ? "," : "", nodes[g]);
}

static void print_seen(const char *what, const struct seen *seen)
{
    printf("  %s: %" PRIu64 " states, %" PRIu64 " steps, depth %u, violated %" PRIx64
           ", lengths %" PRIu64 "%s\n",
           what, seen->states, seen->transitions, seen->depth, seen->violated, seen->lengths,
           seen->decided ? "" : ", cut short");
}

static bool compare_point(const struct trial *trial, const char *name, const int32_t *from,
                          const struct seen *seen, const int32_t *nodes, const struct seen *there,
                          struct counting *counting)
{
    counting->tried++;
    if (is_same(seen, there))
        return true;
    printf("%s: the region of ", name);
    print_nodes(from, trial->scope.group_count);
    printf(" has ");
    print_nodes(nodes, trial->scope.group_count);
    printf(", which is different\n");
    print_seen("there", seen);
    print_seen("here", there);
    return false;
}

static bool try_point(const struct trial *trial, const char *name, const int32_t *from,
                      const struct seen *seen, const int32_t *nodes, uint64_t states,
                      struct counting *counting)
{
    int64_t total = 0;
    for (uint32_t g = 0; g < trial->scope.group_count; g++)
        total += nodes[g];
    const struct seen there =
        explore_at(trial, nodes, (struct exploring){.states = states, .noted = total > NODES_TOLD});
    return compare_point(trial, name, from, seen, nodes, &there, counting);
}

/* ---- points of a region ---- */

/* How far all of these groups can grow (or shrink) together without leaving the region. */
static int32_t farthest(const struct trial *trial, const int32_t *from, const struct seen *seen,
                        uint32_t groups, int32_t sign)
{
    int32_t nodes[GROUPS_MOST] = {0};
    int32_t good = 0;
    for (int32_t step = 1 << 20; step > 0; step /= 2) {
        bool inside = true;
        for (uint32_t g = 0; g < trial->scope.group_count; g++) {
            nodes[g] = from[g] + (groups >> g & 1 ? sign * (good + step) : 0);
            inside &= nodes[g] >= 0 && nodes[g] <= 2 * NODES_FAR;
        }
        if (inside && size_region_has(&seen->sizes, from, nodes, trial->scope.group_count))
            good += step;
    }
    return sign * good;
}

static bool try_moved(const struct trial *trial, const char *name, const int32_t *from,
                      const struct seen *seen, uint32_t groups, int32_t by, uint64_t states,
                      struct counting *counting)
{
    int32_t nodes[GROUPS_MOST] = {0};
    for (uint32_t g = 0; g < trial->scope.group_count; g++)
        nodes[g] = from[g] + (groups >> g & 1 ? by : 0);
    return by == 0 || try_point(trial, name, from, seen, nodes, states, counting);
}

/* A number up to `most`, small ones as likely as large ones. */
static int32_t draw(uint64_t *seed, int32_t most)
{
    *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    int32_t bits = 0;
    while (most >> bits > 0)
        bits++;
    const int32_t shift = bits > 0 ? (int32_t)(*seed >> 40) % bits : 0;
    const int32_t limit = most >> shift;
    return limit > 0 ? (int32_t)((*seed >> 20) % ((uint64_t)limit + 1)) : 0;
}

static bool try_region(const struct trial *trial, const char *name, const int32_t *from,
                       const struct seen *seen, uint64_t states, uint64_t *seed,
                       struct counting *counting)
{
    const uint32_t count = trial->scope.group_count;
    const uint32_t all = (UINT32_C(1) << count) - 1;
    /* The same size once more, with nothing noted. */
    bool good = try_point(trial, name, from, seen, from, states, counting);
    for (uint32_t i = 0; i <= count && good; i++) {
        const uint32_t groups = i == count ? all : UINT32_C(1) << i;
        if (i == count && count == 1)
            break;
        const int32_t up = farthest(trial, from, seen, groups, 1);
        const int32_t down = farthest(trial, from, seen, groups, -1);
        good = try_moved(trial, name, from, seen, groups, up, states, counting) &&
               try_moved(trial, name, from, seen, groups, down, states, counting);
        for (uint32_t k = 0; k < INSIDE && good && up - down > 1; k++)
            good = try_moved(trial, name, from, seen, groups, down + draw(seed, up - down), states,
                             counting);
    }
    return good;
}

/* ---- a Check ---- */

static void count_region(const struct trial *trial, const int32_t *from, const struct seen *seen,
                         struct counting *counting)
{
    const uint32_t all = (UINT32_C(1) << trial->scope.group_count) - 1;
    const int32_t up = farthest(trial, from, seen, all, 1);
    counting->regions++;
    counting->unbounded += up >= NODES_FAR;
    counting->far += (int64_t)up * trial->scope.group_count >= NODES_FAR / 2;
    counting->points += seen->sizes.point;
}

static bool try_trial(const struct trial *trial, const char *name, uint64_t states, uint64_t seed,
                      struct counting *counting)
{
    int32_t nodes[GROUPS_MOST] = {0};
    bool good = true;
    const uint32_t count = trial->scope.group_count;
    if (count == 0 || count > GROUPS_MOST || trial->scope.start == START_OBSERVED)
        return true;
    for (uint32_t g = 0; g < count; g++)
        if (trial->scope.groups[g].names || trial->scope.groups[g].single)
            return true;
    counting->checks++;
    struct seen last = {0};
    int32_t at[GROUPS_MOST] = {0};
    for (int32_t n = 1; n <= SIZES_EACH && good; n++) {
        for (uint32_t g = 0; g < count; g++)
            nodes[g] = n;
        if (n > 1 && size_region_has(&last.sizes, at, nodes, count))
            continue;
        const struct seen seen =
            explore_at(trial, nodes, (struct exploring){.states = states, .noted = true});
        if (!seen.decided) {
            counting->cut++;
            break;
        }
        memcpy(at, nodes, sizeof(at));
        last = seen;
        count_region(trial, nodes, &seen, counting);
        /* What allows no other size at all is the same for every size. */
        if (seen.sizes.point)
            break;
        good = try_region(trial, name, nodes, &seen, states, &seed, counting);
    }
    return good;
}

static bool try_text(const char *file, const char *text, uint64_t states, uint64_t seed,
                     struct counting *counting)
{
    struct trial trial;
    bool good = true;
    if (trial_load(&trial, file, text))
        good = try_trial(&trial, file, states, seed, counting);
    arena_release(&trial.arena);
    return good;
}

static bool try_file(const char *path, uint64_t states, struct counting *counting)
{
    struct memory memory;
    struct text text;
    memory_init(&memory, SIZE_MAX);
    text_init(&text, &memory);
    read_text(path, &text);
    const bool good = try_text(path, text_content(&text), states, 1, counting);
    text_release(&text);
    return good;
}

static bool try_seed(uint64_t seed, uint64_t states, struct counting *counting)
{
    struct random_check made;
    char name[32];
    random_check_make(&made, seed, ALL_PARTS);
    write_text(APPLIED_FILE, text_content(&made.applied));
    const bool good = try_text("check.yaml", text_content(&made.check), states, seed, counting);
    if (!good) {
        snprintf(name, sizeof(name), "%" PRIu64 ".yaml", seed);
        write_text(name, text_content(&made.check));
        printf("seed %" PRIu64 ": see %s\n", seed, name);
    }
    random_check_release(&made);
    return good;
}

/* ---- components ---- */

static bool has_nodes(const int32_t *nodes, uint32_t groups)
{
    bool some = true;
    for (uint32_t g = 0; g < groups; g++)
        some &= nodes[g] > 0;
    return some;
}

/* What holds of components in a region holds of all workloads together, at every size in it. */
static bool try_beyond(const struct trial *trial, const char *name, const int32_t *from,
                       const struct seen *seen, struct exploring how_to, struct counting *counting)
{
    int32_t nodes[GROUPS_MOST] = {0};
    const uint32_t count = trial->scope.group_count;
    how_to =
        (struct exploring){.states = how_to.states, .whole = true, .left_out = how_to.left_out};
    static const int32_t more[] = {0, -1, -2, 1, 2, 3, 9};
    for (size_t i = 0; i < sizeof(more) / sizeof(*more); i++)
        for (uint32_t g = 0; g <= count; g++) {
            for (uint32_t k = 0; k < count; k++)
                nodes[k] = from[k] + (g == count || g == k ? more[i] : 0);
            if (!has_nodes(nodes, count) || !size_region_has(&seen->sizes, from, nodes, count))
                continue;
            const struct seen there = explore_at(trial, nodes, how_to);
            counting->tried += there.decided;
            if (!there.decided || there.undecided || !there.violated)
                continue;
            return compare_point(trial, name, from, seen, nodes, &there, counting);
        }
    return true;
}

static bool try_components(const struct trial *trial, const char *name, uint64_t states,
                           struct counting *counting)
{
    int32_t nodes[GROUPS_MOST] = {0};
    const uint32_t count = trial->scope.group_count;
    bool good = true;
    if (count == 0 || count > GROUPS_MOST || trial->scope.start == START_OBSERVED)
        return true;
    for (uint32_t g = 0; g < count; g++)
        if (trial->scope.groups[g].names || trial->scope.groups[g].single)
            return true;
    counting->checks++;
    for (int32_t n = 1; n <= SIZES_OF_COMPONENTS && good; n++) {
        for (uint32_t g = 0; g < count; g++)
            nodes[g] = n;
        struct exploring how_to = {.states = states, .noted = true, .components = true};
        struct seen seen = explore_at(trial, nodes, how_to);
        good = !seen.violated || !seen.components || seen.sizes.point;
        if (!good)
            print_seen("violated, and said of other sizes, too", &seen);
        how_to.left_out = seen.violated | seen.undecided;
        if (how_to.left_out)
            seen = explore_at(trial, nodes, how_to);
        if (!good || !seen.decided || seen.undecided || seen.violated || !seen.components)
            continue;
        count_region(trial, nodes, &seen, counting);
        good = seen.sizes.point || try_beyond(trial, name, nodes, &seen, how_to, counting);
    }
    return good;
}

static bool try_seed_of_components(uint64_t seed, uint64_t states, struct counting *counting)
{
    struct random_check made;
    struct trial trial;
    char name[32];
    bool good = true;
    random_check_make(&made, seed, ALL_PARTS);
    snprintf(name, sizeof(name), "%" PRIu64 ".yaml", seed);
    write_text(APPLIED_FILE, text_content(&made.applied));
    if (trial_load(&trial, "check.yaml", text_content(&made.check)))
        good = try_components(&trial, name, states, counting);
    if (!good)
        write_text(name, text_content(&made.check));
    arena_release(&trial.arena);
    random_check_release(&made);
    return good;
}

static bool try_file_of_components(const char *path, uint64_t states, struct counting *counting)
{
    struct memory memory;
    struct text text;
    struct trial trial;
    memory_init(&memory, SIZE_MAX);
    text_init(&text, &memory);
    read_text(path, &text);
    const bool good = !trial_load(&trial, path, text_content(&text)) ||
                      try_components(&trial, path, states, counting);
    arena_release(&trial.arena);
    text_release(&text);
    return good;
}

/* ---- maps ---- */

static void print_region(int32_t first, int32_t last, const struct seen *seen)
{
    printf("%d-%d: %" PRIu64 " states, %s%s%s\n", first, last, seen->states,
           seen->violated ? "violated" : "holds", seen->sizes.why ? "; " : "",
           seen->sizes.why ? seen->sizes.why : "");
}

static int map(const char *path, int32_t most, bool brute)
{
    struct memory memory;
    struct text text;
    struct trial trial;
    int32_t nodes[GROUPS_MOST] = {0};
    memory_init(&memory, SIZE_MAX);
    text_init(&text, &memory);
    read_text(path, &text);
    if (!trial_load(&trial, path, text_content(&text)) || trial.scope.group_count > GROUPS_MOST)
        return 2;
    const uint32_t all = (UINT32_C(1) << trial.scope.group_count) - 1;
    for (int32_t n = 1; n <= most;) {
        for (uint32_t g = 0; g < trial.scope.group_count; g++)
            nodes[g] = n;
        const struct seen seen =
            explore_at(&trial, nodes, (struct exploring){.states = UINT64_MAX, .noted = !brute});
        const int32_t up = brute ? 0 : farthest(&trial, nodes, &seen, all, 1);
        print_region(n, n + up, &seen);
        n += up + 1;
    }
    arena_release(&trial.arena);
    text_release(&text);
    return 0;
}

/* Each number of nodes in each group, explored by itself with nothing noted, against its region. */
static bool try_each(const char *path, int32_t most, struct counting *counting)
{
    struct memory memory;
    struct text text;
    struct trial trial;
    int32_t nodes[GROUPS_MOST] = {0};
    int32_t from[GROUPS_MOST] = {0};
    struct seen seen = {0};
    bool good = true;
    memory_init(&memory, SIZE_MAX);
    text_init(&text, &memory);
    read_text(path, &text);
    if (!trial_load(&trial, path, text_content(&text)) || trial.scope.group_count > GROUPS_MOST)
        return false;
    const uint32_t count = trial.scope.group_count;
    for (int32_t n = 1; n <= most && good; n++) {
        for (uint32_t g = 0; g < count; g++)
            nodes[g] = n;
        if (n == 1 || !size_region_has(&seen.sizes, from, nodes, count)) {
            seen = explore_at(&trial, nodes,
                              (struct exploring){.states = STATES_OF_FILES, .noted = true});
            memcpy(from, nodes, sizeof(from));
            counting->regions++;
        }
        const struct seen there =
            explore_at(&trial, nodes, (struct exploring){.states = STATES_OF_FILES});
        good = compare_point(&trial, path, from, &seen, nodes, &there, counting);
    }
    arena_release(&trial.arena);
    text_release(&text);
    return good;
}

static void print_counting(const struct counting *counting)
{
    printf("%" PRIu64 " Checks, %" PRIu64 " regions (%" PRIu64 " to a million nodes, %" PRIu64
           " single sizes), %" PRIu64 " other sizes explored, %" PRIu64 " cut short\n",
           counting->checks, counting->regions, counting->far, counting->points, counting->tried,
           counting->cut);
}

/* With as many nodes in each group, regions begin at these numbers. */
struct breakpoints {
    const char *file;
    int32_t begins[20];
};

static const struct breakpoints known_breakpoints[] = {
    {"test/sizes/checks/host-spread.yaml", {1, 2, 3, 4, 5, 11, 30, 417, 1134, 15490, 42107}},
    {"examples/c08-soft-spread-vs-descheduler/fixed.yaml",
     {1, 2, 3, 4, 5, 11, 30, 417, 1134, 15490, 42107}},
    /* Pods that terminate are on up to 12 nodes of a group, which makes each of these numbers
     * another graph. */
    {"examples/c08-soft-spread-vs-descheduler/broken.yaml",
     {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 30, 417, 1134, 15490, 42107}},
};

static bool try_breakpoints(const char *path, const int32_t *begins)
{
    enum { NODES_MOST = 50000 };
    struct memory memory;
    struct text text;
    struct trial trial;
    int32_t nodes[GROUPS_MOST] = {0};
    uint32_t found = 0;
    bool good = true;
    memory_init(&memory, SIZE_MAX);
    text_init(&text, &memory);
    read_text(path, &text);
    if (!trial_load(&trial, path, text_content(&text)))
        return false;
    const uint32_t all = (UINT32_C(1) << trial.scope.group_count) - 1;
    for (int32_t n = 1; good && n <= NODES_MOST; found++) {
        for (uint32_t g = 0; g < trial.scope.group_count; g++)
            nodes[g] = n;
        const struct seen seen =
            explore_at(&trial, nodes, (struct exploring){.states = UINT64_MAX, .noted = true});
        good = begins[found] == n;
        if (!good)
            printf("%s: region %u begins with %d nodes in each group\n", path, found, n);
        n += farthest(&trial, nodes, &seen, all, 1) + 1;
    }
    arena_release(&trial.arena);
    text_release(&text);
    return good && begins[found] == 0;
}

/* A few Checks of the sources, and some by chance. */
static bool try_sample(struct counting *counting)
{
    static const char *const files[] = {
        "examples/c03-spread-conflict/fixed.yaml", "examples/field/29-budget-of-one/broken.yaml",
        "test/sizes/checks/failures.yaml",         "test/sizes/checks/host-spread.yaml",
        "test/sizes/checks/two-pools.yaml",        "test/sizes/checks/duplicates.yaml",
        "test/sizes/checks/low-utilization.yaml",  "test/sizes/checks/low-utilization-of-two.yaml",
        "test/sizes/checks/high-utilization.yaml", "test/sizes/checks/deviation.yaml",
        "test/sizes/checks/host-balance.yaml",     "test/sizes/checks/mentioned.yaml",
        "test/sizes/checks/node-counts.yaml",      "test/cases/expressions/check.yaml",
        "examples/c09-image-locality/broken.yaml", "test/sizes/checks/images.yaml",
    };
    static const char *const of_components[] = {
        "test/sizes/checks/two-shops.yaml",
        "test/sizes/checks/zone-of-half.yaml",
        "test/cases/beside-daemons-leave-room/check.yaml",
        "test/cases/search-finds-nothing/check.yaml",
    };
    const char *root = getenv("FATHOM_SOURCE_ROOT");
    bool good = true;
    for (size_t i = 0; root && i < sizeof(files) / sizeof(*files); i++) {
        char path[4096];
        snprintf(path, sizeof(path), "%s/%s", root, files[i]);
        good &= try_file(path, STATES_OF_FILES, counting);
    }
    for (size_t i = 0; root && i < sizeof(known_breakpoints) / sizeof(*known_breakpoints); i++) {
        char path[4096];
        snprintf(path, sizeof(path), "%s/%s", root, known_breakpoints[i].file);
        good &= try_breakpoints(path, known_breakpoints[i].begins);
    }
    for (size_t i = 0; root && i < sizeof(known_breakpoints) / sizeof(*known_breakpoints); i++) {
        char path[4096];
        snprintf(path, sizeof(path), "%s/%s", root, known_breakpoints[i].file);
        good &= try_each(path, NODES_EACH, counting);
    }
    for (size_t i = 0; root && i < sizeof(of_components) / sizeof(*of_components); i++) {
        char path[4096];
        snprintf(path, sizeof(path), "%s/%s", root, of_components[i]);
        good &= try_file_of_components(path, STATES_OF_FILES, counting);
    }
    for (uint64_t seed = 1; seed <= SEEDS_OF_SAMPLE; seed++)
        good &= try_seed(seed, STATES_OF_SAMPLE, counting);
    return good;
}

int main(int argc, char **argv)
{
    struct counting counting = {0};
    bool good = true;
    setvbuf(stdout, NULL, _IOLBF, 0);
    if (argc == 4 && (strcmp(argv[1], "map") == 0 || strcmp(argv[1], "brute") == 0))
        return map(argv[2], atoi(argv[3]), argv[1][0] == 'b');
    if (argc == 4 && strcmp(argv[1], "against") == 0) {
        good = try_each(argv[2], atoi(argv[3]), &counting);
    } else if (argc == 4 && argv[1][0] >= '0' && argv[1][0] <= '9') {
        const uint64_t first = strtoull(argv[1], NULL, 10);
        const uint64_t count = strtoull(argv[2], NULL, 10);
        for (uint64_t seed = first; seed < first + count; seed++)
            good &= try_seed(seed, strtoull(argv[3], NULL, 10), &counting);
    } else if (argc > 3 && strcmp(argv[1], "parts") == 0 && argv[3][0] >= '0' &&
               argv[3][0] <= '9') {
        const uint64_t first = strtoull(argv[2], NULL, 10);
        const uint64_t count = strtoull(argv[3], NULL, 10);
        for (uint64_t seed = first; seed < first + count; seed++)
            good &= try_seed_of_components(seed, strtoull(argv[4], NULL, 10), &counting);
    } else if (argc > 3 && strcmp(argv[1], "parts") == 0) {
        for (int i = 3; i < argc; i++)
            good &= try_file_of_components(argv[i], strtoull(argv[2], NULL, 10), &counting);
    } else if (argc > 1) {
        for (int i = 1; i < argc; i++)
            good &= try_file(argv[i], STATES_OF_FILES, &counting);
    } else {
        good = try_sample(&counting);
    }
    print_counting(&counting);
    return good && counting.tried > 0 ? 0 : 1;
}
