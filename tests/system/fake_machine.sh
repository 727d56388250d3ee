#!/bin/sh
# A Debian machine made of stub programs, to see what tests/deps.sh does there (test_deps.c).
#   fake_machine.sh DIR KIND "INSTALLED..." "KNOWN TO APT..." [deps.sh's arguments]
# KIND is root, stale (root; apt's lists are old and know a package after an update alone), offline (root; nothing can be
# fetched), no-apt (root), sudo, no-sudo or sudo-refuses (not root). DIR is made. Prints what deps.sh prints, then "status
# N" and "installed" with the packages, sorted, that are there now. A package here is the programs, headers and
# libraries that deps.sh may ask for.
set -eu
export LC_ALL=C
M=$1 kind=$2 installed=$3 known=$4
shift 4
here=$(cd "$(dirname "$0")/.." && pwd)
mkdir -p "$M/bin" "$M/include" "$M/lib" "$M/llvm-19" "$M/packages" "$M/tmp"

for tool in sh cat env grep head mktemp mkdir rm sed touch chmod; do
    ln -s "$(command -v $tool)" "$M/bin/$tool"
done

# what a package brings, as a program of the machine: its apt-get calls it
cat >"$M/bring" <<'END'
# stub NAME: a program that the package has, its text on stdin
stub() { { echo '#!/bin/sh'; echo "M=$M"; cat; } >"$M/$1"; chmod +x "$M/$1"; }
empty() { for name; do stub "bin/$name" </dev/null; done; }
headers() { for name; do mkdir -p "$M/include/$name"; done; }
library() { touch "$M/lib/$1"; }
case $1 in
gcc)
    empty gcc
    headers stdarg.h stddef.h
    # compiles and links when every header, library and the linker are there
    stub bin/cc <<'CC'
[ -e $M/bin/ld ] && [ -e $M/lib/c ] || exit 1
for a; do
    case $a in
    -l*) [ -e "$M/lib/${a#-l}" ] || exit 1 ;;
    *.c) for h in $(sed -n 's/^#include <\(.*\)>/\1/p' "$a"); do [ -e "$M/include/$h" ] || exit 1; done ;;
    esac
done
CC
    ;;
make) empty make ;;
binutils) empty ld ar nm ;;
libc6-dev) headers stdio.h stdint.h setjmp.h; library c ;;
pkg-config)
    stub bin/pkg-config <<'PC'
action=$1
shift
for p; do [ -e "$M/lib/$p.pc" ] || exit 1; done
[ "$action" != --libs ] || cat /dev/null $(for p; do echo "$M/lib/$p.pc"; done)
[ $# -gt 0 ]
PC
    ;;
libelf-dev) headers libelf.h; library elf; echo -lelf >"$M/lib/libelf.pc" ;;
libdw-dev) headers elfutils/libdw.h; library dw; echo -ldw >"$M/lib/libdw.pc" ;;
libcjson-dev) headers cjson/cJSON.h; library cjson; echo -lcjson >"$M/lib/libcjson.pc" ;;
libmsgpack-dev) headers msgpack.h; library msgpackc; echo -lmsgpackc >"$M/lib/msgpack.pc" ;;
libmsgpack-c-dev) headers msgpack.h; library msgpack-c; echo -lmsgpack-c >"$M/lib/msgpack-c.pc" ;;
libzstd-dev) headers zstd.h; library zstd; echo -lzstd >"$M/lib/libzstd.pc" ;;
zlib1g-dev) headers zlib.h; library z; echo -lz >"$M/lib/zlib.pc" ;;
nettle-dev) headers nettle/sha2.h; library nettle; echo -lnettle >"$M/lib/nettle.pc" ;;
libhsa-runtime-dev) headers hsa/hsa_ext_amd.h ;;
libiberty-dev) library iberty ;;
libsqlite3-dev) headers sqlite3.h; library sqlite3; echo -lsqlite3 >"$M/lib/sqlite3.pc" ;;
libamdhip64-dev) headers hip/hip_version.h ;;
hipcc) echo '[ -e "$M/include/hip/hip_version.h" ]' | stub bin/hipcc ;;
libomp-19-dev) library omptarget ;;
libopenmpi-dev) headers mpi.h; library mpi; echo -lmpi >"$M/lib/ompi-c.pc" ;;
openmpi-bin) empty mpirun ;;
slurm-wlm) empty sbatch srun slurmctld slurmd ;;
munge) empty munged ;;
libcmocka-dev) headers cmocka.h; library cmocka ;;
libmpfr-dev) headers mpfr.h; library mpfr; echo -lmpfr >"$M/lib/mpfr.pc" ;;
clang-19 | foreign-clang-19)
    # looks for its linker beside itself, then in PATH; prints the bare name when there is none. Another build of it than
    # Debian's lies in another folder, where lld-19 puts nothing.
    [ "$1" = clang-19 ] && beside=llvm-19 || beside=opt
    echo "beside=$beside" | cat - "$M/clang" | stub bin/clang-19
    ;;
