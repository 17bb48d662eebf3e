// Prints how long a plan of a client with twelve requests takes, in milliseconds: as a function, and as a program.
// Usage: node bench/explore/speed.js
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { explore } from '../../dist/index.js'

const client = async ({ call }) => {
  const { workgroup_id: workgroupID } = await call('createWorkgroup', {
    body: { name: 'main', cloud_provider_id: 'a' }
  })
  for (const name of ['a', 'b', 'c', 'd', 'e']) {
    const { workspace_id: workspaceID } = await call('createWorkspace', { workgroupID, body: { name } })
    await call('getWorkspace', { workgroupID, workspaceID })
  }
  await call('listWorkgroups')
}

/** The same client as a program. */
const PROGRAM = `
const call = async (method, path, body) => {
  const reply = await fetch(process.env.SVC_MOCK_URL + '/controller/v4/v2/workgroups' + path, {
    method, headers: { 'x-api-key': process.env.SVC_MOCK_KEY, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) })
  })
  if (!reply.ok) throw new Error(reply.status)
  return (await reply.json()).Result
}
const main = async () => {
  const { workgroup_id: group } = await call('POST', '', { name: 'main', cloud_provider_id: 'a' })
  for (const name of ['a', 'b', 'c', 'd', 'e']) {
    const { workspace_id: id } = await call('POST', '/' + group + '/workspaces', { name })
    await call('GET', '/' + group + '/workspaces/' + id)
  }
  await call('GET', '')
}
main()`

const MAIN = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url))

async function asProgram() {
  const folder = mkdtempSync(join(tmpdir(), 'bench-speed-'))
  const args = ['explore', '--report', folder, '--', process.execPath, '-e', PROGRAM]
  const child = spawn(process.execPath, [MAIN, ...args], { stdio: ['ignore', 'ignore', 'inherit'] })
  await new Promise((resolve) => child.on('close', resolve))
  const report = JSON.parse(readFileSync(join(folder, 'report.json'), 'utf8'))
  rmSync(folder, { recursive: true })
  return report
}

for (const [name, run] of Object.entries({ function: () => explore(client), program: asProgram })) {
  const begin = performance.now()
  const { plans, runs } = await run()
  const ms = performance.now() - begin
  const [perPlan, perRun] = [ms / plans, ms / runs].map(Math.round)
  console.log(JSON.stringify({ client: name, plans, runs, ms_per_plan: perPlan, ms_per_run: perRun }))
}
