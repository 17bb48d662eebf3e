import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { basename } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { isLoopback } from '../../lib/ip.js'
import { ListenError } from '../../lib/listen-error.js'
import { RecordingError } from '../../recording/recording-error.js'
import { CONSOLE_HEADERS, readConsole } from '../console-files.js'
import type { StaticFile } from '../static-page.js'
import { servedPage } from './pages.js'

const HOST = '127.0.0.1'

/** A recording to show. */
export interface Shown {
  readonly file: string
  /** The lines of its view, beginning with a step. */
  readonly view: (from: number) => AsyncGenerator<string>
}

/** A server that shows recordings. */
interface RecordingServer {
  /** The address of each recording. */
  readonly urls: readonly string[]
  readonly close: () => Promise<void>
}

/**
 * Shows recordings to browsers on this machine. Nothing can be changed, so nobody is asked who they are.
 * @param port 0: a free one
 * @throws {ListenError} if the port cannot be used
 */
export async function serveRecordings(recordings: readonly Shown[], port: number): Promise<RecordingServer> {
  const files = await readConsole()
  const names = recordings.map(({ file }) => basename(file))
  const listed = recordings.map(({ file }, index) => {
    const name = names[index]!
    const isOnly = names.filter((other) => other === name).length === 1
    return { name: isOnly ? name : file, file, path: `../${index + 1}/` }
  })
  const pages = recordings.map((_, index) => servedPage(files, listed, index))
  const server = createServer((request, response) => {
    answer(request, response, { recordings, pages, assets: files.assets }).catch(() => {
      response.destroy()
    })
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const problem = error.code === 'EADDRINUSE' ? 'is in use' : `cannot be used (${error.code ?? error.message})`
      reject(new ListenError(`port ${port} of ${HOST} ${problem}; choose another --port`, { cause: error }))
    })
    server.listen(port, HOST, resolve)
  })
  const { port: own } = server.address() as AddressInfo
  return {
    urls: recordings.map((_, index) => `http://${HOST}:${own}/${index + 1}/`),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      })
  }
}

interface Contents {
  readonly recordings: readonly Shown[]
  readonly pages: readonly string[]
  readonly assets: ReadonlyMap<string, StaticFile>
}

interface Reply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly content: string | Buffer | AsyncGenerator<string>
}

async function answer(request: IncomingMessage, response: ServerResponse, contents: Contents): Promise<void> {
  const { status, headers, content } = await replyTo(request, contents)
  response.writeHead(status, { ...CONSOLE_HEADERS, 'cache-control': 'no-cache', ...headers })
  if (typeof content === 'string' || Buffer.isBuffer(content)) response.end(content)
  else await pipeline(Readable.from(content), response)
}

async function replyTo({ method, headers, url = '/' }: IncomingMessage, contents: Contents): Promise<Reply> {
  // Another name that leads here is a page of somebody else (DNS rebinding).
  const host = (headers.host ?? '').replace(/:\d+$/, '').toLowerCase()
  if (host !== 'localhost' && !isLoopback(host)) return refusal(403, 'Open it by the address that was printed.')
  if (method !== 'GET') return refusal(405, 'Recordings can only be read.')
  const { pathname, searchParams } = new URL(url, `http://${HOST}`)
  if (pathname === '/') return redirection('1/')
  const [, number = '', rest] = /^\/(\d{1,9})(\/.*)?$/.exec(pathname) ?? []
  const index = Number(number) - 1
  const page = contents.pages[index]
  if (page === undefined) return refusal(404, 'There is no such recording.')
  if (rest === undefined) return redirection(`${number}/`)
  if (rest === '/') return found('text/html; charset=utf-8', page)
  if (rest === '/steps') return steps(contents.recordings[index]!, searchParams.get('from') ?? '1')
  const asset = contents.assets.get(rest.replace('/assets/', ''))
  return asset === undefined ? refusal(404, 'There is no such file.') : found(asset.type, asset.content)
}

async function steps({ view }: Shown, from: string): Promise<Reply> {
  if (!/^[1-9]\d{0,14}$/.test(from)) return refusal(400, 'from must be the number of a step.')
  const lines = view(Number(from))
  try {
    // Whatever is wrong with a recording shows before its first line.
    const first = await lines.next()
    return found('application/x-ndjson; charset=utf-8', withEnds(String(first.value), lines))
  } catch (error) {
    if (error instanceof RecordingError) return refusal(400, error.message)
    throw error
  }
}

async function* withEnds(first: string, rest: AsyncGenerator<string>): AsyncGenerator<string> {
  yield `${first}\n`
  for await (const line of rest) yield `${line}\n`
}

const found = (type: string, content: Reply['content']): Reply => ({
  status: 200,
  headers: { 'content-type': type },
  content
})

const redirection = (location: string): Reply => ({ status: 302, headers: { location }, content: '' })

/** Refuses in the envelope that the console reads everywhere. */
const refusal = (status: number, message: string): Reply => ({
  status,
  headers: { 'content-type': 'application/json' },
  content: JSON.stringify({ Error: true, Message: message })
})
