"""Slurm clusters: slurmctld, a slurmd for each node that lives, and a munged that only the owner can ask."""
