import type { Survivor } from '../survivors.js'

export const survivors: readonly Survivor[] = [
  {
    file: 'src/resources/workspaces/lifecycle.ts',
    line: 'if (isActive) this.#planAutoStop(tx, next)',
    replacement: 'true',
    reason: 'It spares a statement: other states have no auto-stop, because it goes when a transition begins.'
  },
  {
    file: 'src/resources/workspaces/lifecycle.ts',
    line: 'return end > tx.now ? workspace :',
    replacement: 'false',
    reason: 'It spares a read: a row that did not change is read as it was written.'
  },
  {
    file: 'src/resources/workspaces/lifecycle.ts',
    line: "'Size.'",
    replacement: '""',
    reason: 'It describes a payload of an event, and such descriptions are shown nowhere.'
  }
]
