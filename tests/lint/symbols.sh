#!/bin/sh
# symbols.sh BUILD: what the built library exports, what it keeps between calls, and what of the system it cannot do.
#   - the defined dynamic symbols of libgcnsim.so are the functions that gcnsim.h and its parts declare (and the version node
#     GCNSIM_*); sim/api/gcnsim.map lists them
#   - no object of the library holds mutable data: .data, .bss, common, thread-local. Constants with pointers live in
#     .data.rel.ro and are fine. Exceptions, one symbol a line with the reason, in tests/lint/mutable-globals.txt. The
#     command line and the HSA runtime are not of it: a process has one of each.
#   - it has no way to read the environment, to end or start a process, to print on standard output, to open a connection
#     or to take a signal (SECURITY.md): it imports nothing that could. abort() and dprintf() are for tables of
#     instructions that contradict one another, a fault of the build.
#   - the HSA runtime leaves the program's streams alone (sim/hsa/static_libs.c)
here=$(dirname "$0")
build=$1
allowed=$here/mutable-globals.txt
status=0

if [ ! -f "$build/libgcnsim.so" ] || [ ! -d "$build/obj" ]; then
    echo "lint: symbols: $build holds no built library; run make first" >&2
    exit 1
fi
exported=$(nm -D --defined-only "$build/libgcnsim.so" | awk '{ sub(/@.*/, "", $NF); print $NF }' | sort -u)
declared=$(sed -n 's/^GCNSIM_API .*[ *]\(gcnsim_[a-z0-9_]*\)(.*/\1/p' sim/api/gcnsim*.h | sort -u)
for name in $(printf '%s\n' "$declared" "$exported" | grep -v '^GCNSIM_' | sort | uniq -u); do
    echo "lint: symbols: $name is in gcnsim.h or among what libgcnsim.so exports, and not in both (sim/api/gcnsim.map)" >&2
    status=1
done

banned='getenv|secure_getenv|setenv|putenv|environ|__environ|exit|_exit|_Exit|quick_exit|kill|raise'
banned="$banned|system|popen|fork|vfork|clone|exec[a-z]*|posix_spawn[a-z_]*|dlopen|dlsym"
banned="$banned|printf|vprintf|puts|putchar|perror|stdout|stdin|stderr|syslog|__printf_chk|__vprintf_chk"
banned="$banned|socket|connect|bind|listen|accept|send|sendto|recv|gethostbyname|getaddrinfo"
banned="$banned|signal|sigaction|sigprocmask|setlocale|chdir|umask"
taken=$(nm -D --undefined-only "$build/libgcnsim.so" | awk '{ sub(/@.*/, "", $NF); print $NF }' | grep -E -x "$banned")
if [ -n "$taken" ]; then
    echo "lint: symbols: libgcnsim.so imports what a library of ours does not use:" >&2
    echo "$taken" | sed 's/^/    /' >&2
    status=1
fi

streams=$(for o in "$build"/obj/sim/hsa/*.o "$build"/obj/sim/hsa/*/*.o "$build"/obj/hsa/*.o; do
    [ -f "$o" ] && nm -A --undefined-only "$o" | grep -E ' U (stdin|stdout|stderr)$'
done)
if [ -n "$streams" ]; then
    echo "lint: symbols: the HSA runtime uses the program's streams:" >&2
    echo "$streams" | sed 's/^/    /' >&2
    status=1
fi

# columns of nm -f sysv: name|value|class|type|size|line|section
mutable=$(find "$build/obj" -name '*.o' -not -path '*/sim/cli/*' -not -path '*/hsa/*' | sort | while read -r o; do
    nm -f sysv "$o" | awk -F'|' -v o="${o#"$build"/obj/}" -v allowed="$allowed" '
        BEGIN {
            while ((getline line < allowed) > 0)
                if (line !~ /^#/ && split(line, w, /[ \t]+/) > 0)
                    ok[w[1]] = 1
        }
        NF >= 7 {
            for (i = 1; i <= NF; i++) gsub(/^[ \t]+|[ \t]+$/, "", $i)
            if ($7 ~ /^\.(data|bss|tdata|tbss|sdata|sbss|ldata|lbss)/ || $7 == "*COM*")
                if ($7 !~ /^\.data\.rel\.ro/ && !($1 in ok) && $4 != "SECTION")
                    print o ": " $1 " in " $7
        }'
done)
if [ -n "$mutable" ]; then
    echo "lint: symbols: mutable data in the library:" >&2
    echo "$mutable" | sed 's/^/    /' >&2
    status=1
fi
[ "$status" -ne 0 ] || echo "lint: symbols: $(echo "$exported" | grep -c '^gcnsim_') public names, no mutable data"
exit $status
