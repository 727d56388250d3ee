/* Runs sections of the feature program (feature.h):  feature [--list] [-NAME...] [NAME...]
 * Without names all sections, without those of -NAME. A line for each: "NAME: ok", what was wrong, or that it is left
 * out on so few devices. The exit status is 1 when anything was wrong. --assert and --fault end as such kernels end. */
#include "feature.h"

#include <cstdarg>

static section *sections, **last = &sections;

struct mistake {
    char text[500];
};

section::section(const char *name, int devices, void (*run)()) : name(name), devices(devices), run(run), next(nullptr)
{
    *last = this;
    last = &next;
}

void wrong(const char *file, int line, const char *format, ...)
{
    mistake m;
    const char *slash = strrchr(file, '/');
    int n = snprintf(m.text, sizeof m.text, "%s:%d: ", slash ? slash + 1 : file, line);
    va_list ap;

    va_start(ap, format);
    vsnprintf(m.text + n, sizeof m.text - n, format, ap);
    va_end(ap);
    throw m;
}

static bool chosen(const char *name, int argc, char **argv)
{
    bool named = false;

    for (int k = 1; k < argc; k++) {
        if (!strcmp(argv[k], name) || (argv[k][0] == '-' && !strcmp(argv[k] + 1, name)))
            return argv[k][0] != '-';
        named |= argv[k][0] != '-';
    }
    return !named;
}

void kernel_that_asserts();
void kernel_that_faults();

int main(int argc, char **argv)
{
    int devices = 0, bad = 0, ran = 0;

    setvbuf(stdout, nullptr, _IOLBF, 0);
    if (argc == 2 && !strcmp(argv[1], "--list")) {
        for (const section *s = sections; s; s = s->next)
            puts(s->name);
        return 0;
    }
    try {
        if (argc == 2 && !strcmp(argv[1], "--assert"))
            kernel_that_asserts();
        if (argc == 2 && !strcmp(argv[1], "--fault"))
            kernel_that_faults();
        OK(hipGetDeviceCount(&devices));
    } catch (const mistake &m) {
        printf("start: %s\n", m.text);
        return 1;
    }
    for (const section *s = sections; s; s = s->next) {
        if (!chosen(s->name, argc, argv))
            continue;
        if (devices < s->devices) {
            printf("%s: left out, needs %d devices\n", s->name, s->devices);
            continue;
        }
        try {
            OK(hipSetDevice(0));
            s->run();
            OK(hipDeviceSynchronize());
            OK(hipGetLastError());
            printf("%s: ok\n", s->name);
            ran++;
        } catch (const mistake &m) {
            printf("%s: %s\n", s->name, m.text);
            bad++;
            (void)hipDeviceSynchronize();
            (void)hipGetLastError();
        }
    }
    printf("%d ok, %d wrong\n", ran, bad);
    return bad != 0 || ran == 0;
}
