// What the benchmarks share: servers in processes of their own, and medians.
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'

/** Starts a server that prints a line with its URL. */
export async function start(args) {
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  for await (const line of createInterface(child.stdout)) {
    const url = /http:\/\/[\d.]+:\d+/.exec(line)?.[0]
    if (url !== undefined) {
      child.stdout.resume()
      return { url, stop: () => child.kill() }
    }
  }
  throw new Error(`${args.join(' ')} did not start`)
}

/** The mock, with its database in a directory. */
export function startMock(directory, ...args) {
  return start(['dist/cli/main.js', 'serve', '--port', '0', '--log-level', 'warn', '--db', `${directory}/bench.db`, ...args])
}

/** Posts a body and answers the Result. */
export async function post(url, headers, body) {
  const reply = await fetch(url, { method: 'POST', headers: { ...headers, 'content-type': 'application/json' }, body: JSON.stringify(body) })
  if (!reply.ok) throw new Error(`POST ${url}: ${await reply.text()}`)
  return (await reply.json()).Result
}

export function median(numbers) {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)]
}
