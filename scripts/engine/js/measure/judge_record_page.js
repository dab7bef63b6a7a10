// What docs/assets/own-record.js fetches when a reader chooses a file.
import {judgeRecord} from "./judge_record.js"

globalThis.judgeRecord = judgeRecord
