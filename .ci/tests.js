// Runs an npm script of tests. The files in which something failed run again, alone: one that passes then depends on
// the load of the machine, and its name is printed.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

const [script] = process.argv.slice(2)
const folder = mkdtempSync(join(tmpdir(), 'tests-'))
process.on('exit', () => {
  rmSync(folder, { recursive: true })
})
const failedFiles = join(folder, 'failed')

const first = await run(`npm run ${script} -- --save=${failedFiles}`)
if (first.code === 0) process.exit(0)
const files = existsSync(failedFiles) ? readFileSync(failedFiles, 'utf8').split('\n').filter(Boolean) : []
if (files.length === 0) process.exit(first.code)

console.log(`\nFailed, and running once more, alone: ${files.join(' ')}`)
const again = await run(`npx tap --exclude=none --disable-coverage --jobs=1 --timeout=900 ${files.join(' ')}`)
console.log(again.code === 0 ? `Passed when run alone: ${files.join(' ')}` : 'Failed twice.')
if (first.lacksCoverage) console.log('Too few lines were covered.')
process.exit(first.lacksCoverage ? 1 : again.code)

/** Runs a command, and shows what it prints. */
async function run(command) {
  const child = spawn(`${command} 2>&1`, {
    shell: true,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, TEST_ALL: '1' }
  })
  let lacksCoverage = false
  for await (const line of createInterface({ input: child.stdout })) {
    console.log(line)
    if (/Coverage for .* does not meet/.test(line)) lacksCoverage = true
  }
  const code = child.exitCode ?? (await once(child, 'exit'))[0]
  return { code: code ?? 1, lacksCoverage }
}
