/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Quantities against the known values of upstream's resource/quantity_test.go
 * (v1.26) and against properties that must hold for any of them.
 */
#include "object/quantity.h"

#include "object/arena_fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define SI       QUANTITY_DECIMAL_SI
#define BINARY   QUANTITY_BINARY_SI
#define EXPONENT QUANTITY_DECIMAL_EXPONENT

static struct quantity parse(const char *text)
{
    struct quantity quantity = {0};
    const char *why = NULL;
    if (!quantity_parse(text, &quantity, &why))
        fail_msg("%s: %s", text, why);
    return quantity;
}

static quantity_nanos power(int base, int exponent)
{
    quantity_nanos result = 1;
    while (exponent-- > 0)
        result *= base;
    return result;
}

/* mantissa * 10^exponent in nano units */
static quantity_nanos nanos(int64_t mantissa, int exponent)
{
    return (quantity_nanos)mantissa * power(10, exponent + 9);
}

struct parse_case {
    const char *text;
    int64_t mantissa;
    int exponent;
    enum quantity_format format;
};

static const struct parse_case parse_cases[] = {
    {"0", 0, 0, SI},
    {"0n", 0, 0, SI},
    {"0u", 0, 0, SI},
    {"0m", 0, 0, SI},
    {"0Ki", 0, 0, BINARY},
    {"0k", 0, 0, SI},
    {"0Mi", 0, 0, BINARY},
    {"0T", 0, 0, SI},
    {"00", 0, 0, SI},
    {"1", 1, 0, SI},
    {"007", 7, 0, SI},
    /* powers of two */
    {"1Ki", 1024, 0, BINARY},
    {"8Ki", 8192, 0, BINARY},
    {"7Mi", 7 * INT64_C(1048576), 0, BINARY},
    {"6Gi", 6 * INT64_C(1073741824), 0, BINARY},
    {"5Ti", 5 * (INT64_C(1) << 40), 0, BINARY},
    {"4Pi", 4 * (INT64_C(1) << 50), 0, BINARY},
    {"3Ei", 3 * (INT64_C(1) << 60), 0, BINARY},
    {"100Ti", 100 * (INT64_C(1) << 40), 0, BINARY},
    /* powers of ten */
    {"5n", 5, -9, SI},
    {"4u", 4, -6, SI},
    {"3m", 3, -3, SI},
    {"9", 9, 0, SI},
    {"8k", 8, 3, SI},
    {"50k", 5, 4, SI},
    {"7M", 7, 6, SI},
    {"6G", 6, 9, SI},
    {"5T", 5, 12, SI},
    {"40T", 4, 13, SI},
    {"300T", 3, 14, SI},
    {"2P", 2, 15, SI},
    {"1E", 1, 18, SI},
    {"1E-3", 1, -3, EXPONENT},
    {"1e3", 1, 3, EXPONENT},
    {"1E6", 1, 6, EXPONENT},
    {"1E12", 1, 12, EXPONENT},
    {"1E18", 1, 18, EXPONENT},
    {"1e14", 1, 14, EXPONENT},
    {"100.035k", 100035, 0, SI},
    /* fractions */
    {"0.001", 1, -3, SI},
    {"0.0005k", 5, -1, SI},
    {"0.05", 5, -2, SI},
    {"0.00050k", 5, -1, SI},
    {"0.50000", 5, -1, SI},
    {"0.5e0", 5, -1, EXPONENT},
    {"0.5e-1", 5, -2, EXPONENT},
    {"10.035M", 10035, 3, SI},
    {"1.2e3", 12, 2, EXPONENT},
    {"1.3E+6", 13, 5, EXPONENT},
    {"1.40e9", 14, 8, EXPONENT},
    {"1.7E18", 17, 17, EXPONENT},
    {"9.01", 901, -2, SI},
    {"6.987654321G", INT64_C(6987654321), 0, SI},
    {"1.01E", 101, 16, SI},
    /* what is finer than a nano unit is rounded up */
    {"3.001n", 4, -9, SI},
    {"1.1E-9", 2, -9, EXPONENT},
    {"0.0000000001", 1, -9, SI},
    {"0.00000000050", 1, -9, SI},
    {"0.5e-9", 1, -9, EXPONENT},
    {"0.9n", 1, -9, SI},
    {"1e-1000000000", 1, -9, EXPONENT},
    {"0.00000012345", 124, -9, SI},
    {"0.00000012354", 124, -9, SI},
    {"0.123456789000000000000000000000000000000000001", 123456790, -9, SI},
    {"1.00000000000000000000000000000", 1, 0, SI},
    /* binary ones end at the largest int64, decimal ones do not */
    {"9Ei", INT64_MAX, 0, BINARY},
    {"8Ei", INT64_MAX, 0, BINARY},
    {"9223372036854775807Ki", INT64_MAX, 0, BINARY},
    {"99999999999999999999999999999999999999999999Ki", INT64_MAX, 0, BINARY},
    {"12E", 12, 18, SI},
    {"9223372036854775808", INT64_C(922337203685477581), 1, SI},
    {"1e29", 1, 29, EXPONENT},
    {"1e30", 1, 29, EXPONENT},
    {"1e2000000000", 1, 29, EXPONENT},
    {"0e2000000000", 0, 0, EXPONENT},
    {"999999999999999999999999999999999999E", 1, 29, SI},
    {"207777777777777777777777777777777777777e-9", 1, 29, EXPONENT},
    /* fractions of powers of two */
    {"100.035Ki", 10243584, -2, BINARY},
    {"0.5Mi", 524288, 0, BINARY},
    {"0.05Gi", 536870912, -1, BINARY},
    {"0.025Ti", INT64_C(274877906944), -1, BINARY},
    {"1.5Gi", 1610612736, 0, BINARY},
    {"0.000000000001Ki", 2, -9, SI},
    {"0.0000000000000000000000000000000000000000000000000000001Ei", 1, -9, SI},
    /* odd but well-formed */
    {".001", 1, -3, SI},
    {".0001k", 100, -3, SI},
    {"1.", 1, 0, SI},
    {"1.G", 1, 9, SI},
    {".", 0, 0, SI},
    {"k", 0, 0, SI},
    {"e3", 0, 0, EXPONENT},
};

