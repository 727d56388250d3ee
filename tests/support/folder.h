/* Where a test program puts its files: a fresh folder in $TMPDIR (or /tmp) that goes with the program, also when it is
 * stopped by Ctrl-C or SIGTERM. $TMPDIR is that folder while it runs, so that the tools that it runs use it, too.
 * tests/run.sh removes what a crash leaves.
 */
#ifndef TESTS_SUPPORT_FOLDER_H
#define TESTS_SUPPORT_FOLDER_H

const char *program_folder(void);

#endif
