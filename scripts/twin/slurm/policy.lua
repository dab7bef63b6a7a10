-- The rules of a cluster, which slurm.conf cannot say, as Slurm's job_submit plugin. RULES stands above, written from the facts.

-- Every GPU request of a job as {type, number of them for one node, or for the job}.
local function gpus(job)
  local found, nodes = {}, job.min_nodes
  if nodes == nil or nodes == slurm.NO_VAL then nodes = 1 end
  for field, factor in pairs({tres_per_node = nodes, tres_per_job = 1, tres_per_socket = 1, tres_per_task = 1}) do
    for item in string.gmatch(job[field] or "", "[^,]+") do
      local rest = string.match(item, "^gres[:/]gpu(.*)$")  -- newer Slurm writes gres/gpu
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
      if band.gpu == (total > 0) and (not band.minutes or not given(job.time_limit) or job.time_limit <= band.minutes) then
        job.partition = band.name
        break
      end
    end
    if not given(job.partition) then return refuse("Requested time limit is longer than any partition allows") end
  end
  local limits = RULES.partitions[job.partition or RULES.default or ""] or {}
  if limits.gpu_required and total == 0 then return refuse("This partition takes GPU jobs only") end
  local cores, minutes = given(job.min_cpus) and job.min_cpus, given(job.time_limit) and job.time_limit
  local least = {
    {total, limits.min_gpus, "This partition takes jobs with at least %d GPUs"},
    {cores or 1, limits.min_cores, "This partition takes jobs with at least %d cores"},
    {minutes, limits.min_time, "This partition takes jobs of at least %d minutes"},
  }
  local most = {
    {total, limits.max_gpus, "This partition takes jobs with at most %d GPUs"},
    {per_node, limits.max_gpus_per_node, "At most %d GPUs on one node"},
    {cores, limits.max_cores, "This partition takes jobs with at most %d cores"},
  }
  for _, rule in ipairs(least) do
    if rule[1] and rule[2] and rule[1] < rule[2] then return refuse(string.format(rule[3], rule[2])) end
  end
  for _, rule in ipairs(most) do
    if rule[1] and rule[2] and rule[1] > rule[2] then return refuse(string.format(rule[3], rule[2])) end
  end
  return slurm.SUCCESS
end

-- What a job asks for, as Slurm understood it: a line of JSON in the file that the asker names in the job's environment.
local ASKED = {
  "account", "array_inx", "burst_buffer", "clusters", "cpus_per_task", "cpus_per_tres", "dependency", "exc_nodes",
  "features", "licenses", "mail_user", "max_nodes", "mem_per_tres", "min_cpus", "min_mem_per_cpu", "min_mem_per_node",
  "min_nodes", "name", "ntasks_per_node", "ntasks_per_socket", "ntasks_per_tres", "num_tasks", "partition",
  "pn_min_cpus", "pn_min_tmp_disk", "qos", "req_nodes", "reservation", "shared", "sockets_per_node", "std_err",
  "std_out", "threads_per_core", "time_limit", "time_min", "tres_per_job", "tres_per_node", "tres_per_socket",
  "tres_per_task", "work_dir",
}

local function hand_out(job, fields)
  local file = job.environment and io.open(job.environment["SLURM_ASKED"] or "", "a")
  if not file then return end
  local words = {}
  for _, field in ipairs(fields) do
    local value = job[field]
    if type(value) == "number" then
      table.insert(words, string.format('"%s": %.0f', field, value))
    elseif type(value) == "string" then
      local escaped = string.gsub(value, '[%c"\\]', function(letter) return string.format("\\u%04x", letter:byte()) end)
      table.insert(words, string.format('"%s": "%s"', field, escaped))
    end
  end
  file:write("{", table.concat(words, ", "), "}\n")
  file:close()
end

function slurm_job_submit(job, partitions, uid)
  hand_out(job, ASKED)
  local verdict = judge(job)
  hand_out(job, {"partition"})  -- the rules may have chosen one
  return verdict
end
function slurm_job_modify(job, record, partitions, uid) return slurm.SUCCESS end
return slurm.SUCCESS
