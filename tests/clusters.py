"""The guide's own systems, as most tests ask about them."""

from scripts.facts import load_all

CLUSTERS = load_all()
RUNNING = {key: cluster for key, cluster in CLUSTERS.items() if cluster.running}
SLURM = {key: cluster for key, cluster in CLUSTERS.items() if cluster.scheduler.kind == "slurm"}
