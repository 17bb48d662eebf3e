// Stores the id of the workgroup too late, and does not look for it by name.
// Mistake: not-recovered createWorkgroup
import * as kit from './kit.mjs'

kit.main(async () => {
  const { existsSync, readFileSync, writeFileSync } = await import('node:fs')
  const file = `${process.env.TMPDIR}/workgroup`
  let group = existsSync(file) ? readFileSync(file, 'utf8') : undefined
  if (group === undefined) {
    const tried = new Date().toISOString()
    group = (
      await kit.ensure(
        async () => undefined,
        () => kit.createGroup('main')
      )
    ).workgroup_id
    writeFileSync(file, group)
    console.log(`made after ${tried}`)
  }
  await kit.ensureWorkspace(group, 'writer')
})
