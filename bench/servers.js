// Common parts of the benchmarks: servers as processes, load, and medians.
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import autocannon from 'autocannon'

export const CONNECTIONS = 32
/** The unit of times in /proc, which is a hundredth of a second on all platforms of Node. */
const TICK_US = 10_000

/** Starts a server that prints a line with its URL. */
export async function start(args, options = {}) {
  const server = launch(process.execPath, args, options)
  for await (const line of createInterface(server.child.stdout)) {
    const url = /http:\/\/[\w.:[\]]+:\d+/.exec(line)?.[0]
    if (url === undefined) continue
    server.child.stdout.resume()
    return { ...server, url }
  }
  throw new Error(`${args.join(' ')} did not start`)
}

/** Starts a process that does not outlive this one. */
export function launch(command, args, options = {}) {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'], ...options })
  const stop = () => child.kill('SIGKILL')
  process.once('exit', stop)
  const exited = new Promise((resolve) => {
    child.once('exit', resolve)
  })
  return {
    child,
    pid: child.pid,
    stop: () => {
      stop()
      return exited
    }
  }
}

/** Load creates more resources than a sandbox may have by default. */
export const NO_LIMIT = ['--max-resources', '100000000']

/** Starts the mock, with its database in a directory. */
export function startMock(directory, ...args) {
  return start([
    'dist/cli/main.js',
    'serve',
    '--port',
    '0',
    '--log-level',
    'warn',
    '--db',
    `${directory}/bench.db`,
    ...NO_LIMIT,
    ...args
  ])
}

/** Posts a body. @returns the Result */
export async function post(url, headers, body) {
  const reply = await fetch(url, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(body)
  })
  if (!reply.ok) throw new Error(`POST ${url}: ${await reply.text()}`)
  return (await reply.json()).Result
}

/**
 * Loads a server for some seconds.
 * @param isRefused whether errors are expected
 * @returns requests per second, bytes per reply, and microseconds of the server's CPU time per request
 */
export async function load({ pid, ...subject }, seconds, isRefused = false) {
  const before = cpuOf(pid)
  const { requests, errors, non2xx, throughput } = await autocannon({
    connections: CONNECTIONS,
    duration: seconds,
    ...subject
  })
  if (errors > 0 || non2xx > 0 !== isRefused)
    throw new Error(`${subject.method ?? 'GET'} ${subject.url}: ${non2xx} refused, ${errors} failed`)
  return {
    rate: requests.average,
    bytes: throughput.total / requests.total,
    cpu: (cpuOf(pid) - before) / requests.total
  }
}

/** The CPU time of a process, in microseconds. */
export function cpuOf(pid) {
  const [user, system] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ').slice(11, 13)
  return (Number(user) + Number(system)) * TICK_US
}

/** The memory of a process, in MiB. */
export function memoryOf(pid) {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) / 1024
}

/**
 * Measures subjects in alternation, so that their ratios mean something on a noisy machine.
 * @param measure returns an object of numbers
 * @returns the medians of these numbers, for each subject
 */
export async function alternate(subjects, rounds, measure) {
  const results = subjects.map(() => [])
  for (let round = 0; round <= rounds; round++) {
    for (const [index, subject] of subjects.entries()) {
      // Round 0 warms up.
      const result = await measure(subject, round === 0)
      if (round > 0) results[index].push(result)
    }
    console.error(`round ${round} of ${rounds}${round === 0 ? ' (warm-up)' : ''}`)
  }
  return results.map((ofSubject) =>
    Object.fromEntries(Object.keys(ofSubject[0]).map((name) => [name, median(ofSubject.map((result) => result[name]))]))
  )
}

export function median(numbers) {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)]
}
