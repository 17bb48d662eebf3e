import { setTimeout as sleep } from 'node:timers/promises'
import type { Command } from '../helper.js'

/** On a signal, collects garbage and writes the memory of the process to standard error. */
const GAUGE = `import v8 from 'node:v8'; import vm from 'node:vm'
v8.setFlagsFromString('--expose-gc'); const gc = vm.runInNewContext('gc')
process.on('SIGUSR2', () => {
  gc(); const { rss, heapUsed, external } = process.memoryUsage()
  process.stderr.write('memory ' + JSON.stringify({ rss, heapUsed, external }) + '\\n')
})`

/** Options of Node for a server whose memory is measured. */
export const GAUGED = ['--import', `data:text/javascript,${encodeURIComponent(GAUGE)}`]

/** Memory of the server's process after a garbage collection. */
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
