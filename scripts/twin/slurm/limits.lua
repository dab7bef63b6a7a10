-- The limits of a partition, a GPU, a QOS and the system: rows of scripts/facts/limits.yml with the facts' numbers.

-- The first of these limits that a job breaks, in the operator's words; nil if it breaks none.
local function broken(limits, all)
  for _, limit in ipairs(limits) do
    local asked = (not limit.only or all[limit.only]) and all[limit.quantity]
    local too_little = asked and limit.at_least and asked < limit.at_least
    local too_much = asked and limit.at_most and asked > limit.at_most
    if too_little or too_much then return limit.refusal end
  end
end

-- The same of those limits that hold in every partition.
local function broken_anywhere(job, all)
  for _, gpu in ipairs(all.wanted) do
    local why = broken(rules_of(gpu).limits or {}, share_of(job, all, gpu))
    if why then return why end
  end
  local quality = RULES.qos[job.qos or ""] or {}
  return broken(RULES.limits, queue_of(job, all)) or broken(quality.limits or {}, all)
end
