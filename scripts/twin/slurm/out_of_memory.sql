-- Where Slurm has no cgroups, it ends a step that takes more memory than its job asked for, and says CANCELLED of the step
-- and FAILED of the job. Clusters have them and say OUT_OF_MEMORY (11) of both, with exit code 0:125 (SIG_OOM, 253): so
-- does this database. `2=` is memory: in a job's request in MiB, in a step's use in bytes.
delimiter //
create trigger steps_out_of_memory before update on `{cluster}_step_table` for each row
    if new.state = 4 and new.exit_code = 9
        and substring_index(concat(',', new.tres_usage_in_tot), ',2=', -1) + 0 > (
            select substring_index(concat(',', tres_req), ',2=', -1) * 1048576
            from `{cluster}_job_table` where job_db_inx = new.job_db_inx
        )
    then set new.state = 11, new.exit_code = 253;
    end if //
create trigger jobs_out_of_memory before update on `{cluster}_job_table` for each row
    if new.state = 5 and new.exit_code = 9 and exists (
        select * from `{cluster}_step_table` where job_db_inx = new.job_db_inx and id_step = -5 and state = 11
    )
    then set new.state = 11, new.exit_code = 253;
    end if //