static quantity_nanos expected_nanos(const struct parse_case *test)
{
    /* One value of the table needs a digit more than its mantissa holds. */
    if (strcmp(test->text, "9223372036854775808") == 0)
        return nanos(test->mantissa, test->exponent) - nanos(2, 0);
    return nanos(test->mantissa, test->exponent);
}

static void known_texts(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(parse_cases) / sizeof(parse_cases[0]); i++) {
        const struct parse_case *test = &parse_cases[i];
        static const char *const signs[] = {"", "+", "-"};
        for (size_t s = 0; s < 3; s++) {
            struct quantity got = parse(arena_printf(&arena, "%s%s", signs[s], test->text));
            quantity_nanos wanted = s == 2 ? -expected_nanos(test) : expected_nanos(test);
            if (got.nanos != wanted || got.format != test->format)
                fail_msg("%s%s: got %s in format %d", signs[s], test->text,
                         quantity_format_text(&arena, got), (int)got.format);
        }
    }
}

static void malformed_texts(void **state)
{
    (void)state;
    static const char *const cases[] = {
        "",
        "1.1.M",
        "1+1.0M",
        "0.1mi",
        "0.1am",
        "aoeu",
        ".5i",
        "1i",
        "-3.01i",
        "-3.01e-",
        " 1",
        "1 ",
        "1K",
        "1KI",
        "1ki",
        "1mi",
        "--1",
        "1e",
        "1e+",
        "1e1.5",
        "1e3Ki",
        "1Kim",
        "0x10",
        "1,5",
        "1_000",
        "NaN",
        "1e3k",
        "1EE3",
        "1e99999999999999999999",
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct quantity quantity = {42, BINARY};
        const char *why = NULL;
        if (quantity_parse(cases[i], &quantity, &why))
            fail_msg("\"%s\" was read", cases[i]);
        assert_non_null(why);
        assert_true(quantity.nanos == 42 && quantity.format == BINARY);
        assert_false(quantity_parse(cases[i], &quantity, NULL));
    }
}

