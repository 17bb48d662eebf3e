import { randomBytes } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import type { Exchange } from '../fidelity/exchange.js'
import type { Kept } from '../fidelity/masking/thread.js'
import { vocabularyOf } from '../fidelity/masking/vocabulary.js'
import { startRecorder } from '../fidelity/recorder.js'
import { fileProblem } from '../lib/file-problem.js'
import { PRIVATE } from '../lib/private-file.js'
import { LONGEST_TIMER } from '../lib/time.js'
import { parsePath } from '../profile/path-template.js'
import { openProfile } from '../resources/open-profile.js'
import { readFlags } from './command.js'
import { RECORD_FLAGS } from './commands/record.js'
import { print, printError } from './print.js'
import { stopSignal } from './stop-signal.js'
import { durationOf, UsageError, wholeNumberOf, writeError } from './usage.js'

/** How long requests in flight may take after a signal. */
const GRACE_MS = 3000

/** Records the exchanges between a client and a service. @returns the exit code */
export async function recordCommand(args: string[]): Promise<number> {
  const { isDryRun, maskKeyFile, keep, profileFile, ...settings } = read(args)
  const vocabulary = vocabularyOf(await openProfile(profileFile))
  const options = { ...settings, masking: { key: await maskKeyIn(maskKeyFile), keep, vocabulary } }
  const counts = { all: 0, unanswered: 0, omitted: 0, lost: 0 }
  const recorder = await startRecorder({
    ...options,
    onExchange: (exchange, problem) => {
      counts.all++
      if (exchange.status === null) counts.unanswered++
      if (exchange.isBodyOmitted === true) counts.omitted++
      if (isDryRun) print(describe(exchange))
      else if (problem !== undefined) printError(lineOf(exchange, problem))
    },
    onTrouble: (error) => {
      if (counts.lost++ === 0)
        printError(
          `svc-mock: ${options.out ?? 'an exchange'} ${fileProblem(error, 'written')}; ` +
            'requests still pass, but are not recorded'
        )
    }
  }).catch((error: unknown) => {
    throw toUsageError(error, options.out)
  })
  print(
    `${isDryRun ? 'Showing' : `Recording to ${options.out!}`}: point the client at ${recorder.url} ` +
      `instead of ${options.upstream.origin}; stop with Ctrl+C.`
  )
  await stopSignal()
  await recorder.close(AbortSignal.timeout(GRACE_MS))
  if (isDryRun) print(describeKept(recorder.kept()))
  const { all, unanswered, omitted, lost } = counts
  printError(
    `svc-mock: ${all} exchanges, ${unanswered} without a reply, ${omitted} with an omitted body, ${lost} not written`
  )
  return lost === 0 ? 0 : 1
}

function read(args: string[]) {
  const { values } = readFlags(RECORD_FLAGS, args)
  const { upstream = '', out = '', force = false, host, timeout, 'max-body': maxBody, keep } = values
  const isDryRun = values['dry-run'] === true
  if (upstream === '') throw new UsageError('record needs --upstream URL')
  if (out === '' && !isDryRun) throw new UsageError('record needs --out FILE, or --dry-run')
  if (isDryRun && (out !== '' || force)) throw new UsageError('--dry-run writes nothing, so omit --out and --force')
  if (host === '') throw new UsageError('--host needs a value')
  if (values['mask-key'] === '') throw new UsageError('--mask-key needs the name of a file')
  for (const name of keep) checkKept(name)
  const port = wholeNumberOf('--port', values.port, 0, 65_535)
  const url = upstreamOf(upstream)
  if (isOwn(url, host, port))
    throw new UsageError('--upstream is the address of the proxy itself; give that of the service, or another --port')
  return {
    upstream: url,
    out: isDryRun ? undefined : out,
    force,
    host,
    port,
    maskKeyFile: values['mask-key'],
    timeout: durationOf('--timeout', timeout, { unit: 's', most: LONGEST_TIMER }),
    maxBody: wholeNumberOf('--max-body', maxBody, 0, 2 ** 23),
    allowedHost: values['allowed-host'],
    keep,
    profileFile: values.profile ?? '',
    isDryRun
  }
}

