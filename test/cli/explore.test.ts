import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { readExploreRequest } from '../../src/cli/explore-arguments.js'
import { USUAL_PLANS } from '../../src/explore/plans.js'
import type { ExploreReport } from '../../src/node/index.js'
import { CONTROLLER, pluck, runCommand, runToEnd } from '../helper.js'
import { readWhole } from '../recording/recordings.js'
import { temporaryFolder } from '../temporary.js'
import { CALL } from './client-script.js'

function explore(t: Test, folder: string, args: readonly string[], env: Record<string, string> = {}) {
  const { length } = args[0] === 'why' ? args.slice(0, 2) : []
  const report = ['--report', join(folder, 'out')]
  return runToEnd(t, ['explore', ...args.slice(0, length), ...report, ...args.slice(length)], env)
}

const reportIn = (folder: string) => JSON.parse(readFileSync(join(folder, 'out/report.json'), 'utf8')) as ExploreReport

/** A client in JavaScript. */
const client = (text: string) => ['--', process.execPath, '-e', `${CALL} (async () => { ${text} })()`]

/** Tries again without a look. */
const BLIND = client('await create().catch(create)')
const ONLY_LOST = ['--only', 'lost']

void t.test('a finding is told, written, and repeats', async (t) => {
  const folder = temporaryFolder(t)
  const { code, out } = await explore(t, folder, [...ONLY_LOST, ...BLIND], { GITHUB_ACTIONS: 'true' })
  t.equal(code, 1)
  t.match(out, /^::error title=svc-mock explore%3A duplicate::The reply to createWorkgroup <main> was lost/m)
  t.match(out, /^duplicate {2}The reply to createWorkgroup <main> was lost; .*two workgroups named <main> exist\.$/m)
  t.match(out, /^1 found in 1 plan and \d+ runs: /m)
  const { steps } = await readWhole(join(folder, 'out/plan-001.svcmock'))
  t.ok(steps.some((step) => step.kind === 'request' && step.fault !== undefined))
  t.match(reportIn(folder), { format: 1, plans: 1, recovered: 0, reported: 0 })
  const plan = join(folder, 'out/plan-001.json')
  for (const command of [BLIND, []]) {
    const again = await explore(t, folder, ['--replay', plan, ...command])
    t.equal(again.code, 1)
    t.match(again.out, /^duplicate/, 'the plan has its command')
  }
  const mended = client("await create().catch(async () => (await call('GET', '/workgroups')).length > 0 || create())")
  t.match(await explore(t, folder, ['--replay', plan, ...mended]), { code: 0, out: /Not reproduced/ })

  const known = await explore(t, folder, ['--baseline', join(folder, 'out/report.json'), ...ONLY_LOST, ...BLIND])
  t.equal(known.code, 0)
  t.match(reportIn(folder), { known: 1, findings: [] })
  t.ok(existsSync(plan), 'the report still has the finding')
  t.equal((await explore(t, folder, [...ONLY_LOST, ...mended])).code, 0)
  t.notOk(existsSync(plan), 'results of an earlier run are gone')
})

void t.test('what a plan leaves can be looked at until Ctrl-C', async (t) => {
  const folder = temporaryFolder(t)
  t.equal((await explore(t, folder, [...ONLY_LOST, ...BLIND])).code, 1)
  const args = ['explore', '--replay', join(folder, 'out/plan-001.json'), '--stay', ...BLIND]
  const { child, exited, seen, errors } = runCommand(t, args)
  await seen(/^duplicate.*\n/m)
  const place = /stays at (\S+)\/_mock\/ until Ctrl\+C; the key of the run is (\S+)\n/
  while (!place.test(errors())) await setTimeout(20)
  const [, url, key] = place.exec(errors())!
  const reply = await fetch(`${url}${CONTROLLER}/workgroups`, { headers: { 'x-api-key': key! } })
  const { Result: groups } = (await reply.json()) as { Result: readonly { readonly name: string }[] }
  t.strictSame(pluck(groups, 'name'), ['<main>', '<main>'])
  child.kill('SIGINT')
  t.strictSame(await exited, { code: 1, signal: null })
})

