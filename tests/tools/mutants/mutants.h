/* Chooses one change of a build that holds many (tests/tools/mutants): the compiler includes it in every file of that
 * build, and of no other. Variables of the environment that the first call finds:
 *   MUTANT          the number of the change that is made; without it, none
 *   MUTANT_REACHED  a file with one byte for each change; a byte becomes 1 when its change is reached, by whatever
 *                   process and however that ends */
#ifndef GCNSIM_TESTS_TOOLS_MUTANTS_H
#define GCNSIM_TESTS_TOOLS_MUTANTS_H

extern unsigned char *mutant_reached;
extern int mutant_chosen;

static inline int mutant(int number)
{
    mutant_reached[number] = 1;
    return number == mutant_chosen;
}

#endif
