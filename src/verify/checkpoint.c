/* SPDX-License-Identifier: Apache-2.0 */
#include "verify/checkpoint.h"

#include "base/vec.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FORMAT_VERSION = 5, HEADER_BYTES = 24, FOOTER_BYTES = 32 };
static const char magic[8] = {'F', 'A', 'T', 'H', 'O', 'M', 'c', 'p'};
static const char end_magic[8] = {'F', 'A', 'T', 'H', 'O', 'M', 'e', 'n'};
static const uint64_t byte_order = UINT64_C(0x0102030405060708);

typedef VEC(struct checkpoint_part) part_list;

struct checkpoint_writer {
    struct memory *memory;
    struct arena arena;
    const char *path;
    const char *draft; /* while it is written */
    pthread_mutex_t mutex;
    FILE *file;
    struct bytes_out out;
    part_list parts;
    int error;
};

struct checkpoint_reader {
    struct memory *memory;
    struct arena arena;
    const char *path;
    part_list parts;
};

/* ---- writing ---- */

struct checkpoint_writer *checkpoint_create(struct memory *memory, const char *path)
{
    struct checkpoint_writer *writer = memory_allocate(memory, sizeof(*writer));
    *writer = (struct checkpoint_writer){.memory = memory};
    arena_init(&writer->arena, memory);
    writer->path = arena_strdup(&writer->arena, path);
    writer->draft = arena_printf(&writer->arena, "%s.tmp", path);
    pthread_mutex_init(&writer->mutex, NULL);
    return writer;
}

static void open_draft(struct checkpoint_writer *writer)
{
    if (writer->file || writer->error)
        return;
    errno = 0;
    writer->file = fopen(writer->draft, "wb");
    if (!writer->file) {
        writer->error = errno ? errno : EIO;
        return;
    }
    bytes_out_init(&writer->out, writer->file);
    bytes_put(&writer->out, magic, sizeof(magic));
    bytes_put_number(&writer->out, FORMAT_VERSION);
    bytes_put_number(&writer->out, byte_order);
}

struct bytes_out *checkpoint_begin(struct checkpoint_writer *writer,
                                   const struct checkpoint_part *part)
{
    pthread_mutex_lock(&writer->mutex);
    open_draft(writer);
    if (writer->error || writer->out.error) {
        pthread_mutex_unlock(&writer->mutex);
        return NULL;
    }
    struct checkpoint_part added = *part;
    added.offset = writer->out.written;
    VEC_PUSH(&writer->arena, &writer->parts, added);
    return &writer->out;
}

void checkpoint_end(struct checkpoint_writer *writer)
{
    struct checkpoint_part *part = &writer->parts.items[writer->parts.count - 1];
    part->length = writer->out.written - part->offset;
    pthread_mutex_unlock(&writer->mutex);
}

static const struct checkpoint_part *find_last(const part_list *parts, enum checkpoint_kind kind,
                                               uint64_t unit, uint64_t setup)
{
    for (uint32_t i = parts->count; i-- > 0;) {
        const struct checkpoint_part *part = &parts->items[i];
        if (part->kind == (uint64_t)kind && part->unit == unit && part->setup == setup)
            return part;
    }
    return NULL;
}

bool checkpoint_has(const struct checkpoint_writer *writer, enum checkpoint_kind kind,
                    uint64_t unit, uint64_t setup)
{
    return find_last(&writer->parts, kind, unit, setup) != NULL;
}

void checkpoint_copy(struct checkpoint_writer *writer, const struct checkpoint_reader *reader,
                     const struct checkpoint_part *part)
{
    char block[8192];
    struct bytes_in in = checkpoint_read(reader, part);
    struct bytes_out *out = checkpoint_begin(writer, part);
    while (out && in.left > 0 && !in.bad) {
        const size_t count = in.left < sizeof(block) ? (size_t)in.left : sizeof(block);
        bytes_get(&in, block, count);
        bytes_put(out, block, count);
    }
    if (out) {
        if (in.bad && writer->error == 0)
            writer->error = EIO;
        checkpoint_end(writer);
    }
    checkpoint_done(&in);
}

/* So that the new name outlives a crash of the machine, too. */
static void sync_folder(const char *path)
{
    char folder[4096] = ".";
    const char *slash = strrchr(path, '/');
    if (slash && (size_t)(slash - path) + 2 < sizeof(folder)) {
        memcpy(folder, path, (size_t)(slash - path) + 1);
        folder[slash - path + 1] = '\0';
    }
    const int handle = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (handle < 0)
        return;
    (void)fsync(handle);
    close(handle);
}

static void write_footer(struct checkpoint_writer *writer)
{
    struct bytes_out *out = &writer->out;
    const uint64_t directory = out->written;
    bytes_put(out, writer->parts.items, writer->parts.count * sizeof(*writer->parts.items));
    bytes_put_number(out, directory);
    bytes_put_number(out, writer->parts.count);
    const uint64_t hash = bytes_finish(out);
    bytes_put_number(out, hash);
    bytes_put(out, end_magic, sizeof(end_magic));
    bytes_finish(out);
}

int checkpoint_commit(struct checkpoint_writer *writer)
{
    open_draft(writer);
    if (writer->error)
        return writer->error;
    write_footer(writer);
    errno = 0;
    if (writer->out.error == 0 && (fflush(writer->file) != 0 || fsync(fileno(writer->file)) != 0))
        writer->out.error = errno ? errno : EIO;
    if (fclose(writer->file) != 0 && writer->out.error == 0)
        writer->out.error = errno ? errno : EIO;
    writer->file = NULL;
    if (writer->out.error == 0 && rename(writer->draft, writer->path) != 0)
        writer->out.error = errno;
    writer->error = writer->out.error;
    if (writer->error == 0)
        sync_folder(writer->path);
    else
        unlink(writer->draft);
    return writer->error;
}

