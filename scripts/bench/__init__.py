"""An open benchmark: tasks in users' words for real clusters, and a grader that rests on the engine and the twins."""
