-- The jobs that a user has already.

-- How many wait or run, in one partition if it is named. Each of an array counts.
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
