"""job_submit.lua of a cluster's twin: what the operator enforces and slurm.conf cannot say.

It refuses with the operator's own published words where the facts have them.
"""

from __future__ import annotations

import json

from scripts.facts import Cluster, Requirement, Rule
from scripts.twin.slurm_conf import gres_type

LUA = r"""
-- Every GPU request of a job as {type, number of them for one node, or for the job}.
local function gpus(job)
  local found, nodes = {}, job.min_nodes
  if nodes == nil or nodes == slurm.NO_VAL then nodes = 1 end
  for field, factor in pairs({tres_per_node = nodes, tres_per_job = 1, tres_per_socket = 1, tres_per_task = 1}) do
    for item in string.gmatch(job[field] or "", "[^,]+") do
      local rest = string.match(item, "^gres:gpu(.*)$")
      if rest then
        local kind = string.match(rest, "^:([^:]*[^%d:][^:]*)") or ""
        local count = tonumber(string.match(rest, ":(%d+)$") or "1")
        table.insert(found, {kind = kind, count = count * factor, per_node = field == "tres_per_node" and count or 0})
      end
    end
  end
  return found
end

local function refuse(text)
  slurm.log_user("%s", text)
  return slurm.ERROR
end

local function given(value)
  return value ~= nil and value ~= "" and value ~= slurm.NO_VAL and value ~= slurm.NO_VAL64
end

local function judge(job)
  local wanted, total, per_node, slices = gpus(job), 0, 0, 0
  for _, gpu in ipairs(wanted) do
    total, per_node = total + gpu.count, math.max(per_node, gpu.per_node)
    if RULES.slices[gpu.kind] then slices = slices + gpu.count end
  end
  if RULES.account and not given(job.account) then return refuse(RULES.account) end
  if RULES.time and not given(job.time_limit) then return refuse(RULES.time) end
  if RULES.partition and not given(job.partition) then return refuse(RULES.partition) end
  if RULES.gpu_model then
    for _, gpu in ipairs(wanted) do
      if gpu.kind == "" then return refuse(RULES.gpu_model) end
    end
  end
  if RULES.slices_per_job and slices > RULES.slices_per_job then
    return refuse("Only one MIG instance may be requested at a time")
  end
  if RULES.route and not given(job.partition) then
    for _, band in ipairs(RULES.route) do
      if band.gpu == (total > 0) and job.time_limit <= band.minutes then
        job.partition = band.name
        break
      end
    end
    if not given(job.partition) then return refuse("Requested time limit is longer than any partition allows") end
  end
  local limits = RULES.partitions[job.partition or RULES.default or ""] or {}
  if limits.gpu_required and total == 0 then return refuse("This partition takes GPU jobs only") end
  if limits.min_gpus and total < limits.min_gpus then return refuse(string.format("This partition takes jobs with at least %d GPUs", limits.min_gpus)) end
  if limits.max_gpus and total > limits.max_gpus then return refuse(string.format("This partition takes jobs with at most %d GPUs", limits.max_gpus)) end
  if limits.max_gpus_per_node and per_node > limits.max_gpus_per_node then return refuse(string.format("At most %d GPUs on one node", limits.max_gpus_per_node)) end
  if limits.min_cores and job.min_cpus < limits.min_cores then return refuse(string.format("This partition takes jobs with at least %d cores", limits.min_cores)) end
  if limits.max_cores and given(job.min_cpus) and job.min_cpus > limits.max_cores then return refuse(string.format("This partition takes jobs with at most %d cores", limits.max_cores)) end
  if limits.min_time and given(job.time_limit) and job.time_limit < limits.min_time then return refuse(string.format("This partition takes jobs of at least %d minutes", limits.min_time)) end
  return slurm.SUCCESS
end

function slurm_job_submit(job, partitions, uid) return judge(job) end
function slurm_job_modify(job, record, partitions, uid) return slurm.SUCCESS end
return slurm.SUCCESS
"""


def _words(requirement: Requirement, otherwise: str) -> str | None:
    return (requirement.refusal or otherwise) if requirement.rule is Rule.REQUIRED else None


def _lua(value: object) -> str:
    """A Python value as a Lua literal."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"[{_lua(key)}] = {_lua(item)}" for key, item in value.items() if item is not None) + "}"
    if isinstance(value, list):
        return "{" + ", ".join(map(_lua, value)) + "}"
    return json.dumps(value, ensure_ascii=False)


def rules(cluster: Cluster) -> dict:
    policy = cluster.policy
    limited = ("min_gpus", "max_gpus", "max_gpus_per_node", "min_cores", "max_cores")
    bands = None
    if policy.partition.rule is Rule.LEAVE_OUT:
        bands = [{"name": key, "minutes": int(p.max_time.minutes), "gpu": any(cluster.node_types[n].gpus for n in p.node_types)}
                 for key, p in sorted(cluster.partitions.items(), key=lambda item: item[1].max_time.minutes)]
    return {
        "account": _words(policy.account, "An account is required"),
        "time": _words(policy.time, "A time limit is required"),
        "partition": _words(policy.partition, "A partition is required"),
        "gpu_model": _words(policy.gpu_model, "A GPU model is required"),
        "slices_per_job": policy.slices_per_job,
        "slices": {name: True for gpu in cluster.gpus.values() if gpu.is_slice for name in map(gres_type, [gpu.gres or "", *gpu.synonyms])},
        "route": bands,
        "default": next((key for key, p in cluster.partitions.items() if p.default), None),
        "partitions": {key: {field: getattr(p, field) for field in limited} | {"min_time": int(p.min_time.minutes) if p.min_time else None, "gpu_required": p.gpu_required} for key, p in cluster.partitions.items()},
    }


def job_submit_lua(cluster: Cluster) -> str:
    return f"-- Written from the facts about {cluster.name}.\nlocal RULES = {_lua(rules(cluster))}\n{LUA}"
