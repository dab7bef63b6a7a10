debugjob 1
