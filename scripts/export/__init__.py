"""What others' tools want of a system, written from its facts: Nextflow, Snakemake, ReFrame, and a center's CI."""
