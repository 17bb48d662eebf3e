import t from 'tap'
import { read, split } from '../doc-parts.js'
import {
  backupStatesTable,
  refreshStatesTable,
  restoreStatesTable,
  transitionsTable,
  workspaceStatesTable
} from '../doc-tables.js'

// A part of test/docs.test.ts that is quick, since it is run for each mutant: states and transitions are what the
// documents say.
const TABLES = {
  'workspace-states': workspaceStatesTable,
  'refresh-states': refreshStatesTable,
  'backup-states': backupStatesTable,
  'restore-states': restoreStatesTable,
  transitions: transitionsTable
}

for (const [marker, generate] of Object.entries(TABLES)) {
  void t.test(`docs/placeholders.md has the table ${marker}`, async (t) => {
    t.equal(split(read('docs/placeholders.md'), marker)[1], `\n${generate()}\n`)
  })
}
