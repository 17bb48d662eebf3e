// Logs an error, and continues.
// Mistake: false-success createWorkspace
import * as kit from './kit.mjs'

kit.main(async () => {
  const { workgroup_id: group } = await kit.ensureGroup('main')
  await kit.ensureWorkspace(group, 'writer').catch((error) => console.error(error.message))
})
