// Sends small requests to a server repeatedly, as a client with a quiet sandbox would, and measures how long each reply
// takes. It is a separate process, so that the work of its parent does not count as waiting. Forked with a URL, a key,
// an interval in milliseconds and the kinds of request. It sends 'ready' and then, for each message that it gets, its
// measurements since the last one.
import { Agent, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

const [url, key, interval, ...kinds] = process.argv.slice(2)
const EVERY = Number(interval)
const WORKGROUPS = '/controller/v4/v2/workgroups'
const BODY = JSON.stringify({ cloud_provider_id: 'quiet', name: `only for ${key}` })
/** Maximum number of waits that are kept of a kind. The longest is kept separately. */
const MOST = 100_000

/** The turn of each kind of request: it makes requests one by one. */
const TURNS = {
  read: () => reader({ agent: keepAlive() }),
  connect: () => reader({ agent: false }),
  create: async () => {
    const own = await sandbox('create')
    return async (ask) => {
      const {
        Result: { workgroup_id: id }
      } = await ask({ ...own, method: 'POST', path: WORKGROUPS, body: BODY })
      await ask({ ...own, method: 'DELETE', path: `${WORKGROUPS}/${id}` })
    }
  },
  user: async () => {
    const own = await sandbox('user')
    const {
      Result: { workgroup_id: workgroup }
    } = await send({ ...own, method: 'POST', path: WORKGROUPS, body: BODY })
    const workspaces = `${WORKGROUPS}/${workgroup}/workspaces`
    const {
      Result: { workspace_id: workspace }
    } = await send({ ...own, method: 'POST', path: workspaces, body: '{}' })
    const path = `${workspaces}/${workspace}/dbuser`
    return async (ask) => {
      await ask({ ...own, method: 'POST', path, body: '{"username":"ann","password":"secret"}' })
      await ask({ ...own, method: 'DELETE', path, body: '{"username":"ann"}' })
    }
  }
}

const probes = new Map()
for (const kind of kinds)
  probes.set(kind, { waits: [], longest: 0, failures: {}, since: undefined, turn: await TURNS[kind]() })
for (const probe of probes.values()) void repeat(probe)
process.on('message', () => {
  process.send(Object.fromEntries([...probes].map(([kind, probe]) => [kind, harvest(probe)])))
})
process.on('disconnect', () => {
  process.exit()
})
process.send('ready')

async function reader({ agent }) {
  const own = { ...(await sandbox('read')), agent }
  const {
    Result: { workgroup_id: id }
  } = await send({ ...own, method: 'POST', path: WORKGROUPS, body: BODY })
  return async (ask) => {
    const { Result } = await ask({ ...own, method: 'GET', path: `${WORKGROUPS}/${id}` })
    if (Result?.workgroup_id !== id) throw new Error('another reply than its own')
  }
}

/** Empties a sandbox, despite any seed. @returns the common options of requests to it */
async function sandbox(name) {
  const own = { agent: keepAlive(), headers: { 'x-api-key': `${key}-${name}`, 'content-type': 'application/json' } }
  await send({ ...own, method: 'PUT', path: '/_mock/state', body: '{}' })
  return own
}

async function repeat(probe) {
  for (;;) {
    try {
      await probe.turn(async (options) => {
        probe.since = performance.now()
        const reply = await send(options)
        note(probe, performance.now() - probe.since)
        probe.since = undefined
        await sleep(EVERY)
        return reply
      })
    } catch ({ message }) {
      probe.since = undefined
      probe.failures[message] = (probe.failures[message] ?? 0) + 1
      await sleep(Math.max(EVERY, 20))
    }
  }
}

function note(probe, wait) {
  probe.longest = Math.max(probe.longest, wait)
  fill(probe.waits, wait)
}

/** Adds a wait, and those of the requests that would have been sent meanwhile. */
function fill(waits, wait) {
  for (let rest = wait; rest > 0 && waits.length < MOST; rest -= EVERY) waits.push(rest)
}

/** Takes the measurements since the last time. A request under way counts with its wait so far. */
function harvest(probe) {
  const { waits, failures, longest, since } = probe
  Object.assign(probe, { waits: [], failures: {}, longest: 0 })
  const waiting = since === undefined ? 0 : performance.now() - since
  fill(waits, waiting)
  waits.sort((a, b) => a - b)
  return {
    count: waits.length,
    longest: Math.max(longest, waiting),
    p999: waits[Math.floor(waits.length * 0.999)] ?? 0,
    failures
  }
}

function keepAlive() {
  return new Agent({ keepAlive: true, maxSockets: 1 })
}

/** @throws {Error} with the reason if there is no successful reply */
function send({ body, path, ...options }) {
  return new Promise((resolve, reject) => {
    const asked = request(`${url}${path}`, options, (reply) => {
      let text = ''
      reply
        .setEncoding('utf8')
        .on('data', (more) => {
          text += more
        })
        .on('error', reject)
        .on('end', () => {
          if (reply.statusCode >= 300) reject(new Error(`status ${reply.statusCode}`))
          else resolve(text === '' ? {} : JSON.parse(text))
        })
    })
    asked
      .on('error', ({ code, message }) => {
        reject(new Error(code ?? message))
      })
      .end(body)
  })
}