void t.test('a finding that compares plans repeats as well', async (t) => {
  const folder = temporaryFolder(t)
  const careless = client(`
    await create().catch(async ({ message }) => {
      if (message !== '503') throw new Error(message);
      await new Promise((resolve) => setTimeout(resolve, 30_001));
      await create()
    })`)
  const only = ['--only', 'dropped', '--only', 'unavailable']
  t.equal((await explore(t, folder, [...only, ...careless])).code, 1)
  const [{ plan, kind }] = reportIn(folder).findings as [ExploreReport['findings'][number]]
  t.equal(kind, 'inconsistent')
  const junit = readFileSync(join(folder, 'out/junit.xml'), 'utf8')
  t.match(junit, /<testsuites [^>]*tests="2" failures="1"/, 'its plan has no case without a finding')
  t.notMatch(readFileSync(join(folder, 'out/report.html'), 'utf8'), />reported</)
  t.equal((await explore(t, folder, ['--replay', join(folder, 'out', plan), ...careless])).code, 1)
})

void t.test('a client that is killed is run again, with the folder of its run', async (t) => {
  const folder = temporaryFolder(t)
  const text = `
    const fs = require('fs'), file = process.env.TMPDIR + '/created';
    if (fs.existsSync(file)) return;
    fs.writeFileSync(file, '');
    await create()`
  const { code, out } = await explore(t, folder, ['--only', 'killed-before', '--only', 'killed-after', ...client(text)])
  t.equal(code, 1, out)
  t.match(reportIn(folder), {
    plans: 2,
    recovered: 1,
    findings: [{ kind: 'not-recovered', faults: [{ kind: 'killed-before' }] }]
  })
  const recover = `${process.execPath} -e '${CALL.replaceAll("'", '"')} create()'`
  const other = await explore(t, folder, ['--only', 'killed-before', '--recover', recover, ...client(text)])
  t.equal(other.code, 0, other.out)
})

