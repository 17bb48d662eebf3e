import { resolve } from 'node:path'
import { describeGuard } from '../http/test-control/guard.js'
import { VERSION } from '../lib/version.js'
import type { RunningServer } from '../node/serve.js'
import type { Options } from '../options.js'

const ACCESS: Readonly<Record<Options['auth'], string>> = {
  any: 'any API key, each with its own sandbox',
  strict: 'the keys of --api-key (for the call below, set KEY to one of them)',
  off: 'no key needed, one sandbox for everybody'
}

/** What a terminal shows at the start: where everything is, and a command that works as it stands. */
export function bannerOf({ url, controller }: Pick<RunningServer, 'url' | 'controller'>, options: Options): string {
  const address = reachable(url)
  const workgroups = `${reachable(controller)}/workgroups`
  const call = {
    any: `curl -H 'x-api-key: demo' ${workgroups}`,
    strict: `curl -H "x-api-key: $KEY" ${workgroups}`,
    off: `curl ${workgroups}`
  }[options.auth]
  const rows = {
    Interface: reachable(controller),
    Console: `${address}/_mock/`,
    'API docs': `${address}/docs`,
    Data: options.db === ':memory:' ? 'in memory, gone at the end' : resolve(options.db),
    Access: `${ACCESS[options.auth]}; control API: ${describeGuard(options)}`,
    'Try it': call
  }
  const lines = Object.entries(rows).map(([name, value]) => `  ${name.padEnd(9)}  ${value}`)
  return `\nsvc-mock ${VERSION}\n\n${lines.join('\n')}\n\n`
}

/** An address that a client on this machine can call, also if the server listens on all addresses. */
export function reachable(url: string): string {
  return url.replace('//0.0.0.0:', '//127.0.0.1:').replace('//[::]:', '//[::1]:')
}
