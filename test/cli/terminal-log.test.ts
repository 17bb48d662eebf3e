import { spawn } from 'node:child_process'
import t from 'tap'
import { MAIN } from '../helper.js'
import { findProgram } from '../programs.js'

const [STOP, GO_ON, INTERRUPT] = ['\x13', '\x11', '\x03']

void t.test(
  'on a terminal, the log is readable, and a paused terminal blocks nothing',
  {
    skip:
      process.platform === 'linux' && findProgram('script') !== undefined ? false : 'needs the program script of Linux'
  },
  async (t) => {
    const child = spawn(
      'script',
      // `exec`, because a shell in between would die of the interrupt and hide the server's exit code.
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
    const [, url] = await seen(/Interface +(http:\S+)\/controller\/v4\/v2\r?\n[^]*\n\r?\n$/)
    const [, key, target] = /curl -H 'x-api-key: (\S+)' (\S+)/.exec(screen)!
    await (await fetch(`${url}/_mock/ready`)).text()
    t.equal((await fetch(target!, { headers: { 'x-api-key': key! } })).status, 200, 'the curl works as it stands')
    await seen(/GET \/workgroups \S*200\S* <?\d+ ms demo\r?\n/)
    t.notMatch(screen, /ready/, 'probes are left out')
    t.notMatch(screen, /[{}]/, 'it is no JSON')
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
