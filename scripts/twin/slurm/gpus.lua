-- The GPUs of a job: their names, and how many they are. RULES stands above, policy.lua below.

-- A number that the job says, or nil. Slurm writes "not said" as the last but one number of each size.
local function said(value)
  local unsaid = {[0xfffe] = true, [0xfffffffe] = true, [slurm.NO_VAL64] = true}
  if value and not unsaid[value] then return value end
end

local function given(text) return text ~= nil and text ~= "" end

-- How often a request in each of these fields counts in the whole job.
local function times(job)
  local nodes = said(job.min_nodes) or 1
  local each = said(job.ntasks_per_node)
  return {
    tres_per_job = 1,
    tres_per_node = nodes,
    tres_per_socket = nodes * (said(job.sockets_per_node) or 1),
    tres_per_task = said(job.num_tasks) or nodes * (each and each > 0 and each or 1),
  }
end

-- `gres:gpu:a100:2` (newer Slurm: `gres/gpu:a100:2`) as the type, `` if none is named, and the number; nil for other things.
local function parse(item)
  local rest = string.match(item, "^gres[:/]gpu$") and "" or string.match(item, "^gres[:/]gpu[:=](.*)$")
  if not rest then return end
  local kind, number = string.match(rest, "^(.-)[:=]?(%d+)$")
  if not kind or (kind ~= "" and not string.find(rest, "[:=]%d+$")) then kind, number = rest, "1" end
  return kind, tonumber(number)
end

-- Rewrites other names of a GPU as the one that its nodes have.
local function use_one_name(job)
  for field in pairs(times(job)) do
    local items, changed = {}, false
    for item in string.gmatch(job[field] or "", "[^,]+") do
      local kind, number = parse(item)
      local name = kind and RULES.synonyms[kind]
      if name then
        item = string.match(item, "^gres[:/]gpu") .. (name == "" and "" or ":" .. name) .. ":" .. number
        changed = true
      end
      table.insert(items, item)
    end
    if changed then job[field] = table.concat(items, ",") end
  end
end

-- The GPUs of the job, as {kind, count in the whole job, at least so many on one node}, and their number. Several fields
-- speak of the same GPUs: the one that asks for most counts.
local function gpus(job)
  local most, total, nodes = {}, 0, said(job.max_nodes)
  for field, factor in pairs(times(job)) do
    local found, sum = {}, 0
    for item in string.gmatch(job[field] or "", "[^,]+") do
      local kind, number = parse(item)
      if kind then
        local count = number * factor
        local per_node = field == "tres_per_node" and number or nodes and math.ceil(count / nodes) or 1
        table.insert(found, {kind = kind, count = count, per_node = per_node})
        sum = sum + count
      end
    end
    if sum > total then most, total = found, sum end
  end
  return most, total
end

-- --ntasks-per-gpu says either number by the other. Slurm 22.05 does so too late for its own count of cores.
local function tasks_and_gpus(job)
  local share, tasks = said(job.ntasks_per_tres), said(job.num_tasks)
  if not share or share == 0 then return gpus(job) end
  local wanted, total = gpus(job)
  if total == 0 and tasks then
    job.tres_per_job = "gres:gpu:" .. math.ceil(tasks / share)
    wanted, total = gpus(job)
  elseif total > 0 and not tasks then
    job.num_tasks = total * share
    job.min_cpus = job.num_tasks * (said(job.cpus_per_task) or 1)
  end
  job.ntasks_per_tres = 0xfffe
  return wanted, total
end

-- What the operator asks of jobs with this GPU.
local function rules_of(gpu) return RULES.gpus[gpu.kind == "" and RULES.only_gpu or gpu.kind] or {} end

-- May a job have so many of them? `counts` ends with what a whole node has; more come as whole nodes.
local function right_number(gpu, counts, nodes)
  local whole = counts[#counts]
  if nodes > 1 then return gpu.count == nodes * whole end
  for _, number in ipairs(counts) do
    if gpu.count == number then return true end
  end
  return gpu.count % whole == 0
end

-- What is wrong with the names and numbers of a job's GPUs, in words, or nil.
local function wrong_gpus(all)
  for _, gpu in ipairs(all.wanted) do
    if RULES.gpu_model and gpu.kind == "" then return RULES.gpu_model end
    local rules = rules_of(gpu)
    if rules.counts and not right_number(gpu, rules.counts, all.min_nodes) then return rules.refusal end
  end
end
