/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The verdict of every scale, as a picture: total nodes to the right, total
 * pods upwards. Several setups can have the same totals; the worst one shows.
 */
#include "report/formats.h"
#include "report/report.h"

#include <inttypes.h>
#include <string.h>

enum cell { CELL_NONE, CELL_HOLDS, CELL_UNDECIDED, CELL_VIOLATED };

struct heatmap {
    int32_t nodes_least, nodes_most;
    int32_t pods_least, pods_most;
    uint8_t *cells; /* enum cell, by pods, then nodes */
};

static uint8_t *cell_at(const struct heatmap *map, int32_t nodes, int32_t pods)
{
    const size_t columns = (size_t)map->nodes_most - (size_t)map->nodes_least + 1;
    return &map->cells[(size_t)(pods - map->pods_least) * columns +
                       (size_t)(nodes - map->nodes_least)];
}

/* Where groups have no maximum, regions reach beyond what was explored; a map has an end. */
static void show_beyond(struct heatmap *map)
{
    enum { NODES_BEYOND = 4, NODES_SHOWN_MOST = 48 };
    map->nodes_most += NODES_BEYOND;
    if (map->nodes_most - map->nodes_least >= NODES_SHOWN_MOST)
        map->nodes_most = map->nodes_least + NODES_SHOWN_MOST - 1;
}

/* Is what was found out with the setup true of so many nodes, too? With several groups only the
 * explored sizes are shown. */
static bool is_of(const struct report *report, uint32_t setup, int32_t nodes)
{
    const struct verify_report *found = report->found;
    const struct setup *explored = &found->setups.items[setup];
    if (!found->sizes.open || report->scope->group_count > 1)
        return explored->total_nodes == nodes;
    return size_region_has(&found->sizes.regions[setup], explored->nodes, &nodes, 1);
}

static struct heatmap draw(struct arena *arena, const struct report *report, uint32_t intent)
{
    const struct verify_report *found = report->found;
    struct heatmap map = {INT32_MAX, 0, INT32_MAX, 0, NULL};
    for (uint32_t s = 0; s < found->setups.count; s++) {
        const struct setup *setup = &found->setups.items[s];
        map.nodes_least =
            setup->total_nodes < map.nodes_least ? setup->total_nodes : map.nodes_least;
        map.nodes_most = setup->total_nodes > map.nodes_most ? setup->total_nodes : map.nodes_most;
        map.pods_least = setup->total_pods < map.pods_least ? setup->total_pods : map.pods_least;
        map.pods_most = setup->total_pods > map.pods_most ? setup->total_pods : map.pods_most;
    }
    if (found->sizes.open)
        show_beyond(&map);
    map.cells = ARENA_ARRAY(arena, uint8_t,
                            (size_t)(map.nodes_most - map.nodes_least + 1) *
                                (size_t)(map.pods_most - map.pods_least + 1));
    for (uint32_t s = 0; s < found->setups.count; s++) {
        const struct setup *setup = &found->setups.items[s];
        uint8_t now = CELL_UNDECIDED;
        if (s < found->setups_explored)
            switch (found->verdicts[(size_t)s * found->result_count + intent]) {
            case VERDICT_HOLDS: now = CELL_HOLDS; break;
            case VERDICT_VIOLATED: now = CELL_VIOLATED; break;
            default: break;
            }
        for (int32_t nodes = map.nodes_least; nodes <= map.nodes_most; nodes++) {
            uint8_t *cell = cell_at(&map, nodes, setup->total_pods);
            if (is_of(report, s, nodes))
                *cell = now > *cell ? now : *cell;
        }
    }
    return map;
}

/* ---- text ---- */

static void write_text_map(const struct heatmap *map, struct text *text)
{
    static const char signs[] = {' ', '.', '?', '#'};
    for (int32_t pods = map->pods_most; pods >= map->pods_least; pods--) {
        text_printf(text, "  %5d |", pods);
        for (int32_t nodes = map->nodes_least; nodes <= map->nodes_most; nodes++)
            text_printf(text, "  %c", signs[*cell_at(map, nodes, pods)]);
        text_append_char(text, '\n');
    }
    text_append_string(text, "   pods +");
    for (int32_t nodes = map->nodes_least; nodes <= map->nodes_most; nodes++)
        text_append_string(text, "---");
    text_append_string(text, "\n         ");
    for (int32_t nodes = map->nodes_least; nodes <= map->nodes_most; nodes++)
        text_printf(text, "%2d ", nodes);
    text_append_string(text, "nodes\n");
}

void report_write_heatmap(struct arena *arena, const struct report *report, struct text *text)
{
    const struct verify_report *found = report->found;
    for (uint32_t i = 0; i < found->result_count && found->setups.count > 0; i++) {
        const struct arena_mark mark = arena_mark(arena);
        const struct heatmap map = draw(arena, report, i);
        text_printf(text, "\n%s by scale: # violated, . holds, ? not decided\n\n",
                    report_intent_label(arena, found->results[i].intent));
        write_text_map(&map, text);
        arena_rewind(arena, mark);
    }
}

/* ---- HTML ---- */