void t.test('a second run that cannot begin where the first one has been may have a folder of its own', async (t) => {
  const folder = temporaryFolder(t)
  const text = `
    require('fs').mkdirSync(process.env.TMPDIR + '/state');
    const group = (await call('GET', '/workgroups'))[0] ?? await create();
    const path = '/workgroups/' + group.workgroup_id;
    const { workspaces } = await call('GET', path);
    if (workspaces.length === 0) await call('POST', path + '/workspaces', { name: 'writer' })`
  const args = ['--only', 'forbidden', ...client(text)]
  t.match(await explore(t, folder, args), {
    code: 1,
    out: /run again, it failed before it called anything \(.*EEXIST.*maybe because of files/
  })
  t.match(await explore(t, folder, ['--fresh-recovery', ...args]), { code: 0 })
})

void t.test('a client that sends local times is asked about them', async (t) => {
  const local = client("await make('at-' + new Date(2026, 0, 1, 2).getUTCHours())")
  const { out } = await explore(t, temporaryFolder(t), ['--only', 'forbidden', ...local])
  t.match(out, /^Is this intended\? .*createWorkgroup at-\d+ depends on the time zone of the machine\.$/m)

  // The hour changes after the reference and its only plan.
  const folder = temporaryFolder(t)
  const runs = JSON.stringify(join(folder, 'runs'))
  const later = client(`require('fs').appendFileSync(${runs}, '.')
    await make('at-' + (require('fs').readFileSync(${runs}).length > 3 ? 'ten' : 'nine'))`)
  const changed = await explore(t, folder, ['--only', 'forbidden', ...later])
  t.notMatch(changed.out, /time zone|missing/)
})

/** Polls every half minute until a workspace is there; it may have a limit. */
const polls = (limit: string) => `
  const begin = Date.now(), wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
  const { workgroup_id: group } = await create();
  const path = '/workgroups/' + group + '/workspaces';
  const { workspace_id: id } = await call('POST', path, { name: 'writer' });
  for (let status; status !== 'Active'; await wait(30000)) {
    if (Date.now() - begin > ${limit}) {
      await call('DELETE', '/workgroups/' + group);
      throw new Error('too long')
    }
    ({ status } = await call('GET', path + '/' + id))
  }`
const LONG = ['--only', 'transition-held', '--only', 'transition-slow', '--timeout', '12s']

void t.test('waiting takes no time for a program in Node, so that it shows whether it has a limit', async (t) => {
  const folder = temporaryFolder(t)
  const forEver = await explore(t, folder, [...LONG, ...client(polls('Infinity'))])
  t.equal(forEver.code, 1, forEver.errors)
  t.match(reportIn(folder), { plans: 2, recovered: 1, findings: [{ kind: 'hang' }] })
  t.match(reportIn(folder).findings, [{ faults: [{ kind: 'transition-held' }] }], 'what takes long ends')

  const careful = await explore(t, folder, ['--one-shot', ...LONG, ...client(polls('30 * 60000'))])
  t.equal(careful.code, 0, careful.out)
  t.match(reportIn(folder), { plans: 2, reported: 2 })

  const realistic = ['--virtual-time', '--transitions', 'realistic', '--only', 'lost']
  t.equal((await explore(t, folder, [...realistic, ...client(polls('30 * 60000'))])).code, 1, 'nobody looks again')
})

void t.test('where waiting takes no time, tasks that are slow to start count as concurrent', async (t) => {
  const tasks = `
    const list = () => call('GET', '/workgroups');
    const first = list();
    const one = first.catch(() => new Promise((resolve) => setTimeout(resolve, 30_000)).then(list));
    await first.catch(() => undefined);
    const begin = process.hrtime.bigint();
    while (process.hrtime.bigint() - begin < 60_000_000n);
    await Promise.all([one, list()])`
  const { code, out } = await explore(t, temporaryFolder(t), ['--only', 'read-too-many', ...client(tasks)])
  t.equal(code, 0, out)
})

void t.test('where waiting takes no time, a client has to wait for what it has begun, if it can', async (t) => {
  const folder = temporaryFolder(t)
  const make = (andThen: string) => `
    const { workgroup_id: group } = await create();
    let made = await call('POST', '/workgroups/' + group + '/workspaces', { name: 'writer' });
    const read = () => call('GET', '/workgroups/' + group);
    ${andThen}`
  const looks = make(`while (made.status !== 'Active') made = (await read()).workspaces[0]`)
  const { out } = await explore(t, folder, ['--only', 'read-unavailable', ...client(looks)])
  t.match(out, /^forgotten {2}A 503 answered getWorkgroup <main>/m)
  t.notMatch(out, /does not check/, 'a list shows how the transition ends')
  const hurries = make(`if (made.status !== 'Active') throw new Error(made.status)`)
  const impatient = await explore(t, folder, ['--only', 'read-unavailable', ...client(hurries)])
  t.match(
    impatient.out,
    /Is this intended\? Without any fault, the client fails unless transitions are instant .*Creating/
  )
  t.equal(impatient.code, 0, impatient.errors)
})

void t.test('who seems to hang has a chance in real time: there may be a limit that only that reaches', async (t) => {
  const folder = temporaryFolder(t)
  const polls = (limit: string) => `
    const begin = process.hrtime.bigint();
    const { workgroup_id: group } = await create();
    const { workspace_id: id } = await call('POST', '/workgroups/' + group + '/workspaces', { name: 'writer' });
    while ((await call('GET', '/workgroups/' + group + '/workspaces/' + id)).status !== 'Active') {
      if (process.hrtime.bigint() - begin > ${limit}n) throw new Error('it takes too long');
      await new Promise((resolve) => setTimeout(resolve, 1000))
    }`
  const args = ['--one-shot', '--only', 'transition-held', '--virtual-timeout', '20s', '--timeout', '5s']
  const careful = await explore(t, folder, [...args, ...client(polls('1_500_000_000'))])
  t.equal(careful.code, 0, careful.out)
  t.match(reportIn(folder), { reported: 1, findings: [] })
  const stubborn = await explore(t, folder, [...args, ...client(polls('999_000_000_000'))])
  t.match(stubborn.out, /^hang /m)
})

void t.test('time is real if the client says so, or needs it', async (t) => {
  const folder = temporaryFolder(t)
  // Virtual clocks stand still while a program works.
  const needsReal = `
    const begin = Date.now(), first = process.hrtime.bigint();
    while (Date.now() === begin && process.hrtime.bigint() - first < 1000000000n);
    if (Date.now() === begin) throw new Error('the clock stands still');
    await call('GET', '/workgroups')`
  const only = ['--only', 'read-dropped']
  t.match(await explore(t, folder, [...only, ...client(needsReal)]), {
    code: 0,
    errors: /time is real, because .*the clock stands still/
  })
  t.equal((await explore(t, folder, ['--real-time', ...only, ...client(needsReal)])).code, 0)
  t.match(await explore(t, folder, ['--virtual-time', ...only, ...client(needsReal)]), {
    code: 2,
    errors: /the clock stands still/
  })
})

void t.test('a shell waits in virtual time if what it starts does', async (t) => {
  const folder = temporaryFolder(t)
  const explored = async (waits: string) => {
    const script = join(folder, 'script.sh')
    writeFileSync(
      script,
      `test ! -e $TMPDIR/made || exit 1; touch $TMPDIR/made\n"${process.execPath}" -e "$1"; ${waits}`
    )
    const text = `${CALL} (async () => { await call('GET', '/workgroups') })()`
    return explore(t, folder, ['--only', 'read-dropped', '--timeout', '8s', '--', 'sh', script, text])
  }
  const node = `"${process.execPath}" -e 'setTimeout(() => {}, 600000)'`
  t.match(await explored(node), { code: 0, errors: '' })
  t.match(await explored('sleep 0'), { code: 0, errors: '' }, 'otherwise, time is real')
})

void t.test('placeholders, variables and a folder reach the client', async (t) => {
  const folder = temporaryFolder(t)
  const text = `
    const [key, dir] = process.argv.slice(1);
    if (key !== process.env.KEY || process.cwd() !== require('fs').realpathSync(dir)) throw new Error('not so');
    await call('GET', '/workgroups')`
  const args = ['--env', 'KEY={key}', '--cwd', '{dir}', '--only', 'read-dropped', ...client(text), '{key}', '{dir}']
  const { code, errors } = await explore(t, folder, args)
  t.equal(code, 0, errors)
})

void t.test('a command that cannot be judged ends with 2, and says why', async (t) => {
  const folder = temporaryFolder(t)
  const fails = async (args: readonly string[], reason: RegExp) => {
    t.match(await explore(t, folder, args), { code: 2, errors: reason })
  }
  await fails(['--', 'no-such-command'], /no-such-command/)
  await fails(['--profile', 'no-such-file', ...BLIND], /^svc-mock: the profile no-such-file does not exist\n$/)
  await fails(['--', process.execPath, '-e', 'console.error("out of milk"); process.exit(3)'], /status 3: out of milk/)
  const log = "console.error('ERROR:app:out of tea\\nINFO:app:bye'); process.exit(1)"
  await fails(['--', process.execPath, '-e', log], /status 1: ERROR:app:out of tea/)
  const dump = "console.error('Error: out of tea\\n' + ' fields\\n'.repeat(4000)); process.exit(1)"
  await fails(['--', process.execPath, '-e', dump], /status 1: Error: out of tea/)
  await fails(['--', process.execPath, '-e', ''], /never called/)
  await fails(['--timeout', '100ms', '--', process.execPath, '-e', 'setInterval(() => {}, 1e6)'], /did not end/)
})

void t.test('files that are no plans and reports of this version are refused', async (t) => {
  const folder = temporaryFolder(t)
  const file = join(folder, 'file.json')
  const point = { operation: 'createWorkgroup', resource: 'other', digest: '0', occurrence: 1 }
  const faults = [{ kind: 'lost', point }]
  const plan = { format: 1, number: 1, faults, finding: { kind: 'duplicate' }, command: ['x'] }
  const refuse = async (flag: string, content: unknown, reason: RegExp) => {
    writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content))
    t.match(await explore(t, folder, [flag, file, ...BLIND]), { code: 2, errors: reason })
  }
  await refuse('--replay', '{', /neither JSON/)
  await refuse('--replay', [], /not a plan/)
  await refuse('--replay', { ...plan, format: 2 }, /format 2/)
  await refuse('--replay', { ...plan, faults: [] }, /not a plan/)
  await refuse('--replay', { ...plan, command: [] }, /not a plan/)
  await refuse('--replay', plan, /another client/)
  await refuse('--baseline', { format: 1 }, /not a report/)
})

