import type { FastifyPluginCallback } from 'fastify'
import { notFound } from '../../interface/errors.js'
import { kept } from '../../lib/kept.js'
import type { Options } from '../../options.js'
import { CONSOLE_HEADERS, readConsole, sendFile, staticFile } from '../static-page.js'

/**
 * Serves the console at `/_mock/`. The page contains no data, so it needs neither a credential nor a token: it asks for
 * both and sends them with each call. Its files are read on first request.
 */
export const consolePage: FastifyPluginCallback<{ options: Options; directory?: URL }> = (
  app,
  { options, directory },
  done
) => {
  const page = kept(() => readPage(directory, options))
  const route = { config: { isControl: true, isPage: true }, schema: { hide: true } }
  app.addHook('onSend', (_request, reply, _payload, sent) => {
    void reply.headers(CONSOLE_HEADERS)
    sent()
  })

  // The page refers to its assets by relative URLs.
  app.get('/_mock', route, (_request, reply) => reply.redirect('_mock/', 308))

  app.get('/_mock/', route, async (_request, reply) => sendFile(reply, (await page()).html))

  app.get<{ Params: { name: string } }>('/_mock/assets/:name', route, async ({ params: { name } }, reply) => {
    const asset = (await page()).assets.get(name)
    if (asset === undefined) throw notFound('file', name)
    return sendFile(reply, asset, 'public, max-age=31536000, immutable')
  })

  done()
}

async function readPage(directory: URL | undefined, { auth, controlToken }: Options) {
  const { template, assets } = await readConsole(directory)
  // The page needs to know which secrets to ask for.
  const html = template.replace(
    'content="settings"',
    `content="auth=${auth} token=${controlToken === '' ? 'no' : 'yes'}"`
  )
  return { html: staticFile('index.html', html), assets }
}
