import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t from 'tap'
import { read } from './doc-parts.js'
import { MAIN } from './helper.js'
import { plainEnvironment } from './programs.js'

const run = promisify(execFile)

void t.test('the tutorial finds its bug, and its fix works', async (t) => {
  const page = read('docs/tutorial.md')
  const program = read('examples/tutorial/provision.mjs')
  const [line, fix] = [...page.matchAll(/^```js\n(const ensure = .*?)\n```$/gms)].map(([, code]) => code!)
  t.ok(program.includes(line!), 'the page shows the line of the program')
  const directory = t.testdir()
  const file = join(directory, 'provision.mjs')
  const svcMock = async (...args: string[]) =>
    run(process.execPath, [MAIN, ...args, '--', process.execPath, file], { env: plainEnvironment() }).then(
      ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
      (error: unknown) => error as { code: number; stdout: string; stderr: string }
    )
  writeFileSync(file, program)
  t.match(await svcMock('run', '--transitions', 'realistic', '--virtual-time'), { code: 0, stderr: /writer .*Active/ })
  const explore = () => svcMock('explore', '--only', 'lost', '--report', join(directory, 'explore'))
  const found = await explore()
  t.equal(found.code, 1)
  t.equal(found.stdout.match(/^duplicate /gm)?.length, 2)

  writeFileSync(
    file,
    program.replace(line!, () => fix!)
  )
  t.match(await explore(), { code: 0, stdout: /^Nothing found in 2 plans/m })
})
