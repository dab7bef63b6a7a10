debugjob -g 1
