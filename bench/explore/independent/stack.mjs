// Sees to it that there is a workgroup with an active workspace.
// Mistake: none
import { ensureActive } from './lib.mjs'

console.log(await ensureActive())
