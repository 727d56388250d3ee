/* The page of a sweep's results. */
#include "sim/sweep/page.h"

int sweep_page_write(struct sqlite3 *db, const char *results, const char *path, struct err *e)
{
    (void)db, (void)path;
    return err_set(e, ERR_UNSUPPORTED, "%s: no page yet", results);
}
