import { setTimeout as sleep } from 'node:timers/promises'
import type { Command } from '../helper.js'

/**
 * Writes what the server's process takes up to its standard error, after a garbage collection, when it gets a signal.
 */
const GAUGE = `import v8 from 'node:v8'; import vm from 'node:vm'
v8.setFlagsFromString('--expose-gc'); const gc = vm.runInNewContext('gc')
process.on('SIGUSR2', () => {
  gc(); const { rss, heapUsed, external } = process.memoryUsage()
  process.stderr.write('memory ' + JSON.stringify({ rss, heapUsed, external }) + '\\n')
})`

/** Options of Node for a server whose memory is looked at. */
export const GAUGED = ['--import', `data:text/javascript,${encodeURIComponent(GAUGE)}`]

/** What the server's process keeps after a garbage collection. */
export async function memoryAfterCollection({
  child,
  errors
}: Command): Promise<{ rss: number; heapUsed: number; external: number }> {
  const known = errors().length
  child.kill('SIGUSR2')
  for (;;) {
    const [, found] = /memory (\{.*\})\n/.exec(errors().slice(known)) ?? []
    if (found !== undefined) return JSON.parse(found) as { rss: number; heapUsed: number; external: number }
    await sleep(20)
  }
}
