import { spawnSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { GROUPS } from './groups.js'

// Makes and tries the mutants of all groups, or of those that are named, and reports what became of them. With
// --sample=<n>, tries about one of n, and reports how many of each file were noticed.

const run = (command, args, env = {}) => {
  const { status } = spawnSync('npx', [command, ...args], { stdio: 'inherit', env: { ...process.env, ...env } })
  if (status !== 0) process.exit(status ?? 1)
}

const {
  values: { sample },
  positionals: named
} = parseArgs({ options: { sample: { type: 'string' } }, allowPositionals: true })
if (sample !== undefined) process.env.SAMPLE = sample
// The reports of groups that are not named are kept, but not of another sample.
if (sample !== undefined) rmSync('.stryker-tmp/sample', { recursive: true, force: true })
else if (named.length === 0) rmSync('.stryker-tmp', { recursive: true, force: true })
for (const group of named.length === 0 ? Object.keys(GROUPS) : named) {
  run('stryker', ['run', 'test/mutants/stryker.config.js'], { MUTANTS: group })
}
run('tap', ['--disable-coverage', 'test/mutants/report.ts'])
