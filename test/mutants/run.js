import { spawnSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { GROUPS } from './groups.js'

// Makes and tries the mutants of all groups, or of those that are named, and reports what became of them.

const run = (command, args, env = {}) => {
  const { status } = spawnSync('npx', [command, ...args], { stdio: 'inherit', env: { ...process.env, ...env } })
  if (status !== 0) process.exit(status ?? 1)
}

const named = process.argv.slice(2)
if (named.length === 0) rmSync('.stryker-tmp', { recursive: true, force: true })
for (const group of named.length === 0 ? Object.keys(GROUPS) : named) {
  run('stryker', ['run', 'test/mutants/stryker.config.js'], { MUTANTS: group })
}
run('tap', ['--disable-coverage', 'test/mutants/report.ts'])
