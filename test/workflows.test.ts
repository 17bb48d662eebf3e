import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import t from 'tap'
import { parse } from 'yaml'
import { read } from './doc-parts.js'

// Workflows run only where the project is hosted. These tests read them, so that mistakes do not wait for a release.

const ROOT = new URL('../', import.meta.url)
const FOLDER = '.github/workflows/'

type Permissions = Readonly<Record<string, string>> | string
interface Step {
  readonly uses?: string
  readonly run?: string
  readonly with?: Readonly<Record<string, unknown>>
}
interface Matrix {
  readonly os: readonly string[]
  readonly node: readonly string[]
  readonly exclude: readonly { readonly os: string; readonly node: string }[]
}
interface Job {
  readonly needs?: string
  readonly uses?: string
  readonly steps?: readonly Step[]
  readonly permissions?: Permissions
  readonly 'timeout-minutes'?: number
  readonly container?: { readonly image: string }
  readonly strategy?: { readonly matrix: Matrix }
}
interface Workflow {
  readonly on: Readonly<Record<string, unknown>>
  readonly permissions?: Permissions
  readonly jobs: Readonly<Record<string, Job>>
}

const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }
const workflow = (name: string) => parse(read(`${FOLDER}${name}`)) as Workflow
const test = workflow('test.yml')
const release = workflow('release.yml')

const PINNED_ACTION = /^[\w.-]+\/[\w./-]+@[\da-f]{40}$/
const PINNED_IMAGE = /(?::\d[\w.-]*|@sha256:[0-9a-f]{64})$/
/** Commands of npm that run no script of the package by name. */
const NPM_COMMANDS = ['ci', 'publish']

const stepsOf = ({ jobs }: Workflow) => Object.values(jobs).flatMap(({ steps = [] }) => steps)
/** Splits a script into its commands. */
const commandsOf = (text: string) =>
  text
    .split(/\n|&&/)
    .map((command) => command.trim())
    .filter(Boolean)
const existing = (path: string) => existsSync(new URL(path, ROOT))

function problemsOf({ permissions, jobs }: Workflow): string[] {
  return [
    ...(permissions === undefined ? ['declares no permissions'] : []),
    ...writable(permissions).map((name) => `lets every job write ${name}`),
    ...Object.entries(jobs).flatMap(([name, job]) => jobProblems(job, jobs).map((problem) => `${name} ${problem}`))
  ]
}

function jobProblems(job: Job, jobs: Workflow['jobs']): string[] {
  const { needs, uses, steps = [], container } = job
  return [
    ...(needs !== undefined && !Object.hasOwn(jobs, needs) ? [`needs ${needs}, which is not a job`] : []),
    ...(uses === undefined ? [] : useProblems(uses)),
    ...(uses === undefined && job['timeout-minutes'] === undefined ? ['may run for ever'] : []),
    ...(job.permissions === 'write-all' ? ['may write everything'] : []),
    ...(container !== undefined && !PINNED_IMAGE.test(container.image) ? [`runs in any ${container.image}`] : []),
    ...steps.flatMap(stepProblems)
  ]
}

function stepProblems({ uses, run, with: inputs }: Step): string[] {
  return [
    ...(uses === undefined ? [] : useProblems(uses)),
    ...(uses?.startsWith('actions/checkout@') === true && inputs?.['persist-credentials'] !== false
      ? ['leaves its token in the checkout']
      : []),
    // The value of an expression would become part of the script.
    ...(run?.includes('${{') === true ? [`puts an expression into a script: ${run}`] : []),
    ...commandsOf(run ?? '').flatMap(commandProblems)
  ]
}

function useProblems(uses: string): string[] {
  if (uses.startsWith('./')) return existing(uses) ? [] : [`uses ${uses}, which does not exist`]
  return PINNED_ACTION.test(uses) ? [] : [`uses ${uses} without a pinned version`]
}

function commandProblems(command: string): string[] {
  const [program, first = '', second = ''] = command.split(' ')
  const lacking = (script: string) => (Object.hasOwn(scripts, script) ? [] : [`runs ${script}, which is not a script`])
  if (program === 'npm') return NPM_COMMANDS.includes(first) ? [] : lacking(first === 'run' ? second : first)
  if (program !== 'node') return []
  const source = first.replace(/^"\$GITHUB_ACTION_PATH\/dist\/(.+)\.js"$/, 'src/$1.ts')
  if (!existing(source)) return [`runs ${first}, which does not exist`]
  return first === '.ci/tests.js' ? lacking(second) : []
}

function writable(permissions: Permissions | undefined): string[] {
  if (permissions === undefined || permissions === 'read-all') return []
  if (typeof permissions === 'string') return ['everything']
  return Object.keys(permissions).filter((name) => permissions[name] === 'write')
}

