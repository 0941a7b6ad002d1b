#!/bin/bash
# A sweep by GNU parallel, here or on other machines that see the folder:   parallel.sh PLAN.toml DIR [SHARDS]
set -e
seq "${3:-4}" | parallel "raak sweep '$1' --out '$2' --shard {}/${3:-4} --threads 1"
raak sweep --merge "$2"
