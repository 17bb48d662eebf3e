// Stores the id right after the creation; a crash in between leaves an unknown workspace.
// Class: a crash between write and record
// Report: dstackai/dstack#3453
// Client: dstack
// Mistake: not-recovered or forgotten
//- import { existsSync, readFileSync, writeFileSync } from 'node:fs'
//+ import { writeFileSync } from 'node:fs'
import * as kit from './kit.mjs'

const FILE = `${process.env.TMPDIR}/state`

kit.main(async () => {
  //- if (!existsSync(FILE)) writeFileSync(FILE, (await kit.makeWorkspace('main', 'writer')).workspace_id)
  //- const id = readFileSync(FILE, 'utf8')
  //+ const { workspace_id: id } = await kit.ensureWorkspace('main', 'writer')
  //+ writeFileSync(FILE, id)
  await kit.activeOrGone('main', id)
})
