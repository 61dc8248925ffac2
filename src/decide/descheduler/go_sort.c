/* SPDX-License-Identifier: Apache-2.0 */
/* The limits below are Go's: with other limits equal items would come out in another order. */
#include "decide/descheduler/go_sort.h"

enum {
    INSERTION_MOST = 12,  /* items that are sorted by insertion */
    NINTHER_LEAST = 50,   /* items from which on the pivot is a median of medians */
    SHIFTING_LEAST = 50,  /* items from which on misplaced ones are shifted */
    SHIFTING_STEPS = 5,   /* misplaced items that are put right before giving up */
    PIVOT_SWAPS_MOST = 12 /* all comparisons for the pivot went the wrong way */
};

enum hint { HINT_UNKNOWN, HINT_INCREASING, HINT_DECREASING };

struct sort {
    uint32_t *items;
    go_sort_less *less;
    const void *context;
};

static bool less(const struct sort *sort, int i, int j)
{
    return sort->less(sort->context, sort->items[i], sort->items[j]);
}

static void swap(const struct sort *sort, int i, int j)
{
    const uint32_t item = sort->items[i];
    sort->items[i] = sort->items[j];
    sort->items[j] = item;
}

static void sort_by_insertion(const struct sort *sort, int first, int end)
{
    for (int i = first + 1; i < end; i++)
        for (int j = i; j > first && less(sort, j, j - 1); j--)
            swap(sort, j, j - 1);
}

static void sift_down(const struct sort *sort, int root, int end, int first)
{
    for (int child = 2 * root + 1; child < end; child = 2 * root + 1) {
        if (child + 1 < end && less(sort, first + child, first + child + 1))
            child++;
        if (!less(sort, first + root, first + child))
            return;
        swap(sort, first + root, first + child);
        root = child;
    }
}

static void sort_by_heap(const struct sort *sort, int first, int end)
{
    const int count = end - first;
    for (int i = (count - 1) / 2; i >= 0; i--)
        sift_down(sort, i, count, first);
    for (int i = count - 1; i >= 0; i--) {
        swap(sort, first, first + i);
        sift_down(sort, 0, i, first);
    }
}

static int bits_of(uint64_t number)
{
    int bits = 0;
    while (number > 0) {
        number >>= 1;
        bits++;
    }
    return bits;
}

/* Scatters three items, to break the pattern that made a partition lopsided. */
static void break_patterns(const struct sort *sort, int first, int end)
{
    const int count = end - first;
    uint64_t random = (uint64_t)count;
    const uint64_t mask = (UINT64_C(1) << bits_of(random)) - 1;
    const int middle = first + (count / 4) * 2 - 1;
    for (int i = 0; i < 3; i++) {
        random ^= random << 13;
        random ^= random >> 17;
        random ^= random << 5;
        int other = (int)(random & mask);
        if (other >= count)
            other -= count;
        swap(sort, middle - 1 + i, first + other);
    }
}

static void order_two(const struct sort *sort, int *a, int *b, int *swaps)
{
    if (!less(sort, *b, *a))
        return;
    const int held = *a;
    *a = *b;
    *b = held;
    (*swaps)++;
}

static int median(const struct sort *sort, int a, int b, int c, int *swaps)
{
    order_two(sort, &a, &b, swaps);
    order_two(sort, &b, &c, swaps);
    order_two(sort, &a, &b, swaps);
    return b;
}

static int choose_pivot(const struct sort *sort, int first, int end, enum hint *hint)
{
    const int count = end - first;
    int swaps = 0;
    int i = first + count / 4;
    int j = first + count / 4 * 2;
    int k = first + count / 4 * 3;
    if (count >= NINTHER_LEAST) {
        i = median(sort, i - 1, i, i + 1, &swaps);
        j = median(sort, j - 1, j, j + 1, &swaps);
        k = median(sort, k - 1, k, k + 1, &swaps);
    }
    j = median(sort, i, j, k, &swaps);
    *hint = swaps == 0                  ? HINT_INCREASING
            : swaps == PIVOT_SWAPS_MOST ? HINT_DECREASING
                                        : HINT_UNKNOWN;
    return j;
}

/* Tries whether a few shifts are enough; true when all is sorted. */
static bool sort_nearly_sorted(const struct sort *sort, int first, int end)
{
    int i = first + 1;
    for (int step = 0; step < SHIFTING_STEPS; step++) {
        while (i < end && !less(sort, i, i - 1))
            i++;
        if (i == end)
            return true;
        if (end - first < SHIFTING_LEAST)
            return false;
        swap(sort, i, i - 1);
        if (i - first >= 2)
            for (int j = i - 1; j >= 1 && less(sort, j, j - 1); j--)
                swap(sort, j, j - 1);
        if (end - i >= 2)
            for (int j = i + 1; j < end && less(sort, j, j - 1); j++)
                swap(sort, j, j - 1);
    }
    return false;
}

/* Items that equal the pivot to the left, greater ones to the right. */
static int partition_equal(const struct sort *sort, int first, int end, int pivot)
{
    swap(sort, first, pivot);
    int i = first + 1;
    int j = end - 1;
    for (;;) {
        while (i <= j && !less(sort, first, i))
            i++;
        while (i <= j && less(sort, first, j))
            j--;
        if (i > j)
            return i;
        swap(sort, i++, j--);
    }
}

/* Lesser items to the left; the place of the pivot, and whether nothing had to move. */
static int partition(const struct sort *sort, int first, int end, int pivot, bool *was_partitioned)
{
    swap(sort, first, pivot);
    int i = first + 1;
    int j = end - 1;
    *was_partitioned = true;
    for (;;) {
        while (i <= j && less(sort, i, first))
            i++;
        while (i <= j && !less(sort, j, first))
            j--;
        if (i > j)
            break;
        swap(sort, i++, j--);
        *was_partitioned = false;
    }
    swap(sort, j, first);
    return j;
}

static void reverse(const struct sort *sort, int first, int end)
{
    for (int i = first, j = end - 1; i < j; i++, j--)
        swap(sort, i, j);
}

static void sort_range(const struct sort *sort, int first, int end, int limit)
{
    bool balanced = true;
    bool partitioned = true;
    while (end - first > INSERTION_MOST) {
        enum hint hint;
        const int count = end - first;
        if (limit == 0) {
            sort_by_heap(sort, first, end);
            return;
        }
        if (!balanced) {
            break_patterns(sort, first, end);
            limit--;
        }
        int pivot = choose_pivot(sort, first, end, &hint);
        if (hint == HINT_DECREASING) {
            reverse(sort, first, end);
            pivot = end - 1 - (pivot - first);
            hint = HINT_INCREASING;
        }
        if (balanced && partitioned && hint == HINT_INCREASING &&
            sort_nearly_sorted(sort, first, end))
            return;
        if (first > 0 && !less(sort, first - 1, pivot)) {
            first = partition_equal(sort, first, end, pivot);
            continue;
        }
        const int middle = partition(sort, first, end, pivot, &partitioned);
        const int left = middle - first;
        const int right = end - middle;
        balanced = (left < right ? left : right) >= count / 8;
        if (left < right) {
            sort_range(sort, first, middle, limit);
            first = middle + 1;
        } else {
            sort_range(sort, middle + 1, end, limit);
            end = middle;
        }
    }
    sort_by_insertion(sort, first, end);
}

void go_sort(uint32_t *items, uint32_t count, go_sort_less *less_of, const void *context)
{
    const struct sort sort = {items, less_of, context};
    sort_range(&sort, 0, (int)count, bits_of(count));
}