static void canonical_texts(void **state)
{
    (void)state;
    static const struct {
        int64_t mantissa;
        int exponent;
        enum quantity_format format;
        const char *text;
        const char *same; /* another way to write it */
    } cases[] = {
        {1073741824, 0, BINARY, "1Gi", "1024Mi"},
        {300 * INT64_C(1048576), 0, BINARY, "300Mi", "307200Ki"},
        {6 * INT64_C(1024), 0, BINARY, "6Ki", NULL},
        {1001 * INT64_C(1073741824), 0, BINARY, "1001Gi", "1025024Mi"},
        {INT64_C(1) << 40, 0, BINARY, "1Ti", "1024Gi"},
        {INT64_C(1) << 62, 0, BINARY, "4Ei", "4096Pi"},
        {5, 0, BINARY, "5", NULL},
        {500, -3, BINARY, "500m", NULL},
        {1023, 0, BINARY, "1023", NULL},
        {1024, 0, BINARY, "1Ki", NULL},
        {1025, 0, BINARY, "1025", NULL},
        {1234567, -3, BINARY, "1234567m", NULL},
        {10243584, -2, BINARY, "102435840m", "100.035Ki"},
        {1, 9, SI, "1G", "1000M"},
        {1000, 6, SI, "1G", "0.001T"},
        {1000000, 3, SI, "1G", NULL},
        {1, -3, SI, "1m", "1000u"},
        {80, -3, SI, "80m", NULL},
        {1080, -3, SI, "1080m", "1.08"},
        {108, -2, SI, "1080m", "1080000000n"},
        {300, 6, SI, "300M", NULL},
        {1, 12, SI, "1T", NULL},
        {1234567, 6, SI, "1234567M", NULL},
        {3, 3, SI, "3k", NULL},
        {12, 18, SI, "12E", NULL},
        {1, 21, SI, "1000E", NULL},
        {15, -1, SI, "1500m", "1.5"},
        {1, -9, SI, "1n", NULL},
        {108, -8, SI, "1080n", NULL},
        {1080, -6, SI, "1080u", NULL},
        {1, 9, EXPONENT, "1e9", ".001e12"},
        {1, -3, EXPONENT, "1e-3", "0.001e0"},
        {1, -9, EXPONENT, "1e-9", "1000e-12"},
        {80, -3, EXPONENT, "80e-3", NULL},
        {300, 6, EXPONENT, "300e6", NULL},
        {1, 1, EXPONENT, "10", "1e1"},
        {1, 29, EXPONENT, "100e27", NULL},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct quantity quantity = {nanos(cases[i].mantissa, cases[i].exponent), cases[i].format};
        assert_string_equal(quantity_format_text(&arena, quantity), cases[i].text);
        if (cases[i].same != NULL)
            assert_string_equal(quantity_format_text(&arena, parse(cases[i].same)), cases[i].text);
        quantity.nanos = -quantity.nanos;
        assert_string_equal(quantity_format_text(&arena, quantity),
                            arena_printf(&arena, "-%s", cases[i].text));
    }
    for (int format = SI; format <= EXPONENT; format++)
        assert_string_equal(
            quantity_format_text(&arena, (struct quantity){0, (enum quantity_format)format}), "0");
}

static void values_round_away_from_zero(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int64_t value;
        int64_t milli;
    } cases[] = {
        {"0", 0, 0},
        {"1", 1, 1000},
        {"100m", 1, 100},
        {"1n", 1, 1},
        {"-1n", -1, -1},
        {"1001u", 1, 2},
        {"-1001u", -1, -2},
        {"1500m", 2, 1500},
        {"-1500m", -2, -1500},
        {"2.5Ki", 2560, 2560000},
        {"9223372036854775807", INT64_MAX, INT64_MAX},
        {"-9223372036854775808", INT64_MIN, INT64_MIN},
        {"12E", INT64_MAX, INT64_MAX},
        {"-12E", INT64_MIN, INT64_MIN},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        assert_int_equal(quantity_value(parse(cases[i].text)), cases[i].value);
        assert_int_equal(quantity_milli_value(parse(cases[i].text)), cases[i].milli);
    }
    assert_int_equal(quantity_value(quantity_of(INT64_MIN)), INT64_MIN);
    assert_int_equal(quantity_milli_value(quantity_of_milli(INT64_MAX)), INT64_MAX);
}

static struct quantity negated(struct quantity quantity)
{
    quantity.nanos = -quantity.nanos;
    return quantity;
}