void t.test('Ctrl-C ends the client and writes what was found', async (t) => {
  const folder = temporaryFolder(t)
  const text = `
    await create().catch(create);
    await call('GET', '/workgroups').catch(() => {
      require('fs').writeFileSync(process.argv[1], '');
      return new Promise(() => setInterval(() => {}, 1e6))
    })`
  const hangs = join(folder, 'hangs')
  const args = ['explore', '--report', join(folder, 'out'), '--jobs', '1', '--timeout', '10m']
  const only = ['--only', 'lost', '--only', 'read-dropped']
  const { child, exited, errors } = runCommand(t, [...args, ...only, ...client(text), hangs])
  // The last plan hangs until it is ended.
  while (!existsSync(hangs)) await setTimeout(20)
  child.kill('SIGINT')
  t.equal((await exited).code, 1)
  t.match(errors(), /interrupted/)
  t.match(reportIn(folder), { plans: 1, skipped: 1, findings: [{ kind: 'duplicate' }] })
})

void t.test('a folder with files of others is refused, and none is made before the baseline is read', async (t) => {
  const folder = t.testdir({ out: { 'notes.txt': 'mine' } })
  t.match(await explore(t, folder, BLIND), { code: 2, errors: /notes\.txt/ })
  t.strictSame(readdirSync(join(folder, 'out')), ['notes.txt'])
  t.match(await explore(t, join(folder, 'other'), ['--baseline', join(folder, 'none.json'), ...BLIND]), {
    code: 2,
    errors: /none\.json/
  })
  t.notOk(existsSync(join(folder, 'other')))
})

