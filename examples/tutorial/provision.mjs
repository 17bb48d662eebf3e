// Makes sure that a workspace called writer exists and runs. docs/tutorial.md finds a bug in it.
const controller = `${process.env.SVC_MOCK_URL}/controller/v4/v2`
const headers = { 'x-api-key': process.env.SVC_MOCK_KEY, 'content-type': 'application/json' }
const sleep = (seconds) => new Promise((resolve) => setTimeout(resolve, seconds * 1000))

async function call(method, path, body) {
  const reply = await fetch(`${controller}${path}`, { method, headers, body: body && JSON.stringify(body) })
  const { Error: isError, Message, Result } = await reply.json()
  if (isError) throw Object.assign(new Error(Message), { isFinal: reply.status < 500 })
  return Result
}

async function retry(work, tries = 3) {
  try {
    return await work()
  } catch (error) {
    if (error.isFinal || tries === 1) throw error
    await sleep(5 - tries)
    return retry(work, tries - 1)
  }
}

const ensure = async (find, create) => (await retry(find)) ?? (await retry(create))

const named = (name, list) => list.find((one) => one.name === name)
const { workgroup_id } = await ensure(
  async () => named('team', await call('GET', '/workgroups')),
  () => call('POST', '/workgroups', { name: 'team', cloud_provider_id: 'any' })
)
const workgroup = `/workgroups/${workgroup_id}`
const { workspace_id } = await ensure(
  async () => named('writer', (await call('GET', workgroup)).workspaces ?? []),
  () => call('POST', `${workgroup}/workspaces`, { name: 'writer' })
)
for (let status; status !== 'Active'; await sleep(5)) {
  status = (await retry(() => call('GET', `${workgroup}/workspaces/${workspace_id}`))).status
  if (status === 'Failed') throw new Error('the workspace has failed')
}
