// Prints how long it takes to load the package, to start a first mock, and to start further ones, in milliseconds.
const before = performance.now()
const { startMock } = await import('../dist/index.js')
const loaded = performance.now()
const first = await timed()
const further = []
for (let count = 0; count < 9; count++) further.push(await timed())
console.log(JSON.stringify({ load: loaded - before, first, further: further.sort((a, b) => a - b)[4] }))

async function timed() {
  const begin = performance.now()
  const mock = await startMock()
  const { headers } = mock.sandbox()
  const reply = await fetch(`${mock.url}/controller/v4/v2/workgroups`, { headers })
  if (!reply.ok) throw new Error(await reply.text())
  const ms = performance.now() - begin
  await mock.close()
  return ms
}