void t.test('the command line is checked', async (t) => {
  for (const [args, message] of [
    [[], /command after --/],
    [['npm', '--', 'x'], /unexpected argument npm/],
    [['--only', 'fire', '--', 'x'], /--only must be one of/],
    [['--except', 'fire', '--', 'x'], /--except must be one of/],
    [['--only', 'lost', '--except', 'lost', '--', 'x'], /leave no kind of plan/],
    [['--timeout', '0s', '--', 'x'], /--timeout must be a duration/],
    [['--jobs', '0', '--', 'x'], /--jobs/],
    [['--max-plans', 'all', '--', 'x'], /--max-plans/],
    [['--report=', '--', 'x'], /--report must not be empty/],
    [['--stay', '--', 'x'], /--replay/],
    [['--auth', 'off', '--', 'x'], /--auth must be any/],
    [['--env', 'x', '--', 'x'], /NAME=VALUE/],
    [['--virtual-time', '--real-time', '--', 'x'], /exclude each other/],
    [['--virtual-timeout', 'long', '--', 'x'], /--virtual-timeout must be a duration/]
  ] as const)
    t.throws(() => readExploreRequest(args, {}), { message })
  t.match(readExploreRequest(['--only', 'lost', '--budget', '1m', '--seed', '7', '--', 'x', '--y'], {}), {
    command: ['x', '--y'],
    only: ['lost'],
    budget: 60_000,
    timeout: 20_000,
    isTimeVirtual: undefined,
    virtualTimeout: 3_600_000,
    options: { seed: 7, transitions: 'instant', db: ':memory:' }
  })
  const { only } = readExploreRequest(['--except', 'lost', '--', 'x'], {})
  t.equal(only.length, USUAL_PLANS.length - 1)
  t.notOk(only.includes('lost'))
  t.match(readExploreRequest(['--replay', 'plan.json'], {}), { command: [] }, 'the plan has the command')
})

