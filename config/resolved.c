/* Built-in profiles as figures that were read when gcnsim was built: into a profile without JSON. */
#include "config/builtin.h"
#include "config/rows.h"

#include <string.h>

static void take_value(struct profile *p, const struct profile_row *row, const struct profile_figure *f,
                       const char *strings)
{
    uint32_t whole = (uint32_t)f->value;
    bool flag = f->value != 0;

    switch ((enum row_type)row->type) {
    case ROW_TEXT:
        strcpy(row_at(p, row), strings + f->text); /* fits: read.c has measured it */
        break;
    case ROW_F64:
        memcpy(row_at(p, row), &f->value, sizeof f->value);
        break;
    case ROW_U32:
    case ROW_ENUM:
        memcpy(row_at(p, row), &whole, sizeof whole);
        break;
    case ROW_FLAG:
    case ROW_BOOL:
        memcpy(row_at(p, row), &flag, sizeof flag);
        break;
    }
}

void profile_take_resolved(struct profile *p, const struct profile_resolved *r, unsigned first_file)
{
    for (size_t i = 0; i < profile_row_count; i++) {
        const struct profile_figure *f = &r->figures[i];
        const struct profile_row *row = &profile_rows[i];

        if (!f->given)
            continue;
        take_value(p, row, f, r->strings);
        p->origin[i] = (struct profile_origin){
            .given = true,
            .confidence = f->confidence,
            .file = (uint8_t)(first_file + f->file),
            .source = row->type > ROW_FLAG ? r->strings + f->text : NULL,
            .measured_on = f->measured_on ? r->strings + f->measured_on : NULL,
        };
    }
}