void report_heatmap_html(struct arena *arena, const struct report *report, uint32_t intent,
                         struct text *text)
{
    static const char *const cells[] = {"<td></td>", "<td class=\"h\">.</td>",
                                        "<td class=\"u\">?</td>", "<td class=\"v\">#</td>"};
    if (report->found->setups.count == 0)
        return;
    const struct heatmap map = draw(arena, report, intent);
    text_append_string(
        text, "<p class=\"keys\"><span><span class=\"key v\">#</span>violated</span> "
              "<span><span class=\"key h\">.</span>holds</span> "
              "<span><span class=\"key u\">?</span>not decided</span> "
              "<span><span class=\"key\"></span>no setup has this size</span></p>\n"
              "<table class=\"map\"><caption>By pods (rows) and nodes (columns)</caption>\n");
    for (int32_t pods = map.pods_most; pods >= map.pods_least; pods--) {
        text_printf(text, "<tr><th scope=\"row\">%d</th>", pods);
        for (int32_t nodes = map.nodes_least; nodes <= map.nodes_most; nodes++)
            text_append_string(text, cells[*cell_at(&map, nodes, pods)]);
        text_append_string(text, "</tr>\n");
    }
    text_append_string(text, "<tr><th scope=\"row\">pods, nodes</th>");
    for (int32_t nodes = map.nodes_least; nodes <= map.nodes_most; nodes++)
        text_printf(text, "<th scope=\"col\">%d</th>", nodes);
    text_append_string(text, "</tr>\n</table>\n");
}

/* ---- SVG ---- */

enum { SIDE = 14, LEFT = 60, TOP = 40, BOTTOM = 40, LINE_MOST = 110, LINE_WIDTH = 640 };

/* Labels come from names, which have no characters that XML minds. */
static void write_svg_map(const struct heatmap *map, const char *label, int64_t top,
                          struct text *text)
{
    static const char *const colours[] = {NULL, "#7fbf7b", "#dddddd", "#d7301f"};
    const int64_t rows = map->pods_most - map->pods_least + 1;
    const int64_t columns = map->nodes_most - map->nodes_least + 1;
    text_printf(text, "<text x=\"%d\" y=\"%" PRId64 "\" font-weight=\"bold\">%s</text>\n", LEFT,
                top - 12, label);
    for (int32_t pods = map->pods_least; pods <= map->pods_most; pods++) {
        const int64_t y = top + (map->pods_most - pods) * (int64_t)SIDE;
        if (pods == map->pods_least || pods == map->pods_most || pods % 6 == 0)
            text_printf(text, "<text x=\"%d\" y=\"%" PRId64 "\" text-anchor=\"end\">%d</text>\n",
                        LEFT - 6, y + SIDE - 3, pods);
        for (int32_t nodes = map->nodes_least; nodes <= map->nodes_most; nodes++) {
            const uint8_t cell = *cell_at(map, nodes, pods);
            if (cell != CELL_NONE)
                text_printf(text,
                            "<rect x=\"%" PRId64 "\" y=\"%" PRId64
                            "\" width=\"%d\" height=\"%d\" fill=\"%s\"/>\n",
                            LEFT + (nodes - map->nodes_least) * (int64_t)SIDE, y, SIDE - 1,
                            SIDE - 1, colours[cell]);
        }
    }
    for (int64_t c = 0; c < columns; c++)
        text_printf(text, "<text x=\"%" PRId64 "\" y=\"%" PRId64 "\">%" PRId64 "</text>\n",
                    LEFT + c * SIDE, top + rows * SIDE + 12, map->nodes_least + c);
    text_printf(text, "<text x=\"%d\" y=\"%" PRId64 "\">nodes; pods upwards</text>\n", LEFT,
                top + rows * SIDE + 26);
}

/* A sentence in lines; gives where the next one begins. */
static int64_t write_svg_note(struct arena *arena, const char *note, int64_t top, struct text *text)
{
    for (; *note; top += SIDE) {
        size_t length = strlen(note);
        for (size_t i = LINE_MOST; length > LINE_MOST && i > 0; i--)
            length = note[i] == ' ' ? i : length;
        text_printf(text, "<text x=\"%d\" y=\"%" PRId64 "\">", SIDE, top);
        report_append_escaped(text, arena_strndup(arena, note, length));
        text_append_string(text, "</text>\n");
        note += length + strspn(note + length, " ");
    }
    return top;
}

static int64_t write_svg_notes(struct arena *arena, const char *heading,
                               const struct string_list *notes, int64_t top, struct text *text)
{
    for (uint32_t i = 0; i < notes->count; i++)
        top = write_svg_note(arena, arena_printf(arena, "%s: %s", heading, notes->items[i]), top,
                             text);
    return top;
}

void report_write_svg(const struct writer_context *how, const struct reports *reports,
                      struct text *text)
{
    struct arena *arena = how->arena;
    struct text body;
    int64_t top = TOP;
    int64_t width = LINE_WIDTH;
    text_init(&body, text->memory);
    for (uint32_t r = 0; r < reports->count; r++) {
        const struct verify_report *found = reports->items[r].found;
        for (uint32_t i = 0; i < found->result_count && found->setups.count > 0; i++) {
            const struct heatmap map = draw(arena, &reports->items[r], i);
            write_svg_map(&map,
                          arena_printf(arena, "%s: %s", reports->items[r].check,
                                       report_intent_label(arena, found->results[i].intent)),
                          top, &body);
            top += (map.pods_most - map.pods_least + 1) * (int64_t)SIDE + TOP + BOTTOM;
            const int64_t right = LEFT + (map.nodes_most - map.nodes_least + 2) * (int64_t)SIDE;
            width = right > width ? right : width;
        }
        top = write_svg_notes(arena, "Assumed", &reports->items[r].assumptions, top - BOTTOM / 2,
                              &body);
        const struct string_list trials = report_trial_lines(arena, &reports->items[r]);
        top = write_svg_notes(arena, "Trial", &trials, top, &body);
        top = write_svg_notes(arena, "Premise", &reports->items[r].premises, top, &body) + TOP;
    }
    text_printf(text,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%" PRId64 "\" height=\"%" PRId64
                "\" font-family=\"sans-serif\" font-size=\"10\">\n",
                width, top);
    text_append(text, text_content(&body), body.length);
    text_append_string(text, "</svg>\n");
    text_release(&body);
}
