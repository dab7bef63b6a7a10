-- The rules of a cluster, which slurm.conf cannot say, as Slurm's job_submit plugin. RULES stands above, written from the facts.

local function refuse(text)
  slurm.log_user("%s", text)
  return slurm.ERROR
end

local function given(value)
  return value ~= nil and value ~= "" and value ~= slurm.NO_VAL and value ~= slurm.NO_VAL64
end

-- The login nodes for GPU jobs and those for others may have a partition of one name each: the job goes to its own.
local function choose_login(job, total)
  local name = given(job.partition) and job.partition or RULES.default
  for shared, own in pairs(RULES.same_name) do
    if name == shared then job.partition = own[total > 0 and "gpu" or "cpu"] end
    if job.partition ~= shared and name == own.gpu then return "invalid partition specified: " .. name end
  end
end

-- The limits of the job's partition, for an account as it has.
local function limits_of(job)
  local limits = RULES.partitions[given(job.partition) and job.partition or RULES.default or ""] or {}
  for _, beginning in ipairs(RULES.allocation_accounts) do
    if string.sub(job.account or "", 1, #beginning) == beginning then
      return setmetatable(limits.with_allocation or {}, {__index = limits})
    end
  end
  return limits
end

local function judge(job)
  use_one_name(job)
  local wanted, total = tasks_and_gpus(job)
  local per_node = 0
  for _, gpu in ipairs(wanted) do per_node = math.max(per_node, gpu.per_node) end
  if RULES.account and not given(job.account) then return refuse(RULES.account) end
  if RULES.time and not given(job.time_limit) then return refuse(RULES.time) end
  if RULES.partition and not given(job.partition) then return refuse(RULES.partition) end
  local wrong = wrong_gpus(job, wanted, total)
  if wrong then return refuse(wrong) end
  if RULES.route and not given(job.partition) then
    for _, band in ipairs(RULES.route) do
      if band.gpu == (total > 0) and (not band.minutes or not given(job.time_limit) or job.time_limit <= band.minutes) then
        job.partition = band.name
        break
      end
    end
    if not given(job.partition) then return refuse("Requested time limit is longer than any partition allows") end
  end
  local fault = choose_login(job, total)
  if fault then return refuse(fault) end
  if RULES.memory_ignored then job.pn_min_memory, job.mem_per_tres = 0, "" end
  local limits = limits_of(job)
  if limits.gpu_required and total == 0 then return refuse("This partition takes GPU jobs only") end
  local cores, minutes = cores(job, total), given(job.time_limit) and job.time_limit
  local least = {
    {total, limits.min_gpus, "This partition takes jobs with at least %d GPUs"},
    {cores or 1, limits.min_cores, "This partition takes jobs with at least %d cores"},
    {minutes, limits.min_time, "This partition takes jobs of at least %d minutes"},
  }
  local most = {
    {total, limits.max_gpus, "This partition takes jobs with at most %d GPUs"},
    {per_node, limits.max_gpus_per_node, "At most %d GPUs on one node"},
    {cores, limits.max_cores, "This partition takes jobs with at most %d cores"},
    {said(job.min_nodes), limits.max_nodes, "This partition takes jobs with at most %d nodes"},
  }
  for _, rule in ipairs(least) do
    if rule[1] and rule[2] and rule[1] < rule[2] then return refuse(string.format(rule[3], rule[2])) end
  end
  for _, rule in ipairs(most) do
    if rule[1] and rule[2] and rule[1] > rule[2] then return refuse(string.format(rule[3], rule[2])) end
  end
  return slurm.SUCCESS
end

function slurm_job_submit(job, partitions, uid) return judge(job) end
function slurm_job_modify(job, record, partitions, uid) return slurm.SUCCESS end
return slurm.SUCCESS