for (const name of readdirSync(new URL(FOLDER, ROOT))) {
  void t.test(`${name} pins what it uses, has only the permissions that it needs, and calls what exists`, async (t) => {
    t.not(stepsOf(workflow(name)).length, 0)
    t.strictSame(problemsOf(workflow(name)), [])
  })
}

void t.test('action.yml calls what exists, without putting its inputs into scripts', async (t) => {
  const { runs } = parse(read('action.yml')) as { readonly runs: { readonly steps: readonly Step[] } }
  t.strictSame(runs.steps.flatMap(stepProblems), [])
})

void t.test('test.yml runs every command of .ci/run', async (t) => {
  const wanted = commandsOf(read('.ci/run').trim().split('\n').at(-1)!)
  const called = stepsOf(test).flatMap(({ run = '' }) => commandsOf(run))
  t.ok(wanted.includes('npm ci') && wanted.length > 3, 'there are some')
  for (const command of wanted) t.ok(called.includes(command), command)
})

void t.test('test.yml tests every supported Node, the first and the last on every system', async (t) => {
  const { os, node, exclude } = test.jobs['test']!.strategy!.matrix
  // The package supports Node 1.2, 3 and 4, …
  const supported = /^The package supports Node .*$/m.exec(read('docs/node.md'))![0].match(/\d+(?:\.\d+)?/g)!
  const majors = (versions: readonly string[]) => versions.map((version) => version.split('.', 1)[0])
  t.strictSame(majors(node), majors(supported))
  const { engines } = JSON.parse(read('package.json')) as { engines: { node: string } }
  for (const version of supported.filter((version) => version.includes('.')))
    t.ok(engines.node.split(' || ').includes(`^${version}.0`), `${version} is the first of its line`)
  t.match(engines.node, new RegExp(`>=${supported.find((version) => !version.includes('.'))}\\.0\\.0$`))

  const systems = os.map((name) => name.split('-', 1)[0])
  t.strictSame(systems, ['ubuntu', 'macos', 'windows'])
  const ends = [node[0], node.at(-1)]
  for (const left of exclude) {
    t.not(left.os.startsWith('ubuntu'), true, 'all versions run on one system')
    t.ok(os.includes(left.os) && node.includes(left.node) && !ends.includes(left.node), `${left.os}, ${left.node}`)
  }
})

void t.test('release.yml runs on version tags, after the tests, with only the permissions that it needs', async (t) => {
  t.strictSame(release.on, { push: { tags: ['v[0-9]+.[0-9]+.[0-9]+'] } })
  const jobs = Object.entries(release.jobs).map(([name, { needs, permissions }]) => [name, needs, permissions])
  t.strictSame(jobs, [
    ['check', undefined, { contents: 'read' }],
    ['test', 'check', { contents: 'read' }],
    ['package', 'test', { contents: 'read', 'id-token': 'write' }],
    ['image', 'test', { contents: 'read', packages: 'write', 'id-token': 'write' }],
    ['release', 'package', { contents: 'write' }]
  ])
  t.equal(release.jobs['test']!.uses, `./${FOLDER}test.yml`)
  t.ok('workflow_call' in test.on)
  t.ok(release.jobs['package']!.steps!.some(({ run }) => run === 'npm publish'))
  const image = release.jobs['image']!.steps!
  const build = image.find(({ uses }) => uses?.startsWith('docker/build-push-action@'))
  t.match(build?.with, { platforms: 'linux/amd64,linux/arm64', push: true, provenance: 'mode=max', sbom: true })
  t.match(read('Dockerfile'), /^ARG VERSION\b/m, 'the argument that it passes')
  t.match(image.at(-1)!.run, /^cosign sign --yes "\$IMAGE@\$DIGEST"$/, 'it signs the digest, not a tag')
})

void t.test('the checks of release.yml refuse a release that is not ready', async (t) => {
  const checks = release.jobs['check']!.steps!.flatMap(({ run }) => run ?? [])
  const passes = (tag: string, heading: string, registry = 'registry.example') => {
    const cwd = t.testdir({
      'package.json': '{ "version": "1.2.3" }',
      'CHANGELOG.md': `# Changelog\n\n${heading}\n\n### Added\n`
    })
    const env = { PATH: process.env['PATH'], GITHUB_REF_NAME: tag, IMAGE_REGISTRY: registry }
    return checks.map((script) => spawnSync('bash', ['-e', '-c', script], { cwd, env }).status === 0)
  }
  t.strictSame(passes('v1.2.3', '## 1.2.3 (2026-01-31)'), [true, true, true])
  t.strictSame(passes('v1.2.4', '## 1.2.4 (2026-01-31)'), [false, true, true])
  t.strictSame(passes('v1.2.3', '## 1.2.3 (unreleased)'), [true, false, true])
  t.strictSame(passes('v1.2.3', '## 1.2.3 (2026-01-31)', ''), [true, true, false])
})
