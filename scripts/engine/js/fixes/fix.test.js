// Edits of findings that share a name with a rule of another scheduler.
import assert from "node:assert/strict"
import {test} from "node:test"
import {judge} from "../judge.js"
import {systems} from "../test_facts.js"

test("a job of no nodes for Grid Engine is refused, without an edit that is Slurm's", () => {
  const {findings} = judge(systems.arc4, "#!/bin/bash -l\n#$ -l h_rt=1:0:0\n#$ -l nodes=0\nhostname\n")
  const [{rule, mend}] = findings.filter(({kind}) => kind === "refused")
  assert.deepEqual([rule, mend], ["no-nodes", undefined])
})