void t.test('somebody else may resize a workspace, which takes its time', async (t) => {
  const wait = `
    const { workgroup_id: group } = await create();
    const { workspace_id: id } = await call('POST', '/workgroups/' + group + '/workspaces', { name: 'writer' });
    const { status } = await call('GET', '/workgroups/' + group + '/workspaces/' + id);
    if (status !== 'Active') throw new Error(status)`
  const folder = temporaryFolder(t)
  t.match(await explore(t, folder, ['--only', 'resized', ...client(wait)]), {
    code: 1,
    out: /^forgotten {2}Somebody else resized the workspace before getWorkspace .*failed \(.*Resizing/m
  })
})

void t.test('a workspace may be Creating again after it was Active', async (t) => {
  const waits = (isPatient: boolean) => `
    const { workgroup_id: group } = await create();
    const path = '/workgroups/' + group + '/workspaces'
    const { workspace_id: id } = await call('POST', path, { name: 'writer' });
    const active = async () => (await call('GET', path + '/' + id)).status === 'Active'
    const wait = async () => { while (!(await active())) await new Promise((go) => setTimeout(go, 5000)) }
    await wait();
    await call('PUT', path + '/' + id, { auto_stop_minutes: 20 });
    ${isPatient ? 'await wait()' : "if (!(await active())) throw new Error('not Active')"}`
  const folder = temporaryFolder(t)
  const only = ['--only', 'flapping']
  t.match(await explore(t, folder, [...only, ...client(waits(false))]), {
    code: 1,
    out: /^forgotten {2}The workspace, which had been Active, was Creating again before getWorkspace .* #2;/m
  })
  t.match(await explore(t, folder, [...only, ...client(waits(true))]), { code: 0, out: /1 recovered/ })
})

void t.test('a client that waits is run beside itself', async (t) => {
  const findsOrMakes = `
    const find = async () => (await call('GET', '/workgroups'))[0] ?? create();
    const { workgroup_id: group } = await find();
    await new Promise((go) => setTimeout(go, 60000));
    const path = '/workgroups/' + group + '/workspaces'
    const { workspaces } = await call('GET', '/workgroups/' + group);
    if (workspaces.length === 0) await call('POST', path, { name: 'writer' });
    await new Promise((go) => setTimeout(go, 60000))`
  const folder = temporaryFolder(t)
  const { code, out } = await explore(t, folder, ['--only', 'beside', '--timeout', '20s', ...client(findsOrMakes)])
  t.equal(code, 1)
  t.match(out, /^duplicate {2}While createWorkgroup <main> was under way, the client ran once more/m)
  t.match(out, /createWorkspace/)
})

void t.test('a client is held to a contract about what it sends again', async (t) => {
  const folder = temporaryFolder(t)
  const file = join(folder, 'contract.yaml')
  const hold = (contract: string, args: readonly string[] = BLIND) => {
    writeFileSync(file, contract)
    return explore(t, folder, ['--contract', file, ...args])
  }
  const refused = await hold('contract: 1\nrules: [{ operations: [createWorkgruop], on: [lots], retry: perhaps }]')
  t.match(refused, { code: 2, errors: /rules\.0\.on\.0.*lost/ })
  t.match(refused.errors, /rules\.0\.retry/)
  const unknown = await hold('contract: 1\nrules: [{ operations: [createWorkgruop], on: [lost], retry: may }]')
  t.match(unknown, { code: 2, errors: /rules\.0\.operations\.0.*createWorkgroup/ })
  const { code, out } = await hold(`
    contract: 1
    name: mine
    rules:
      - { operations: [create*], on: [unavailable], retry: must }
      - { operations: [create*], on: [lost], retry: must-not }
      - { on: [lost, forbidden], retry: may }
  `)
  t.equal(code, 1)
  t.match(out, /^broken {2}createWorkgroup <main> after lost must not be sent again; it was$/m)
  t.match(out, /^Contract: 2 kept, 1 broken, 0 unknown/m)
  const certificate = JSON.parse(readFileSync(join(folder, 'out/contract.json'), 'utf8')) as object
  t.match(certificate, {
    format: 1,
    contract: 'mine',
    clauses: [
      { on: 'lost', retry: 'must-not', was_sent_again: true, is_kept: false },
      { is_kept: true },
      { is_kept: true }
    ]
  })
  const looks = client(`
    const find = async () => (await call('GET', '/workgroups')).length > 0
    await create().catch(async () => (await find()) || create())`)
  const kept = await hold(readFileSync('examples/retry-contract.yaml', 'utf8'), [
    '--only',
    'lost',
    '--only',
    'conflict',
    ...looks
  ])
  t.match(kept.out, /^broken {2}createWorkgroup <main> after conflict must not be sent again; it was$/m)
  t.match(kept.out, /^Contract: 1 kept, 1 broken/m)
  const lists = client(
    "const list = () => call('GET', '/workgroups').catch(() => 0); await list(); await create(); await list()"
  )
  const { out: read } = await hold('contract: 1\nrules: [{ on: [read-unavailable], retry: must-not }]', [
    '--only',
    'read-unavailable',
    ...lists
  ])
  t.match(read, /^Contract: 2 kept, 0 broken/m, 'it lists again for another reason')
})

void t.test('two versions of a client are compared plan by plan', async (t) => {
  const folder = temporaryFolder(t)
  const script = (name: string, end: string) => {
    const file = join(folder, `${name}.cjs`)
    writeFileSync(
      file,
      `(async () => {${CALL}; ${end} })().catch((error) => { console.error(error.message); process.exit(1) })`
    )
    return file
  }
  const looks = script(
    'looks',
    "await create().catch(async () => (await call('GET', '/workgroups')).length > 0 || create())"
  )
  const blind = script('blind', 'await create().catch(create)')
  const compare = (now: string, before: string) =>
    explore(t, folder, [...ONLY_LOST, '--against', `${process.execPath} ${before}`, '--', process.execPath, now])
  const worse = await compare(blind, looks)
  t.equal(worse.code, 1)
  t.match(worse.out, /^worse {3}lost createWorkgroup <main>: recovered before, duplicate now$/m)
  t.match(await compare(looks, blind), {
    code: 0,
    out: /^better {2}lost createWorkgroup <main>: duplicate before, recovered now$/m
  })
  const since = (now: string) =>
    explore(t, folder, [...ONLY_LOST, '--since', join(folder, 'out/report.json'), '--', process.execPath, now])
  t.match(await since(blind), {
    code: 1,
    out: /^worse {3}lost createWorkgroup <main>: recovered before, duplicate now$/m
  })
  t.match(await since(blind), { code: 0, out: /, 0 of 1 plans end differently/ })
  const why = (symptom: string) =>
    explore(t, folder, ['why', symptom, '--only', 'lost', '--only', 'down', '--', process.execPath, blind])
  const two = await why('two workgroups named <main>')
  t.match(two, { code: 0, out: /^lost createWorkgroup <main>: The reply .*\n1 of 2 plans cause this symptom\.$/m })
  t.match(await why('hung in Creating'), { code: 1, out: /^None of 2 plans/m })
  t.match(await why('failed 503'), { code: 0, out: /^down createWorkgroup <main>: .*503/m })
})