lld) echo 'echo "Debian LLD 14.0.6 (compatible with GNU linkers)"' | stub bin/ld.lld ;;
lld-19)
    echo 'echo "Debian LLD 19.1.7 (compatible with GNU linkers)"' | stub llvm-19/ld.lld
    empty ld.lld-19
    ;;
lld-20) echo 'echo "LLD 20.1.0 (compatible with GNU linkers)"' | stub bin/ld.lld ;;
llvm-19) empty llvm-mc-19 llvm-objdump-19 ;;
clang-tools-19) empty clang-offload-bundler-19 ;;
libclang-rt-19-dev) library clang_rt ;;
clang-format) echo 'echo "Debian clang-format version 14.0.6"' | stub bin/clang-format ;;
clang-format-15) echo 'echo "Debian clang-format version 15.0.6"' | stub bin/clang-format ;;
python3-numpy | python3-venv)
    library "$1"
    echo 'case $2 in *numpy) [ -e "$M/lib/python3-numpy" ] ;; *) [ -e "$M/lib/python3-venv" ] ;; esac' | stub bin/python3
    ;;
clang-format-14 | clang-tidy-14 | shellcheck | pyflakes3 | pycodestyle | mypy | cmake | mmdebstrap) empty "$1" ;;
*) echo "no such package: $1" >&2; exit 1 ;;
esac
touch "$M/packages/$1"
END
cat >"$M/clang" <<'END'
for a; do
    case $a in
    -print-prog-name=ld.lld)
        for d in $beside bin; do [ ! -x "$M/$d/ld.lld" ] || { echo "$M/$d/ld.lld"; exit 0; }; done
        echo ld.lld
        ;;
    -print-file-name=libomptarget.so) [ ! -e "$M/lib/omptarget" ] || printf '%s/lib/' "$M"; echo libomptarget.so ;;
    -fsanitize=*fuzzer*) [ -e "$M/lib/clang_rt" ] || exit 1 ;;
    esac
done
END

stub() { { echo '#!/bin/sh'; echo "M=$M"; cat; } >"$M/bin/$1"; chmod +x "$M/bin/$1"; }
echo 'exit 1' | stub python3 # which Debian always has; packages bring what it imports
user=1000
case $kind in root | stale | offline | no-apt) user=0 ;; esac
# deps.sh looks for lists of packages that are younger than a day
[ "$kind" = stale ] || echo 'echo lists' | stub find
[ "$kind" != stale ] || stub find </dev/null
echo "echo $user" | stub id
# shellcheck disable=SC2016  # the stub's own
case $kind in
sudo) echo '[ "$1" != -n ] || shift; [ "$1" = true ] || SUDO=yes exec "$@"' | stub sudo ;;
sudo-refuses) echo 'echo "sudo: a password is required" >&2; exit 1' | stub sudo ;;
esac
if [ "$kind" != no-apt ]; then
    { echo "kind=$kind known='$known'"; cat; } <<'END' | stub apt-cache
[ "$kind" != stale ] || [ -e "$M/updated" ] || known=
case " $known " in *" $2 "*) echo "  Candidate: 1.0" ;; *) echo "  Candidate: (none)" ;; esac
END
    { echo "user=$user kind=$kind known='$known'"; cat; } <<'END' | stub apt-get
[ "$user" = 0 ] || [ "${SUDO:-}" = yes ] || { echo "are you root?" >&2; exit 100; }
[ "$kind" != offline ] || { echo "E: Unable to fetch some archives" >&2; exit 100; }
install=no
[ "$kind" != stale ] || [ -e "$M/updated" ] || known=
for a; do
    case $a in
    install) install=yes ;;
    update) touch "$M/updated" ;;
    -*) ;;
    *)
        [ $install = yes ] || continue
        case " $known " in *" $a "*) ;; *) echo "E: Unable to locate package $a" >&2; exit 100 ;; esac
        export M
        sh "$M/bring" "$a" || exit 100
        ;;
    esac
done
END
fi
export M
for p in $installed; do sh "$M/bring" "$p"; done

status=0
env -i PATH="$M/bin" HOME="$M" TMPDIR="$M/tmp" PYTHON="$M/bin/python3" sh "$here/deps.sh" "$@" 2>&1 </dev/null || status=$?
echo "status $status"
# shellcheck disable=SC2046  # on one line
echo installed $(ls "$M/packages")
[ -z "$(ls "$M/tmp")" ] || echo "left behind: $(ls "$M/tmp")"