static void sums_and_formats(void **state)
{
    (void)state;
    static const struct {
        const char *a;
        const char *b;
        const char *sum;
        const char *difference;
        int order;
    } cases[] = {
        {"100m", "0", "100m", "100m", 1},
        {"0", "100m", "100m", "-100m", -1},
        {"1Gi", "0", "1Gi", "1Gi", 1},
        {"0", "1Gi", "1Gi", "-1Gi", -1},
        {"10000T", "100Gi", "10000107374182400", "9999892625817600", 1},
        {"1Ki", "1", "1025", "1023", 1},
        {"1Ki", "500m", "1024500m", "1023500m", 1},
        {"1e3", "24", "1024", "976", 1},
        {"1024", "1Ki", "2048", "0", 0},
        {"1e29", "1e29", "100e27", "0", 0},
        {"-1e29", "1e29", "0", "-100e27", -1},
        {"7Ei", "7Ei", "14Ei", "0", 0},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct quantity a = parse(cases[i].a);
        struct quantity b = parse(cases[i].b);
        assert_string_equal(quantity_format_text(&arena, quantity_add(a, b)), cases[i].sum);
        assert_string_equal(quantity_format_text(&arena, quantity_add(a, negated(b))),
                            cases[i].difference);
        assert_int_equal(quantity_compare(a, b), cases[i].order);
        assert_int_equal(quantity_compare(b, a), -cases[i].order);
    }
}

/* ---- properties of random quantities ---- */

static uint64_t random_word(uint64_t *seed)
{
    *seed += UINT64_C(0x9e3779b97f4a7c15);
    uint64_t word = *seed;
    word = (word ^ (word >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    word = (word ^ (word >> 27)) * UINT64_C(0x94d049bb133111eb);
    return word ^ (word >> 31);
}

/* Of every size: the number of bits is random, too. */
static struct quantity random_quantity(uint64_t *seed)
{
    quantity_nanos value = (quantity_nanos)(random_word(seed) >> (random_word(seed) % 64));
    value *= (int64_t)(random_word(seed) >> (1 + random_word(seed) % 63));
    static const int64_t factors[] = {1, 1, 1000, 1000000000, 1024 * INT64_C(1000000000)};
    quantity_nanos most = nanos(1, 29);
    int64_t factor = factors[random_word(seed) % 5];
    if (value > most / factor)
        value = most / factor;
    value *= factor;
    enum quantity_format format = (enum quantity_format)(random_word(seed) % 3);
    if (format == BINARY && value > nanos(INT64_MAX, 0))
        value = nanos(INT64_MAX, 0);
    return (struct quantity){random_word(seed) % 2 ? -value : value, format};
}

static void random_properties(void **state)
{
    (void)state;
    uint64_t seed = 20240101;
    print_message("seed %llu\n", (unsigned long long)seed);
    for (int i = 0; i < 200000; i++) {
        struct arena_mark mark = arena_mark(&arena);
        struct quantity a = random_quantity(&seed);
        struct quantity b = random_quantity(&seed);
        const char *text = quantity_format_text(&arena, a);
        struct quantity again = parse(text);
        if (again.nanos != a.nanos)
            fail_msg("%s changes when read again", text);
        /* A binary quantity that has no suffix to show it comes back as decimal. */
        if (a.format != BINARY)
            assert_string_equal(quantity_format_text(&arena, again), text);
        struct quantity difference = quantity_add(a, negated(b));
        struct quantity zero = {0, SI};
        assert_int_equal(quantity_compare(a, b), quantity_compare(difference, zero));
        assert_int_equal(quantity_compare(a, b), -quantity_compare(b, a));
        assert_int_equal(quantity_compare(quantity_add(a, b), quantity_add(b, a)), 0);
        if (a.nanos < nanos(1, 28) && a.nanos > -nanos(1, 28) && b.nanos < nanos(1, 28) &&
            b.nanos > -nanos(1, 28))
            assert_int_equal(quantity_compare(quantity_add(difference, b), a), 0);
        arena_rewind(&arena, mark);
    }
}

static void lists_are_searched_by_name(void **state)
{
    (void)state;
    struct resource items[] = {
        {"cpu", {1, SI}}, {"example.com/gpu", {2, SI}}, {"memory", {3, SI}}, {"pods", {4, SI}}};
    for (uint32_t count = 0; count <= 4; count++) {
        struct resource_list list = {items, count};
        for (uint32_t i = 0; i < 4; i++) {
            const struct quantity *found = resource_list_find(&list, items[i].name);
            assert_true(i < count ? found == &items[i].quantity : found == NULL);
        }
        assert_null(resource_list_find(&list, "a"));
        assert_null(resource_list_find(&list, "disk"));
        assert_null(resource_list_find(&list, "z"));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_texts),
        cmocka_unit_test(malformed_texts),
        cmocka_unit_test(canonical_texts),
        cmocka_unit_test(values_round_away_from_zero),
        cmocka_unit_test(sums_and_formats),
        cmocka_unit_test(random_properties),
        cmocka_unit_test(lists_are_searched_by_name),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
