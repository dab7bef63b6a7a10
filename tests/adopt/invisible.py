"""The rules that no scheduler shows, by the keys of the facts: what `guide adopt` cannot know of our own systems."""

from scripts.facts import Cluster, Requirement, Rule
from scripts.facts.limits import rows
from scripts.twin.slurm.conf import node_types, partition_types

# What an operator's own plugin decides.
RULES = ("account", "time", "partition", "gpu_model", "memory", "threads_per_core")
OF_PARTITIONS = ("routed", "gpu_jobs_in", "longer_jobs_in", "name")
OF_GPUS = ("synonyms", "counts")


def plugins_limits(group: str) -> set[str]:
    """Limits for which slurm.conf has no word, so that `scontrol` does not print them."""
    return {key for key, row in rows(group).items() if not row.slurm_conf}


def visible(cluster: Cluster) -> Cluster:
    """The facts without what no scheduler shows, with the nodes of slices that a twin shows."""
    policy = {key: Requirement(rule=Rule.OPTIONAL) for key in RULES} | {"no_partition": None, "allocation_accounts": []}
    return cluster.model_copy(
        update={
            "policy": _without(cluster.policy, plugins_limits("policy")).model_copy(update=policy),
            "node_types": node_types(cluster),
            "partitions": {
                key: _without(
                    p, plugins_limits("partitions") | {*OF_PARTITIONS} | ({"default"} if p.name else set())
                ).model_copy(update={"node_types": partition_types(cluster, p)})
                for key, p in cluster.partitions.items()
            },
            "gpus": {key: _without(gpu, plugins_limits("gpus") | {*OF_GPUS}) for key, gpu in cluster.gpus.items()},
            "qos": {},
        }
    )


def _without(part, keys: set[str]):
    return part.model_copy(
        update={key: type(part).model_fields[key].get_default(call_default_factory=True) for key in keys}
    )
