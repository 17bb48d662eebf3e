import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { CommandError, type CommandOptions, startCommand } from '../../src/run/command.js'
import { isAlive, until } from '../helper.js'
import { temporaryFolder } from '../temporary.js'

/** Starts a program in JavaScript, and collects what it writes. */
async function start(t: Test, program: string, options: Partial<CommandOptions> = {}) {
  const pieces: string[] = []
  const command = await startCommand({
    argv: [process.execPath, '-e', program],
    env: process.env,
    output: (piece) => pieces.push(String(piece)),
    ...options
  })
  t.teardown(() => command.end())
  return { command, text: () => pieces.join('') }
}

const STAY = 'setInterval(() => {}, 1000);'
const IGNORE_TERM = 'process.on("SIGTERM", () => {});'

void t.test("a command that does not exist or cannot be run is an error with a shell's exit code", async (t) => {
  const folder = temporaryFolder(t)
  const plain = join(folder, 'plain.txt')
  writeFileSync(plain, 'text', { mode: 0o600 })
  const options = { env: process.env, output: () => undefined }
  const failure = (argv: string[], cwd?: string) =>
    startCommand({ argv, ...options, ...(cwd === undefined ? {} : { cwd }) }).then(
      () => undefined,
      (error: unknown) => error
    )
  for (const argv of [['no-such-command-here'], [''], []])
    t.match(await failure(argv), { constructor: CommandError, exitCode: 127 })
  const nowhere = join(folder, 'nowhere')
  t.match(await failure([process.execPath], nowhere), { exitCode: 127, message: `folder ${nowhere}` })
  t.match(await failure([plain]), { constructor: CommandError, exitCode: 126 })
})

void t.test('the whole group is ended, and killed if it ignores SIGTERM', async (t) => {
  const child = `require("child_process").spawn(process.execPath, ["-e", ${JSON.stringify(
    `${IGNORE_TERM} console.log("child", process.pid); ${STAY}`
  )}], { stdio: "inherit" });`
  const { command, text } = await start(t, `${child} ${IGNORE_TERM} ${STAY}`, { graceMs: 50 })
  await until(() => /child \d+/.test(text()))
  const pid = Number(/child (\d+)/.exec(text())![1])
  t.match(await command.end(), { code: null, signal: 'SIGKILL' })
  await until(() => !isAlive(pid))
})

void t.test('children that a command leaves behind end with it', async (t) => {
  const child = `const child = require("child_process").spawn(process.execPath, ["-e", ${JSON.stringify(
    `console.log("child", process.pid); ${STAY}`
  )}], { stdio: ["ignore", "pipe", "ignore"] });
  child.stdout.once("data", (text) => { process.stdout.write(text, () => process.exit(0)) })`
  const { command, text } = await start(t, child)
  t.match(await command.ended, { code: 0, signal: null })
  const pid = Number(/child (\d+)/.exec(text())![1])
  await until(() => !isAlive(pid))
})
