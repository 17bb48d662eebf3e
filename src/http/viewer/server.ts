import type { AddressInfo } from 'node:net'
import { basename } from 'node:path'
import { Readable } from 'node:stream'
import Fastify, { type FastifyReply, type FastifyRequest } from 'fastify'
import { isLoopback } from '../../lib/ip.js'
import { listenError } from '../../lib/listen-error.js'
import { RecordingError } from '../../recording/recording-error.js'
import { NO_COMPILERS } from '../no-compilers.js'
import { CONSOLE_HEADERS, readConsole } from '../static-page.js'
import { servedPage } from './pages.js'

const HOST = '127.0.0.1'

/** A recording to show. */
export interface Shown {
  readonly file: string
  /** The lines of its view, from a step on. */
  readonly view: (from: number) => AsyncGenerator<string>
}

interface RecordingServer {
  /** One for each recording. */
  readonly urls: readonly string[]
  readonly close: () => Promise<void>
}

/**
 * Shows recordings to browsers on this machine. Nothing can be changed, so no credential is needed.
 * @param port 0: a free one
 * @throws {ListenError} if the port cannot be used
 */
export async function serveRecordings(recordings: readonly Shown[], port: number): Promise<RecordingServer> {
  const files = await readConsole()
  const names = recordings.map(({ file }) => basename(file))
  const areDistinct = new Set(names).size === names.length
  const listed = recordings.map(({ file }, index) => ({
    name: areDistinct ? names[index]! : file,
    path: `../${index + 1}/`
  }))
  const app = Fastify({
    exposeHeadRoutes: false,
    forceCloseConnections: true,
    schemaController: NO_COMPILERS,
    // For a malformed URL, which no hook has seen.
    frameworkErrors: (_error, request, reply) => {
      void (refuseForeign(request, reply) ?? refuse(reply, 404, NO_FILE))
    }
  })
  app.addHook('onRequest', async (request, reply) => refuseForeign(request, reply))
  app.setErrorHandler((_error, _request, reply) => refuse(reply, 500, 'The recording cannot be shown.'))
  app.setNotFoundHandler((_request, reply) => refuse(reply, 404, NO_FILE))
  app.get('/', (_request, reply) => reply.redirect('1/'))
  for (const [index, { view }] of recordings.entries()) {
    const path = `/${index + 1}`
    const page = servedPage(files, listed, index)
    app.get(path, (_request, reply) => reply.redirect(`${index + 1}/`))
    app.get(`${path}/`, (_request, reply) => reply.type('text/html; charset=utf-8').send(page))
    app.get<{ Querystring: { from?: string } }>(`${path}/steps`, async ({ query: { from = '1' } }, reply) => {
      if (!/^[1-9]\d{0,14}$/.test(from)) return refuse(reply, 400, 'from must be the number of a step.')
      const lines = view(Number(from))
      // An error in a recording shows before its first line.
      const first = await lines.next().catch((error: unknown) => {
        if (error instanceof RecordingError) return error
        throw error
      })
      if (first instanceof RecordingError) return refuse(reply, 400, first.message)
      const text = Readable.from(withEnds(String(first.value), lines))
      return reply.type('application/x-ndjson; charset=utf-8').send(text)
    })
    app.get<{ Params: { name: string } }>(`${path}/assets/:name`, ({ params: { name } }, reply) => {
      const asset = files.assets.get(name)
      if (asset === undefined) reply.callNotFound()
      else void reply.type(asset.type).send(asset.content)
    })
  }
  await app.listen({ port, host: HOST }).catch((error: unknown) => {
    throw listenError(error, { host: HOST, port })
  })
  const { port: own } = app.server.address() as AddressInfo
  return {
    urls: recordings.map((_, index) => `http://${HOST}:${own}/${index + 1}/`),
    close: () => app.close()
  }
}

async function* withEnds(first: string, rest: AsyncGenerator<string>): AsyncGenerator<string> {
  yield `${first}\n`
  for await (const line of rest) yield `${line}\n`
}

const NO_FILE = 'There is no such file.'

/** Begins each reply. @returns a refusal of requests that are not reads, or may come from a foreign page */
function refuseForeign({ headers, method }: FastifyRequest, reply: FastifyReply): FastifyReply | undefined {
  void reply.headers({ ...CONSOLE_HEADERS, 'cache-control': 'no-cache' })
  // Another name may have been made to resolve to this machine (DNS rebinding).
  const host = (headers.host ?? '').replace(/:\d+$/, '').toLowerCase()
  if (host !== 'localhost' && !isLoopback(host)) return refuse(reply, 403, 'Open it at the address that was printed.')
  return method === 'GET' ? undefined : refuse(reply, 405, 'Recordings can only be read.')
}

/** Refuses in the envelope that the console reads everywhere. */
const refuse = (reply: FastifyReply, status: number, message: string) =>
  reply.code(status).send({ Error: true, Message: message })
