// Stores the id of a workspace when its wait is over, not when it exists.
// Class: an id kept too late
// Report: CleverCloud/terraform-provider-clevercloud#166
// Mistake: forgotten or left-behind
//- import { existsSync, readFileSync, writeFileSync } from 'node:fs'
//+ import { writeFileSync } from 'node:fs'
import * as kit from './kit.mjs'

const FILE = `${process.env.TMPDIR}/state`

kit.main(async () => {
  //- const known = existsSync(FILE) ? readFileSync(FILE, 'utf8') : undefined
  //- const id = known ?? (await kit.createWorkspace('main', 'writer')).workspace_id
  //- await kit.waitFor('main', id, 'Active')
  //+ const { workspace_id: id } = await kit.ensureWorkspace('main', 'writer')
  //+ await kit.activeOrGone('main', id)
  writeFileSync(FILE, id)
})