function checkKept(name: string): void {
  const path = name.startsWith('/') ? parsePath(name) : undefined
  if (typeof path === 'string') throw new UsageError(`--keep ${name} ${path}`)
  if (!/^\S+$/.test(name)) throw new UsageError('--keep needs the name of a field, or a path that begins with a slash')
}

function upstreamOf(text: string): URL {
  // Do not show the text, which may contain a password.
  if (!URL.canParse(text) || !/^https?:/i.test(text)) throw new UsageError('--upstream must be an http or https URL')
  const url = new URL(text)
  if (url.username + url.password !== '')
    throw new UsageError('--upstream takes no user or password: the client sends its credentials itself')
  if (url.search + url.hash !== '') throw new UsageError('--upstream takes no query, but may have a path')
  return url
}

/** Fewer characters could be guessed. */
const SHORTEST = 20

/** Reads the secret for masking, or creates one, in a file that only its owner can read; without a file, for once. */
async function maskKeyIn(file: string | undefined): Promise<string> {
  const fresh = randomBytes(32).toString('base64url')
  if (file === undefined) return fresh
  try {
    await writeFile(file, `${fresh}\n`, { flag: 'wx', mode: PRIVATE })
    return fresh
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST')
      throw new UsageError(`--mask-key: ${file} ${fileProblem(error, 'written')}`)
  }
  const key = await readFile(file, 'utf8').catch((error: unknown) => {
    throw new UsageError(`--mask-key: ${file} ${fileProblem(error, 'read')}`)
  })
  if (key.trim().length < SHORTEST)
    throw new UsageError(
      `--mask-key: ${file} has no secret of at least ${SHORTEST} characters; remove it for a new one`
    )
  return key.trim()
}

const LOOPBACK = /^(?:localhost|.+\.localhost|127\.[\d.]+|\[::1\])$/

/** Whether an address may be the proxy itself, which would then call itself endlessly. */
function isOwn({ hostname, port }: URL, host: string, ownPort: number): boolean {
  const isSame = hostname.replace(/^\[(.*)\]$/, '$1') === host.toLowerCase()
  return Number(port) === ownPort && (isSame || LOOPBACK.test(hostname))
}

function toUsageError(error: unknown, out = ''): unknown {
  const { path, syscall } = error as NodeJS.ErrnoException
  return path === out || syscall === 'write' ? writeError(out, error) : error
}

function lineOf({ method, path, status, sent, answered }: Exchange, problem: string | undefined): string {
  const line = `${method} ${path} ${status ?? 'none'} ${Math.round(answered - sent)} ms`
  return problem === undefined ? line : `${line} (${problem})`
}

/** An exchange as it would be written, in readable form. */
function describe(exchange: Exchange): string {
  const { query, requestHeaders, requestBody, headers, body, isBodyOmitted, reason = 'no JSON' } = exchange
  const path = query === '' ? exchange.path : `${exchange.path}?${query}`
  return [
    lineOf({ ...exchange, path }, undefined),
    ...part('> ', requestHeaders, requestBody),
    ...part('< ', headers, body),
    ...(isBodyOmitted === true ? [`  (a body is omitted: ${reason})`] : []),
    ''
  ].join('\n')
}

function part(prefix: string, headers: Readonly<Record<string, string>>, body: unknown): string[] {
  const text = body === undefined ? [] : typeof body === 'string' ? body : JSON.stringify(body, null, 2)
  return [...Object.entries(headers).map(([name, value]) => `${name}: ${value}`), ...[text].flat()]
    .flatMap((lines) => lines.split('\n'))
    .map((line) => `${prefix}${line}`)
}

/** The texts that were not replaced, for review. */
function describeKept(kept: Kept): string {
  const lines = [...kept].map(([field, texts]) => `  ${field === '' ? '(no field)' : field}: ${[...texts].join(' | ')}`)
  return ['These texts are kept:', ...lines.sort()].join('\n')
}
