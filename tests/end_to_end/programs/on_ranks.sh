#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# on_ranks.sh N COMMAND...: starts COMMAND N times at once, with the variables that torchrun sets. Rank r writes out.<r>
# and err.<r>; pid.<r> holds its process id. Returns the worst exit code. Ranks meet at a port that is free at the start.
n=$1
shift
port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
export WORLD_SIZE=$n LOCAL_WORLD_SIZE=$n MASTER_ADDR=127.0.0.1 MASTER_PORT=$port GLOO_SOCKET_IFNAME=lo
for ((r = 0; r < n; ++r)); do
  RANK=$r LOCAL_RANK=$r "$@" >out.$r 2>err.$r &
  echo $! >pid.$r
done
worst=0
for ((r = 0; r < n; ++r)); do
  wait "$(cat pid.$r)"
  code=$?
  echo $code >code.$r
  ((code > worst)) && worst=$code
done
exit $worst
