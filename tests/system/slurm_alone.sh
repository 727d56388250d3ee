#!/bin/sh
# A Slurm of this machine alone, for tests: munged, slurmctld and slurmd on loopback, all files in DIR.
#   slurm_alone.sh DIR start PORT PORT    writes DIR/slurm.conf, which SLURM_CONF has to name, and waits for an idle node
#   slurm_alone.sh DIR stop
# As root in a container: no cgroups, no accounting. Exit status 1 with one line that says why when it does not start.
set -eu
dir=$1
PATH=$PATH:/usr/sbin:/sbin
host=$(hostname -s)
export SLURM_CONF="$dir/slurm.conf"

stop() {
    for daemon in slurmd slurmctld munged; do
        [ ! -s "$dir/$daemon.pid" ] || kill "$(cat "$dir/$daemon.pid")" 2>/dev/null || true
    done
}

failed() {
    why=$(tail -n 1 "$dir/$1.log" 2>/dev/null || tail -n 1 "$dir/$1.said" 2>/dev/null || true)
    stop
    echo "Slurm does not start here: $1: ${why:-no word}"
    exit 1
}

case $2 in
stop) stop ;;
start)
    mkdir -p "$dir/state" "$dir/spool"
    cat >"$SLURM_CONF" <<END
ClusterName=sweep
SlurmctldHost=$host(127.0.0.1)
AuthType=auth/munge
AuthInfo=socket=$dir/munge.socket
CredType=cred/munge
SlurmUser=$(id -un)
SlurmdUser=$(id -un)
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SlurmdParameters=config_overrides
StateSaveLocation=$dir/state
SlurmdSpoolDir=$dir/spool
SlurmctldPidFile=$dir/slurmctld.pid
SlurmdPidFile=$dir/slurmd.pid
SlurmctldLogFile=$dir/slurmctld.log
SlurmdLogFile=$dir/slurmd.log
SlurmctldPort=$3
SlurmdPort=$4
ReturnToService=2
MpiDefault=none
SchedulerParameters=bf_interval=1,sched_interval=1,batch_sched_delay=0
NodeName=$host NodeAddr=127.0.0.1 CPUs=4 State=UNKNOWN
PartitionName=all Nodes=$host Default=YES State=UP
END
    # no control groups: since 23.02 this says so; before, a plugin that is named looks at none until it is used
    case $(slurmd -V) in
    *\ 2[012].*) echo CgroupPlugin=cgroup/v1 >"$dir/cgroup.conf" ;;
    *) echo CgroupPlugin=disabled >"$dir/cgroup.conf" ;;
    esac
    (umask 077 && head -c 1024 /dev/urandom >"$dir/munge.key")
    munged --force --key-file="$dir/munge.key" --socket="$dir/munge.socket" --pid-file="$dir/munged.pid" \
        --log-file="$dir/munged.log" --seed-file="$dir/munge.seed" >"$dir/munged.said" 2>&1 || failed munged
    slurmctld -c >"$dir/slurmctld.said" 2>&1 || failed slurmctld
    # the job waits for the node, and not for one that has ended; srun in its request heeds no other signal
    srun --immediate=600 -n 1 true >"$dir/srun.said" 2>&1 &
    job=$!
    {
        slurmd -D -c || true
        [ -e "$dir/started" ] || kill -KILL "$job"
    } >"$dir/slurmd.said" 2>&1 &
    wait "$job" || failed slurmd
    : >"$dir/started"
    ;;
*)
    echo "slurm_alone.sh: $2; expected start or stop" >&2
    exit 2
    ;;
esac
