import { spawnSync } from 'node:child_process'
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import t from 'tap'
import { MAIN } from '../helper.js'
import { plainEnvironment } from '../programs.js'

const ESCAPES = '\x1b]0;title\x07\x1b[31m\x9b31m\r'
const MANY = 5000
const times = (count: number, item: (index: number) => string) => Array.from({ length: count }, (_, i) => item(i))
const json = JSON.stringify
/** A recording with a valid first line. */
const recording = (...lines: string[]) =>
  gzipSync([json({ kind: 'recording', format: 1, version: '0.1.0' }), ...lines].join('\n'))
const har = (...entries: object[]) => json({ log: { version: '1.2', creator: { name: ESCAPES }, entries } })
const entry = (url: string, text: string) => ({
  startedDateTime: '2026-01-01T00:00:00Z',
  time: 1,
  request: { method: 'GET', url, headers: [], queryString: [] },
  response: { status: 200, headers: [], content: { mimeType: 'application/json', text } }
})

/** Malicious files, and the commands that read them; FILE stands for each. */
const HOSTILE: Readonly<
  Record<string, readonly [files: Readonly<Record<string, string | Buffer>>, ...commands: string[]]>
> = {
  recordings: [
    {
      'random.svcmock': Buffer.from('c0ffee'.repeat(99), 'hex'),
      'empty.svcmock': '',
      'escapes.svcmock': ESCAPES,
      'lines.svcmock': gzipSync('\n'.repeat(5_000_000)),
      'bomb.svcmock': gzipSync(`{"kind":"${'a'.repeat(100_000_000)}`),
      'kinds.svcmock': recording(json({ kind: ESCAPES })),
      'deep.svcmock': recording('['.repeat(1_000_000)),
      'blank.svcmock': recording('\n'.repeat(5_000_000))
    },
    'recording info FILE',
    'show FILE --html page.html',
    'conform FILE'
  ],
  profiles: [
    {
      'many.yaml': `quotas:\n${times(MANY, (i) => `  k${i}: x\n`).join('')}`,
      'large.yaml': `name: ${'x'.repeat(2_000_000)}`,
      'deep.yaml': `a: ${'['.repeat(200_000)}`,
      'laughs.yaml': `a: &a [x,x]\n${times(9, (i) => `b${i}: &b${i} [${'*a,'.repeat(1000)}]\n`).join('')}`,
      'twice.yaml': 'name: x\n'.repeat(MANY),
      'escapes.yaml': '"\\e[31mred": 1\n"\\x9b31m": 2\n',
      'raw.yaml': `${ESCAPES}: ${ESCAPES}`,
      'latin.yaml': Buffer.from('name: \xff\xfe\n', 'latin1'),
      'nul.yaml': 'na\0me: x\n',
      'tabs.yaml': '\t\t:\n'.repeat(MANY),
      'more-tabs.yaml': '\t\t:\n'.repeat(250_000),
      'anchors.yaml': times(50_000, (i) => `- &a${i} x\n- *a${i}\n`).join(''),
      'questions.yaml': '? '.repeat(500),
      'keys.yaml': `${'{'.repeat(300)}a: b${'}: c'.repeat(300)}`
    },
    'profile check FILE',
    'serve --port 0 --db :memory: --seed-file FILE',
    'learn --openapi FILE'
  ],
  archives: [
    {
      'none.har': '{}',
      'many.har': har(...Array<object>(MANY).fill({ x: 1 })),
      'deep.har': '['.repeat(1_000_000),
      'deep-body.har': har(entry('http://x.example/workgroups', '['.repeat(1_000_000))),
      'escapes.har': har(entry(`http://x.example/${ESCAPES}`, ESCAPES)),
      'members.har': '{"log":{"__proto__":{"entries":[]},"entries":[{"__proto__":1}]}}',
      'blank.har': '\n'.repeat(5_000_000)
    },
    'conform FILE',
    'learn FILE'
  ],
  reports: [
    { 'plan.json': json({ plan: ESCAPES, more: Array(MANY).fill(ESCAPES) }), 'deep.json': '['.repeat(1_000_000) },
    'explore --report results --replay FILE -- true',
    'explore --report results --baseline FILE -- true'
  ]
}

for (const [kind, [files, ...commands]] of Object.entries(HOSTILE)) {
  void t.test(`hostile ${kind} are refused in a line that no terminal obeys, and nothing is written`, async (t) => {
    const cwd = t.testdir()
    for (const [name, content] of Object.entries(files)) writeFileSync(join(cwd, name), content)
    for (const name of Object.keys(files))
      for (const command of commands) {
        const args = command.split(' ').map((word) => (word === 'FILE' ? name : word))
        const { status, stdout, stderr } = spawnSync(process.execPath, [MAIN, ...args], {
          cwd,
          env: plainEnvironment(),
          encoding: 'utf8'
        })
        t.match(status, /^[12]$/, args.join(' '))
        // profile check prints a line for each problem.
        t.match(
          stderr,
          command.startsWith('profile check') ? /^svc-mock: .+\n(?: {2}.+\n)*$/ : /^svc-mock: .+\n$/,
          args.join(' ')
        )
        t.ok(stderr.length < 20_000, 'after the first mistakes')
        t.notMatch(stdout + stderr, /(?![\n\t])\p{Cc}/u, args.join(' '))
      }
    t.strictSame(readdirSync(cwd).sort(), Object.keys(files).sort())
  })
}
