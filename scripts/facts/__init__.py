"""What is known of each cluster: `snippets/<cluster>/cluster.yml`, typed and read from one place."""

from scripts.facts.load import load_all, load_cluster, load_named, load_readable, successor_name
from scripts.facts.model import Cluster, Gpu, NodeType, Partition, Policy, Requirement, Rule, State
from scripts.facts.units import today
