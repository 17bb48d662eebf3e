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

/** How each kind of file is run in a project that has svc-mock installed. */
const RUNNERS: readonly (readonly [
  suffix: string,
  command: string,
  args: (file: string) => string[],
  success: RegExp
])[] = [
  ['.test.mjs', process.execPath, (file) => ['--test', '--test-reporter=tap', file], /^# pass [1-9][^]*^# fail 0$/m],
  ['.test.js', process.execPath, (file) => ['--test', '--test-reporter=tap', file], /^# pass [1-9][^]*^# fail 0$/m]
]

for (const [document, type, suffixes] of [
  // What `npm init` makes.
  ['README.md', 'commonjs', ['.test.mjs']],
  ['docs/node.md', 'module', ['.test.js']]
] as const) {
  void t.test(`the examples of ${document} run in a project of their own`, async (t) => {
    const project = t.testdir({ 'package.json': JSON.stringify({ type, private: true }) })
    mkdirSync(join(project, 'node_modules'))
    symlinkSync(ROOT, join(project, 'node_modules/svc-mock'))
    const files = filesOf(document)
    for (const [name, code] of files) {
      mkdirSync(dirname(join(project, name)), { recursive: true })
      writeFileSync(join(project, name), code)
    }
    for (const [suffix, command, args, success] of RUNNERS.filter(([suffix]) =>
      suffixes.some((name) => name === suffix)
    )) {
      const [file] = [...files.keys()].filter((name) => name.endsWith(suffix))
      t.ok(file, `there is an example ${suffix}`)
      const { stdout } = await run(command, args(file!), { cwd: project })
      t.match(stdout, success, file!)
    }
  })
}
