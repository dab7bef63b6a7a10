-- The rules of a cluster, which slurm.conf cannot say, as Slurm's job_submit plugin. RULES, written from the facts,
-- stands above, and so do the other files of this folder.

local function refuse(text)
  slurm.log_user("%s", text)
  return slurm.ERROR
end

-- A job has cores. With --hint=multithread it has their threads, each of which counts as a CPU then.
local function use_cores(job)
  local threads = said(job.threads_per_core)
  if threads and threads > 1 and RULES.threads_refused then
    return "Use --hint=multithread in place of --threads-per-core"
  end
  if RULES.threads and not threads and not said(job.ntasks_per_core) then job.threads_per_core = 1 end
  for name in string.gmatch(job.partition or "", "[^,]+") do
    if (RULES.partitions[name] or {}).sockets_unknown then  -- what is not published refuses nothing
      for _, field in ipairs({"sockets_per_node", "cores_per_socket", "ntasks_per_socket"}) do
        if said(job[field]) then job[field] = 0xfffe end
      end
    end
  end
end

-- The login nodes for GPU jobs and those for others may have a partition of one name each: the job goes to its own.
local function choose_login(job, total)
  local names, hidden = {}, {}
  for _, own in pairs(RULES.same_name) do hidden[own.gpu] = true end
  if not next(hidden) then return end
  for name in string.gmatch(given(job.partition) and job.partition or RULES.default or "", "[^,]+") do
    local own = RULES.same_name[name]
    if hidden[name] then return "invalid partition specified: " .. name end  -- our name, no job's
    table.insert(names, own and own[total > 0 and "gpu" or "cpu"] or name)
  end
  job.partition = table.concat(names, ",")
end

-- Whether a job that this one waits for is still known, no twin can tell: Slurm 22.05 does not ask, 24.11 does.
-- The keys of slurm.jobs are texts.
local WAITS = {after = 1, afterany = 1, afterburstbuffer = 1, aftercorr = 1, afternotok = 1, afterok = 1}
local function wait_for_known_jobs(job)
  for item in string.gmatch(job.dependency or "", "[^,?]+") do
    local kind, numbers = string.match(item, "^(%l+):([%d:+]+)$")
    if not WAITS[kind or ""] then return end
    for number in string.gmatch(numbers, "%d+") do
      if slurm.jobs[number] then return end
    end
  end
  if given(job.dependency) then job.dependency = "" end
end

local function judge(job)
  wait_for_known_jobs(job)
  use_one_name(job)
  local wanted, total = tasks_and_gpus(job)
  local all = quantities(job, wanted, total)
  if RULES.no_partition and job.partition == RULES.no_partition then job.partition = "" end
  if RULES.account and not given(job.account) then return refuse(RULES.account) end
  if RULES.time and not all.minutes then return refuse(RULES.time) end
  if RULES.partition and not given(job.partition) then return refuse(RULES.partition) end
  local wrong = wrong_gpus(all)
    or broken_anywhere(job, all)
    or choose_login(job, total)
    or use_fitting_partitions(job, all)
    or use_cores(job)
  if wrong then return refuse(wrong) end
  if RULES.memory_ignored then job.pn_min_memory, job.mem_per_tres = 0, "" end
  -- From Slurm 23.02 on one node is asked for where none is named, also where the partition takes no job so small;
  -- 22.05 raises that silently (SchedMD/slurm, commit 3147115bb6, _figure_out_num_tasks() in job_mgr.c).
  if not said(job.min_nodes) then job.min_nodes = 1 end
  return slurm.SUCCESS
end

function slurm_job_submit(job, partitions, uid)
  return judge(job)
end
function slurm_job_modify(job, record, partitions, uid) return slurm.SUCCESS end
return slurm.SUCCESS
