import { execFile } from 'node:child_process'
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import t from 'tap'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const run = promisify(execFile)

/** The blocks of code of a document that begin with the name of a file. */
function filesOf(document: string): Map<string, string> {
  const blocks = readFileSync(join(ROOT, document), 'utf8').matchAll(/^```js\n\/\/ (\S+)\n(.*?)^```$/gms)
  return new Map([...blocks].map(([, name, code]) => [name!, code!]))
}

for (const [document, type, suffix] of [
  // What `npm init` makes.
  ['README.md', 'commonjs', '.test.mjs'],
  ['docs/node.md', 'module', '.test.js']
] as const) {
  void t.test(`the example of ${document} runs in a project of its own`, async (t) => {
    const project = t.testdir({ 'package.json': JSON.stringify({ type, private: true }) })
    mkdirSync(join(project, 'node_modules'))
    symlinkSync(ROOT, join(project, 'node_modules/svc-mock'))
    const files = filesOf(document)
    for (const [name, code] of files) {
      mkdirSync(dirname(join(project, name)), { recursive: true })
      writeFileSync(join(project, name), code)
    }
    const file = [...files.keys()].find((name) => name.endsWith(suffix))
    t.ok(file, `there is an example ${suffix}`)
    const { stdout } = await run(process.execPath, ['--test', '--test-reporter=tap', file!], { cwd: project })
    t.match(stdout, /^# pass [1-9][^]*^# fail 0$/m)
  })
}
