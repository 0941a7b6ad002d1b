#!/bin/bash
# A sweep as a job array of Slurm, 8 parts in one folder:   sbatch slurm.sh PLAN.toml DIR
# When all parts are done:                                  raak sweep --merge DIR
# A part that was killed goes on where it was:              sbatch --array=3 slurm.sh PLAN.toml DIR
#SBATCH --array=1-8
#SBATCH --cpus-per-task=1
exec raak sweep "$1" --out "$2" --shard "$SLURM_ARRAY_TASK_ID/${SHARDS:-8}" --threads "$SLURM_CPUS_PER_TASK"
