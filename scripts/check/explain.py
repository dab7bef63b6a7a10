"""A refusal in words: the option, the limit of the facts that it breaks, its source, and the way out."""

from __future__ import annotations

import re

from scripts.check.asked import Asked, Job
from scripts.check.broken import CORES, GPUS, Broken
from scripts.check.directives import Option
from scripts.check.draft import Addition, Draft
from scripts.check.limits import broken
from scripts.check.report import Report
from scripts.check.said import reasons
from scripts.check.slurm_options import TAKES
from scripts.check.source import doubt, source
from scripts.check.where import called, closest, fitting, partitions_of
from scripts.errors import did_you_mean
from scripts.facts import Cluster, Rule

# Grid Engine's resources by the names that the limits have for their like.
_RESOURCES = {"h_rt": "time", "h_vmem": "mem-per-cpu"}
NO_PLACE = "node configuration is not available"
_JOINT = {*CORES, "nodes", "mem-per-cpu", "mem-per-gpu", *GPUS}  # options that count together


class Explainer:
    """Words for what one cluster's scheduler refuses in one script."""

    def __init__(self, cluster: Cluster, draft: Draft, file: str):
        self.cluster, self.draft, self.file = cluster, draft, file

    def option(self, option: Option, answer: Asked) -> Report:
        """An option that is refused."""
        job = self.job(option, answer)
        if not option.known:
            return self._unknown_option(option, answer)
        if "unrecognized option" in answer.said:
            what = f"`{option.written}` is newer than the Slurm that judges here."
            return self._report(option, "not judged", what, "Read that cluster's manual: man sbatch", "newer-option")
        if option.name == "partition" and (report := self._unknown_partition(option)):
            return report
        if option.name in GPUS and self.cluster.policy.gpu_model.rule is Rule.REQUIRED and _untyped(job):
            return self._requirement(option, "gpu_model", f"{self._subject(option)} names no GPU model")
        for limit in self.broken(option, answer):
            return self._limit(option, limit, job)
        return self._pairs(option, job, answer) or self.words(option, answer)

    def _pairs(self, option: Option, job: Job, answer: Asked) -> Report | None:
        """Where a core has two threads, Slurm 22.05 keeps half of the cores that --cpus-per-gpu asks for, and 24.11
        knows no place for several tasks with GPUs of their own. Whether another version can, nobody here knows.
        """
        places = [self.cluster.partitions[key] for key in partitions_of(self.cluster, job)]
        types = [self.cluster.node_types[key] for place in places for key in place.node_types]
        own = (job.tasks or 1) > 1 and any(gpu.per == "task" for gpu in job.gpus) and NO_PLACE in answer.said
        if (option.name != "cpus-per-gpu" and not own) or all(node.threads_per_core == 1 for node in types):
            return None
        what = "the Slurm that judges here cannot place this where a core has two threads"
        words = f"{option.written}: {what}; {self.cluster.name} itself may."
        cure = "Ask for the GPUs by --gpus-per-node." if own else "Ask for the cores by --cpus-per-task."
        return self._report(option, "doubtful", words, cure, "cores-with-threads")

    def lacks(self, addition: Addition, answer: Asked) -> Report:
        """An option that is required and missing."""
        line = max((option.line for option in self._component(addition.component)), default=1)
        what = {
            "account": "no account is named",
            "time": "no time limit is named",
            "partition": "no partition is named",
        }
        requirement = getattr(self.cluster.policy, addition.name)
        said = requirement.refusal
        words = f"{what[addition.name]}, and {self.cluster.name} requires one"
        kind, more = self._kind(f"policy.{addition.name}")
        if requirement.unless:  # which of its users this one is, a twin cannot know
            kind, words = "doubtful", f"{words} unless {requirement.unless}"
        cure = {
            "account": f"Add one of yours, such as {addition.words}",
            "time": "Add -l h_rt=hours:minutes:seconds" if self.draft.kind == "grid_engine" else "Add --time=",
            "partition": f"Add --partition=, one of: {', '.join(self.cluster.partitions)}",
        }[addition.name]
        said = f" (it says: {said.rstrip(':.')})" if said else ""
        return Report(
            self.file,
            line,
            kind,
            f"{words}{said}{more}.",
            f"{cure}.",
            f"no-{addition.name}",
            None,
            None,
            source(self.cluster, f"policy.{addition.name}"),
        )

    def misspelt(self, addition: Addition) -> bool:
        """Does the option stand there under a name that is almost its own? That is told then."""
        strange = [option for option in self._component(addition.component) if not option.known]
        return any(f"`{addition.name}`" in did_you_mean(option.name, list(TAKES)) for option in strange)

    def words(self, option: Option | None, answer: Asked) -> Report:
        """The scheduler's own words, where no limit of the facts explains them."""
        said = f"{self.cluster.name}'s twin says: {' / '.join(reasons(answer.said))}."
        option = option or self._named_in(answer.said)
        if option is None:
            return Report(self.file, 1, "refused", said, "", "scheduler")
        return self._report(option, "refused", f"{self._subject(option)}: {said}", "", "scheduler")

    def _named_in(self, said: str) -> Option | None:
        """The option of the script that the scheduler's words name, if any."""
        asked = {"node count": "nodes"}
        named = {*re.findall(r"--([a-z][a-z-]+)", said), *(name for words, name in asked.items() if words in said)}
        return next((option for option in self.draft.options if option.name in named), None)

    def broken(self, option: Option, answer: Asked) -> list[Broken]:
        """The limits that the job breaks by this option."""
        job = self.job(option, answer)
        keys = partitions_of(self.cluster, job)
        if not (key := closest(self.cluster, keys, job)):
            return []
        name = self.cluster.name if not job.partition and len(keys) > 1 else called(self.cluster, key)
        mine = self._names(option)
        return [limit for limit in broken(self.cluster, key, job, name) if mine & set(limit.options)]

    def job(self, option: Option, answer: Asked) -> Job:
        """What the scheduler understood of the component in which the option stands."""
        component = self.draft.component(option)
        return answer.jobs[component] if component < len(answer.jobs) else Job()

    def _component(self, number: int) -> list[Option]:
        return self.draft.components[number] if number < len(self.draft.components) else []

    def _names(self, option: Option) -> set[str]:
        """The option by the names that limits have for it: Grid Engine's `-l` holds several."""
        if self.draft.kind == "slurm":
            return {option.name}
        if option.name == "pe":
            return {"cpus-per-task"}
        resources = {part.partition("=")[0] for part in (option.value or "").split(",")}
        return {_RESOURCES.get(name, "gres") for name in resources}

    def _subject(self, option: Option) -> str:
        """The option as written, with those that count together with it."""
        others = [
            each
            for each in self._component(self.draft.component(option))
            if each.name in _JOINT and each != option and each.name not in GPUS
        ]
        if option.name not in CORES and option.name not in ("mem-per-cpu", "mem-per-gpu") or not others:
            return option.written
        return f"{option.written} with " + " and ".join(f"{each.written} (line {each.line})" for each in others)

    def _limit(self, option: Option, limit: Broken, job: Job) -> Report:
        elsewhere = fitting(self.cluster, job)[:2]
        cure = f"{limit.cure}, or use {' or '.join(elsewhere)}." if elsewhere else f"{limit.cure}."
        joint = limit.rule.startswith(("cores", "memory"))
        subject = self._subject(option) if joint else option.written
        kind, more = self._kind(limit.path)
        where = source(self.cluster, limit.path)
        return self._report(option, kind, f"{subject} {limit.says}{more}.", cure, limit.rule, limit.limit, where)

    def _requirement(self, option: Option, name: str, what: str) -> Report:
        requirement = getattr(self.cluster.policy, name)
        said = f" (it says: {requirement.refusal})" if requirement.refusal else ""
        requests = list(dict.fromkeys(gpu.request for gpu in self.cluster.gpus.values()))[:3]
        kind, more = self._kind(f"policy.{name}")
        words = f"{what}, and {self.cluster.name} requires one{said}{more}."
        where = source(self.cluster, f"policy.{name}")
        return self._report(option, kind, words, f"Name one: {' or '.join(requests)}.", "no-gpu-model", None, where)

    def _unknown_option(self, option: Option, answer: Asked) -> Report:
        if option.written.startswith("--") and "ambiguous" not in answer.said and self.draft.kind == "slurm":
            what = f"`{option.written}`: sbatch has no option --{option.name}."
            return self._report(option, "refused", what, _option_cure(option.name), "unknown-option")
        report = self.words(option, answer)
        return self._report(option, "refused", report.what, "", "unknown-option")

    def _unknown_partition(self, option: Option) -> Report | None:
        known = {called(self.cluster, key) for key in self.cluster.partitions} | {self.cluster.policy.no_partition}
        wanted = [name for name in (option.value or "").split(",") if name not in known]
        if not wanted:
            return None
        kind, more = self._kind("partitions")
        what = f"{option.written}: {self.cluster.name} has no partition `{wanted[0]}`{more}."
        cure = did_you_mean(wanted[0], sorted(filter(None, known)))
        where = source(self.cluster, "partitions")
        if self.cluster.policy.partition.rule is Rule.LEAVE_OUT:
            cure = "Leave the partition out."
        return self._report(option, kind, what, cure, "unknown-partition", None, where)

    def _kind(self, path: str) -> tuple[str, str]:
        """refused, or doubtful with the doubt."""
        # Where nobody names a partition, a doubt about their names says nothing against their limits.
        exact = path.startswith("partitions.") and self.cluster.policy.partition.rule is Rule.LEAVE_OUT
        why = self.cluster.unconfirmed.get(path) if exact else doubt(self.cluster, path)
        return ("doubtful", f", if that is so: {why}") if why else ("refused", "")

    def _report(
        self,
        option: Option,
        kind: str,
        what: str,
        cure: str,
        rule: str,
        limit: str | None = None,
        where: str | None = None,
    ) -> Report:
        return Report(self.file, option.line, kind, what, cure, rule, option.written, limit, where)


def _untyped(job: Job) -> bool:
    return any(not gpu.type for gpu in job.gpus)


def _option_cure(name: str) -> str:
    close = did_you_mean(name, list(TAKES))
    return close.replace("`", "`--", 1) if close.startswith("Did you mean") else "Look it up: man sbatch"
