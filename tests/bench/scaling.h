/* The functional engine on two host threads, beside one and beside two processes. */
#ifndef BENCH_SCALING_H
#define BENCH_SCALING_H

/* Prints a row per kernel, each measured for about `seconds`. Ends the program when a run does not end well. */
void bench_scaling(double seconds);

#endif