void checkpoint_free(struct checkpoint_writer *writer)
{
    struct memory *memory = writer->memory;
    if (writer->file) {
        fclose(writer->file);
        unlink(writer->draft);
    }
    pthread_mutex_destroy(&writer->mutex);
    arena_release(&writer->arena);
    memory_release(memory, writer, sizeof(*writer));
}

/* ---- reading ---- */

static bool seek(FILE *file, uint64_t offset)
{
    return offset <= INT64_MAX && fseeko(file, (off_t)offset, SEEK_SET) == 0;
}

static const char *check_header(FILE *file)
{
    struct bytes_in in = {.file = file, .left = HEADER_BYTES};
    char found[sizeof(magic)];
    bytes_get(&in, found, sizeof(found));
    if (in.bad || memcmp(found, magic, sizeof(magic)) != 0)
        return "is no checkpoint of fathom";
    const uint64_t version = bytes_get_number(&in);
    const uint64_t order = bytes_get_number(&in);
    if (!in.bad && order != byte_order)
        return "was written by a machine of another byte order";
    if (!in.bad && version != FORMAT_VERSION)
        return "was written by another version of fathom";
    return in.bad ? "is cut off" : NULL;
}

static const char *read_parts(struct checkpoint_reader *reader, FILE *file)
{
    if (fseeko(file, 0, SEEK_END) != 0)
        return "cannot be read";
    const off_t end = ftello(file);
    if (end < HEADER_BYTES + FOOTER_BYTES)
        return "is cut off";
    const uint64_t footer = (uint64_t)end - FOOTER_BYTES;
    struct bytes_in in = {.file = file, .left = FOOTER_BYTES};
    char found[sizeof(end_magic)];
    if (!seek(file, footer))
        return "cannot be read";
    const uint64_t directory = bytes_get_number(&in);
    const uint64_t count = bytes_get_number(&in);
    const uint64_t hash = bytes_get_number(&in);
    uint64_t actual = 0;
    bytes_get(&in, found, sizeof(found));
    if (in.bad || memcmp(found, end_magic, sizeof(end_magic)) != 0)
        return "is cut off";
    /* The first half of the footer is part of what the checksum is of. */
    if (!seek(file, 0) || !bytes_checksum(file, footer + FOOTER_BYTES / 2, &actual) ||
        actual != hash)
        return "is damaged: its checksum is wrong";
    const uint64_t each = sizeof(struct checkpoint_part);
    if (directory > footer || count > footer / each || directory + count * each != footer ||
        !seek(file, directory))
        return "is damaged";
    in = (struct bytes_in){.file = file, .left = count * each};
    for (uint64_t i = 0; i < count; i++) {
        struct checkpoint_part part;
        bytes_get(&in, &part, sizeof(part));
        if (in.bad || part.offset > directory || part.length > directory - part.offset ||
            part.kind >= CHECKPOINT_KINDS)
            return "is damaged";
        VEC_PUSH(&reader->arena, &reader->parts, part);
    }
    return NULL;
}

/* Parts of it are read again and again, so that a pipe or a device will not do. */
static FILE *open_regular(const char *path, const char **problem)
{
    struct stat status;
    if (stat(path, &status) == 0 && !S_ISREG(status.st_mode)) {
        *problem = "is not a regular file";
        return NULL;
    }
    FILE *file = fopen(path, "rbe");
    *problem = file ? NULL : strerror(errno);
    return file;
}

struct checkpoint_reader *checkpoint_open(struct memory *memory, const char *path,
                                          const char **problem)
{
    struct checkpoint_reader *reader = memory_allocate(memory, sizeof(*reader));
    *reader = (struct checkpoint_reader){.memory = memory};
    arena_init(&reader->arena, memory);
    reader->path = arena_strdup(&reader->arena, path);
    FILE *file = open_regular(path, problem);
    if (!*problem)
        *problem = check_header(file);
    if (!*problem)
        *problem = read_parts(reader, file);
    if (file)
        fclose(file);
    if (!*problem)
        return reader;
    checkpoint_close(reader);
    return NULL;
}

void checkpoint_close(struct checkpoint_reader *reader)
{
    struct memory *memory = reader->memory;
    arena_release(&reader->arena);
    memory_release(memory, reader, sizeof(*reader));
}

const struct checkpoint_part *checkpoint_find(const struct checkpoint_reader *reader,
                                              enum checkpoint_kind kind, uint64_t unit,
                                              uint64_t setup)
{
    return find_last(&reader->parts, kind, unit, setup);
}

const struct checkpoint_part *checkpoint_parts(const struct checkpoint_reader *reader,
                                               uint64_t *count)
{
    *count = reader->parts.count;
    return reader->parts.items;
}

struct bytes_in checkpoint_read(const struct checkpoint_reader *reader,
                                const struct checkpoint_part *part)
{
    struct bytes_in in = {.file = fopen(reader->path, "rb"), .left = part->length};
    in.bad = !in.file || !seek(in.file, part->offset);
    return in;
}

void checkpoint_done(struct bytes_in *in)
{
    if (in->file)
        fclose(in->file);
    in->file = NULL;
}
