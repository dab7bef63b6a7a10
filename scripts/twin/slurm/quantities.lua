-- What a job asks for: the quantities of scripts/facts/limits.yml. The engine computes the same.

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

-- How many jobs a user has that wait or run, in one partition if it is named. Each of an array counts.
local function in_queue(user, partition)
  local number = 0
  for _, other in pairs(slurm.jobs) do
    local here = not partition or other.partition == partition
    if other.user_id == user and here and other.job_state % 256 < 3 then  -- pending, running, suspended
      number = number + math.max(1, other.array_task_cnt or 1)
    end
  end
  return number
end

-- The CPUs that a job of so many GPUs asks for in all. With --hint=multithread they are a core's threads.
local function cpus(job, total)
  local each = tonumber(string.match(job.cpus_per_tres or "", "gpu[:=](%d+)") or "0")
  return math.max(said(job.min_cpus) or 1, each * total)
end

local function memory_per_gpu(job) return tonumber(string.match(job.mem_per_tres or "", "gpu[:=](%d+)") or "0") end

-- The memory that a job asks for in all, in MiB; 0 if it names none.
local function memory(job, total)
  local of_nodes = (said(job.min_mem_per_node) or 0) * (said(job.min_nodes) or 1)
  return math.max(memory_per_gpu(job) * total, of_nodes, (said(job.min_mem_per_cpu) or 0) * cpus(job, total))
end

local function has_no_allocation(job)
  for _, beginning in ipairs(RULES.allocation_accounts) do
    if string.sub(job.account or "", 1, #beginning) == beginning then return false end
  end
  return true
end

-- Those of the whole job; nil for what it does not say. `wanted`: its GPUs.
local function quantities(job, wanted, total)
  local all = {wanted = wanted, gpus = total, gpus_per_node = 0, slices = 0}
  for _, gpu in ipairs(wanted) do
    all.gpus_per_node = math.max(all.gpus_per_node, gpu.per_node)
    if rules_of(gpu).slice then all.slices = all.slices + gpu.count end
  end
  all.min_nodes, all.nodes = said(job.min_nodes) or 1, said(job.max_nodes)
  all.cores = cpus(job, total)
  if job.ntasks_per_core == MULTITHREAD then all.cores = math.ceil(all.cores / 2) end
  local on_node = math.ceil(cpus(job, total) / all.min_nodes)
  local of_tasks = (said(job.ntasks_per_node) or 1) * (said(job.cpus_per_task) or 1)
  all.cores_per_node = math.max(on_node, said(job.pn_min_cpus) or 1, of_tasks)  -- Slurm's CPUs
  local of_cpu = (said(job.min_mem_per_cpu) or 0) * on_node
  local memory = math.max(said(job.min_mem_per_node) or of_cpu, memory_per_gpu(job) * all.gpus_per_node)
  all.memory_per_node = memory > 0 and memory or nil  -- 0 is all that the node has
  all.minutes, all.exclusive = said(job.time_limit), job.shared == 0 and 1 or 0
  all.several_gpus, all.no_allocation = total > 1, has_no_allocation(job)
  return all
end

-- Those that are of one kind of GPU.
local function share_of(job, all, gpu)
  all.cores_per_gpu = math.ceil(cpus(job, all.gpus) / gpu.count)
  all.memory_per_gpu = math.ceil(memory(job, all.gpus) / gpu.count)
  return all
end

-- Those that are of one partition, or of the whole system.
local function queue_of(job, all, partition)
  all.jobs = array_tasks(job.array_inx) + in_queue(job.user_id, partition)
  return all
end
