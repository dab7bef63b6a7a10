-- The partitions of a job: those that it names or is sent to, and which of them take it.

local MULTITHREAD = 0xffff  -- what --hint=multithread puts into ntasks_per_core

-- How many jobs an array is: `1-9:2,20%3` is six.
local function array_tasks(indices)
  local number = 0
  for item in string.gmatch(string.gsub(indices or "1", "%%.*", ""), "[^,]+") do
    local first, last, step = string.match(item, "^(%d+)%-(%d+):?(%d*)$")
    number = number + (first and math.floor((last - first) / (tonumber(step) or 1)) + 1 or 1)
  end
  return number
end

-- What a job asks for in all, and on one node.
local function sizes(job, wanted, total)
  local all = {wanted = wanted, gpus = total, gpus_per_node = 0}
  all.cores, all.time = cores(job, total) or 1, said(job.time_limit)
  for _, gpu in ipairs(wanted) do all.gpus_per_node = math.max(all.gpus_per_node, gpu.per_node) end
  if job.ntasks_per_core == MULTITHREAD then all.cores = math.ceil(all.cores / 2) end
  all.min_nodes, all.max_nodes = said(job.min_nodes) or 1, said(job.max_nodes)
  all.jobs = array_tasks(job.array_inx)
  return all
end

-- The limits of a partition, for an account as the job has.
local function limits_of(job, name)
  local limits = RULES.partitions[name] or {}
  for _, beginning in ipairs(RULES.allocation_accounts) do
    if string.sub(job.account or "", 1, #beginning) == beginning then
      return setmetatable(limits.with_allocation or {}, {__index = limits})
    end
  end
  return limits
end

-- The first rule of a partition that the job breaks, as a sentence; nil if it may run there. Slurm itself keeps the
-- limits of time and nodes; among `several` partitions it would take one's time and another's nodes: ask them here.
local function broken(job, all, name, several)
  local limits = limits_of(job, name)
  local nodes = (several or limits.with_allocation) and (all.max_nodes or all.min_nodes)
  local jobs = limits.max_jobs and all.jobs + in_queue(job.user_id, name)
  if limits.gpu_required and all.gpus == 0 then return "This partition takes GPU jobs only" end
  if limits.exclusive_refused and job.shared == 0 then return "This partition takes no job with --exclusive" end
  local least = {
    {all.gpus, limits.min_gpus, "This partition takes jobs with at least %d GPUs"},
    {all.cores, limits.min_cores, "This partition takes jobs with at least %d cores"},
    {all.time, limits.min_time, "This partition takes jobs of at least %d minutes"},
    {several and all.max_nodes, limits.min_nodes, "This partition takes jobs with at least %d nodes"},
  }
  local most = {
    {all.gpus, limits.max_gpus, "This partition takes jobs with at most %d GPUs"},
    {all.gpus_per_node, limits.max_gpus_per_node, "At most %d GPUs on one node"},
    {all.cores, limits.max_cores, "This partition takes jobs with at most %d cores"},
    {all.gpus > 1 and all.time, limits.max_time_several_gpus, "Jobs with several GPUs last %d minutes at most here"},
    {jobs, limits.max_jobs, "Job violates accounting/QOS policy: at most %d jobs here; each of an array counts"},
    {several and all.time, limits.max_time, "Requested time limit is longer than %d minutes"},
    {nodes, limits.max_nodes, "This partition takes jobs with at most %d nodes"},
  }
  for _, rule in ipairs(least) do
    if rule[1] and rule[2] and rule[1] < rule[2] then return string.format(rule[3], rule[2]) end
  end
  for _, rule in ipairs(most) do
    if rule[1] and rule[2] and rule[1] > rule[2] then return string.format(rule[3], rule[2]) end
  end
end

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
    if rules.longer_jobs_in and all.time and all.time > rules.max_time then name = rules.longer_jobs_in end
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
  local each = said(job.min_mem_per_cpu)
  local memory = said(job.min_mem_per_node) or each and each * math.ceil(all.cores / all.min_nodes) or 0
  for _, node in ipairs(RULES.partitions[name].nodes) do
    local disk = (said(job.pn_min_tmp_disk) or 0) <= (node.tmp or math.huge)
    if disk and memory <= (node.memory or memory) and has_gpus(node, all.wanted) then return true end
  end
  return false
end

-- Leaves in job.partition those that may take the job, for Slurm to choose by cores and memory; if it names none, the
-- first with room. A sentence, that of the last one (of the longest jobs, if the system chooses), if there are none.
local function use_fitting_partitions(job, all)
  local routed, names, fitting, why = RULES.route and not given(job.partition), named(job, all), {}, nil
  for _, name in ipairs(names) do
    local sentence = broken(job, all, name, #names > 1 or routed)
    if sentence then why = sentence else table.insert(fitting, name) end
  end
  if why and #fitting == 0 then return why end
  for _, name in ipairs(routed and fitting or {}) do
    if has_room(job, all, name) then fitting = {name} break end
  end
  if #fitting > 0 then job.partition = table.concat(fitting, ",") end
end
