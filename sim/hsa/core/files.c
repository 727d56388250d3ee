/* Names of files. */
#define _GNU_SOURCE
#include "sim/hsa/core/files.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statfs.h>
#include <unistd.h>

char *files_name(const char *name)
{
    char *out = NULL;
    size_t size;
    FILE *f = open_memstream(&out, &size);

    if (!f)
        return NULL;
    for (; *name; name++)
        if (name[0] == '%' && name[1] == 'p') {
            fprintf(f, "%ld", (long)getpid());
            name++;
        } else {
            fputc(*name, f);
        }
    return fclose(f) == 0 ? out : NULL;
}

/* The folder of a file, to be freed; null: out of host memory. */
static char *folder_of(const char *path)
{
    char *folder = strdup(path), *slash = folder ? strrchr(folder, '/') : NULL;

    if (!slash) {
        free(folder);
        return strdup(".");
    }
    slash[slash == folder] = 0; /* the root keeps its name */
    return folder;
}

bool files_check(const char *path, const char *what, char *why, size_t n)
{
    char *folder = folder_of(path);
    bool good = folder && access(folder, W_OK | X_OK) == 0;

    if (!good)
        snprintf(why, n, "%s: %s cannot be written: %s", what, path, folder ? strerror(errno) : "out of host memory");
    free(folder);
    return good;
}

bool files_is_local(const char *path)
{
    /* statfs(2), linux/magic.h, and the GNU coreutils' table for those that Linux itself does not have */
    static const uint32_t shared[] = {
        0x6969,     /* NFS */
        0x517b,     /* SMB */
        0xff534d42, /* CIFS */
        0xfe534d42, /* SMB 2 */
        0x65735546, /* FUSE: sshfs, s3fs, virtiofs, GlusterFS */
        0x01021997, /* 9P */
        0x0bd00bd0, /* Lustre */
        0x47504653, /* GPFS */
        0x00c36400, /* Ceph */
        0x19830326, /* BeeGFS */
        0x20030528, /* OrangeFS */
        0xaad7aaea, /* PanFS */
        0x5346414f, /* AFS, */
        0x6b414653, /* another one */
        0x73757245, /* Coda */
        0x564c,     /* NCP */
        0x01161970, /* GFS 2 */
        0x7461636f, /* OCFS 2 */
        0x786f4256, /* VirtualBox's shared folders, */
        0xbacbacbc, /* VMware's */
    };
    struct statfs s;
    char *folder;

    if (statfs(path, &s) != 0) {
        folder = folder_of(path);
        int failed = folder ? statfs(folder, &s) : -1;

        free(folder);
        if (failed)
            return false;
    }
    for (size_t k = 0; k < sizeof shared / sizeof *shared; k++)
        if ((uint32_t)s.f_type == shared[k])
            return false;
    return true;
}
