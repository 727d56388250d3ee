/* The scatter plot of the whole kernels: simulated over measured time, both axes logarithmic, a colour for each kernel.
 * Points on the line are right; the dashed lines are a quarter off. */
#include <math.h>
#include <string.h>

#include "tests/timing/accuracy/whole.h"

enum { SIDE = 640, MARGIN = 70, LEGEND = 190, COLOURS = 10 };
#define OFF 1.25

static const char *const colour[COLOURS] = {"#1f77b4", "#ff7f0e", "#2ca02c", "#d62728", "#9467bd",
                                            "#8c564b", "#e377c2", "#7f7f7f", "#bcbd22", "#17becf"};

/* Decades that both axes show. */
struct range {
    double lo, hi;
};

static struct range range_of(const struct whole_point *points, size_t count)
{
    struct range r = {INFINITY, -INFINITY};

    for (size_t k = 0; k < count; k++) {
        double times[2] = {points[k].measured_us, points[k].simulated_us};

        for (int n = 0; n < 2; n++)
            if (times[n] > 0) {
                r.lo = fmin(r.lo, floor(log10(times[n])));
                r.hi = fmax(r.hi, ceil(log10(times[n])));
            }
    }
    return r.lo < r.hi ? r : (struct range){0, 1};
}

static double along(const struct range *r, double us)
{
    return SIDE * (log10(us) - r->lo) / (r->hi - r->lo);
}

static void axes(FILE *f, const struct range *r)
{
    fprintf(f, "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"none\" stroke=\"#000\"/>\n", MARGIN, MARGIN,
            SIDE, SIDE);
    for (double d = r->lo; d <= r->hi; d++) {
        double at = SIDE * (d - r->lo) / (r->hi - r->lo);

        fprintf(f,
                "<path d=\"M%.1f %d v%d M%d %.1f h%d\" stroke=\"#ccc\"/>\n"
                "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%g</text>\n"
                "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%g</text>\n",
                MARGIN + at, MARGIN, SIDE, MARGIN, MARGIN + SIDE - at, SIDE, MARGIN + at, MARGIN + SIDE + 18,
                pow(10, d), MARGIN - 6, MARGIN + SIDE - at + 4, pow(10, d));
    }
    fprintf(f,
            "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">measured on MI300A, us</text>\n"
            "<text transform=\"translate(18 %d) rotate(-90)\" text-anchor=\"middle\">simulated, us</text>\n",
            MARGIN + SIDE / 2, MARGIN + SIDE + 40, MARGIN + SIDE / 2);
}

/* Where simulated is `times` measured. */
static void line(FILE *f, const struct range *r, double times, const char *dash)
{
    double shift = SIDE * log10(times) / (r->hi - r->lo);

    fprintf(f, "<path d=\"M%d %.1f L%d %.1f\" stroke=\"#888\"%s clip-path=\"url(#plot)\"/>\n", MARGIN,
            MARGIN + SIDE - shift, MARGIN + SIDE, MARGIN - shift, dash);
}

void whole_svg(FILE *f, const struct whole_point *points, size_t count)
{
    struct range r = range_of(points, count);
    int kernels = 0;

    fprintf(f,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" font-family=\"sans-serif\" "
            "font-size=\"13\">\n<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n"
            "<clipPath id=\"plot\"><rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\"/></clipPath>\n",
            SIDE + MARGIN + LEGEND, SIDE + 2 * MARGIN, MARGIN, MARGIN, SIDE, SIDE);
    axes(f, &r);
    line(f, &r, 1, "");
    line(f, &r, OFF, " stroke-dasharray=\"4\"");
    line(f, &r, 1 / OFF, " stroke-dasharray=\"4\"");
    for (size_t k = 0; k < count; k++) {
        const struct whole_point *p = &points[k];
        bool first = !k || strcmp(p->kernel, points[k - 1].kernel) != 0;

        kernels += first;
        const char *c = colour[(kernels - 1) % COLOURS];
        if (first)
            fprintf(f, "<circle cx=\"%d\" cy=\"%d\" r=\"4\" fill=\"%s\"/><text x=\"%d\" y=\"%d\">%s</text>\n",
                    MARGIN + SIDE + 14, MARGIN + 20 * kernels - 4, c, MARGIN + SIDE + 24, MARGIN + 20 * kernels,
                    p->kernel);
        if (p->simulated_us > 0)
            fprintf(f,
                    "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"4\" fill=\"%s\" fill-opacity=\"0.7\"><title>%s %s: %.1f us "
                    "measured, "
                    "%.1f simulated</title></circle>\n",
                    MARGIN + along(&r, p->measured_us), MARGIN + SIDE - along(&r, p->simulated_us), c, p->kernel,
                    p->problem, p->measured_us, p->simulated_us);
    }
    fprintf(f, "</svg>\n");
}
