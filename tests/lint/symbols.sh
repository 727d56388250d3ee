#!/bin/sh
# symbols.sh BUILD: what the built library exports and what it keeps between calls.
#   - every defined dynamic symbol of libgcnsim.so starts with gcnsim_ (or is the version node GCNSIM_*)
#   - no object of the library holds mutable data: .data, .bss, common, thread-local. Constants with pointers live in
#     .data.rel.ro and are fine. Exceptions, one symbol a line with the reason, in tests/lint/mutable-globals.txt.
here=$(dirname "$0")
build=$1
allowed=$here/mutable-globals.txt
status=0

if [ ! -f "$build/libgcnsim.so" ] || [ ! -d "$build/obj" ]; then
    echo "lint: symbols: $build holds no built library; run make first" >&2
    exit 1
fi
exported=$(nm -D --defined-only "$build/libgcnsim.so" | awk '{ sub(/@.*/, "", $NF); print $NF }' | sort -u)
alien=$(echo "$exported" | grep -v -e '^gcnsim_' -e '^GCNSIM_')
if [ -n "$alien" ]; then
    echo "lint: symbols: libgcnsim.so exports names outside gcnsim_:" >&2
    echo "$alien" | sed 's/^/    /' >&2
    status=1
fi
echo "$exported" | grep -q '^gcnsim_' || { echo "lint: symbols: libgcnsim.so exports nothing" >&2; status=1; }

# columns of nm -f sysv: name|value|class|type|size|line|section
mutable=$(find "$build/obj" -name '*.o' -not -path '*/sim/cli/*' | sort | while read -r o; do
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
