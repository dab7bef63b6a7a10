-- The partitions of a job: those that it names or is sent to, and which of them take it.

-- The partitions that a job names, or that it is sent to if it names none; some move it on.
local function named(job, all)
  local names, quality = {}, RULES.qos[job.qos or ""] or {}
  if given(job.partition) then
    for name in string.gmatch(job.partition, "[^,]+") do table.insert(names, name) end
  elseif RULES.route then
    for _, name in ipairs(RULES.route) do
      if RULES.partitions[name].gpu == (all.gpus > 0) then table.insert(names, name) end
    end
  elseif RULES.default then
    names = {RULES.default}
  end
  for place, name in ipairs(names) do
    local rules = RULES.partitions[name] or {}
    if all.gpus > 0 and rules.gpu_jobs_in then name = rules.gpu_jobs_in end
    if rules.longer_jobs_in and all.minutes and all.minutes > rules.max_time then name = rules.longer_jobs_in end
    if quality.suffix and RULES.partitions[name .. quality.suffix] then name = name .. quality.suffix end
    names[place] = name
  end
  return names
end

-- Has a kind of node the GPUs that the job names?
local function has_gpus(node, wanted)
  for _, gpu in ipairs(wanted) do
    if gpu.kind ~= "" and not node.gpus[gpu.kind] then return false end
  end
  return true
end

-- Has a partition a kind of node with those GPUs, and the memory and local disk that the job wants of one?
local function has_room(job, all, name)
  for _, node in ipairs(RULES.partitions[name].nodes) do
    local disk = (said(job.pn_min_tmp_disk) or 0) <= (node.tmp or math.huge)
    local memory = (all.memory_per_node or 0) <= (node.memory or math.huge)
    if disk and memory and has_gpus(node, all.wanted) then return true end
  end
  return false
end

-- Leaves in job.partition those that may take the job, for Slurm to choose by cores and memory; if it names none, the
-- first with room. A sentence, that of the last one (of the longest jobs, if the system chooses), if there are none.
local function use_fitting_partitions(job, all)
  local routed, names, fitting, why = RULES.route and not given(job.partition), named(job, all), {}, nil
  all.several_partitions = #names > 1 or routed
  for _, name in ipairs(names) do
    local sentence = broken((RULES.partitions[name] or {}).limits or {}, queue_of(job, all, name))
    if sentence then why = sentence else table.insert(fitting, name) end
  end
  if why and #fitting == 0 then return why end
  for _, name in ipairs(routed and fitting or {}) do
    if has_room(job, all, name) then fitting = {name} break end
  end
  if #fitting > 0 then job.partition = table.concat(fitting, ",") end
end
