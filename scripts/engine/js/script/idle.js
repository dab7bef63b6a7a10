// Commands that prepare a job, look at it or talk of it, and compute nothing.
import {setOf, words} from "./text.js"

const ALL =
  "(( . : [ [[ alias cat cd chmod command conda cp date declare df echo env exit export false hash hostname id " +
  "local ls lscpu mamba mkdir ml module mv nvidia-smi printenv printf pwd read rm rocm-smi rsync scontrol set " +
  "shift shopt sleep source squeue tar tee test touch trap true type ulimit umask uname unset wait which whoami"

/** All but these. @param {string} others @returns {Set<string>} */
export const idleBut = others => new Set(words(ALL).filter(word => !setOf(others).has(word)))
