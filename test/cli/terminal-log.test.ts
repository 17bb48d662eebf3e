import { spawn } from 'node:child_process'
import t from 'tap'
import { MAIN } from '../helper.js'
import { findProgram } from '../programs.js'

const [STOP, GO_ON, INTERRUPT] = ['\x13', '\x11', '\x03']

void t.test(
  'on a terminal the log is readable, and a terminal that is stopped keeps nobody waiting',
  {
    skip:
      process.platform === 'linux' && findProgram('script') !== undefined ? false : 'needs the program script of Linux'
  },
  async (t) => {
    const child = spawn(
      'script',
      // `exec`, because a shell that stays in between would die of the interrupt and hide the server's exit code.
      ['-qec', `exec "${process.execPath}" "${MAIN}" serve --port 0 --db :memory:`, '/dev/null'],
      { stdio: ['pipe', 'pipe', 'inherit'] }
    )
    const exited = new Promise((resolve) => {
      child.on('exit', resolve)
    })
    t.teardown(async () => {
      child.kill('SIGKILL')
      await exited
    })
    let screen = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      screen += text
    })
    const seen = async (pattern: RegExp) => {
      for (;;) {
        const match = pattern.exec(screen)
        if (match !== null) return match
        await new Promise((resolve) => {
          child.stdout.once('data', resolve)
        })
      }
    }
    const [, url] = await seen(/listening on (http:\S+),/)
    t.match(screen, /^\S*\[?\d\d:\d\d:\d\d/, 'it is no JSON')
    child.stdin.write(STOP)
    for (let i = 0; i < 200; i++) await (await fetch(`${url}/nothing-${i}-${'x'.repeat(2000)}`)).text()
    t.notMatch(screen, /nothing-199/, 'it is stopped')
    child.stdin.write(GO_ON)
    await seen(/nothing-199/)
    child.stdin.write(INTERRUPT)
    await seen(/stopping/)
    t.equal(await exited, 0)
  }
)
