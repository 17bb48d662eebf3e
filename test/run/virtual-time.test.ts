import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t, { type Test } from 'tap'
import { startMock } from '../../src/node/index.js'
import { isWhole } from '../effort.js'
import { runCommand } from '../helper.js'
import { findProgram } from '../programs.js'
import { temporaryFolder } from '../temporary.js'

const PYTHON = findProgram('python3')
const skip = PYTHON === undefined ? 'needs Python' : false

/** Writes a program. @returns its path */
function programIn(t: Test, name: string, text: string): string {
  const file = join(temporaryFolder(t), name)
  writeFileSync(file, text)
  return file
}

/** Runs a program in virtual time, and checks its lines. */
async function prints(t: Test, program: string, name: string, text: string, expected: readonly string[]) {
  const { lines } = await run(t, [program, programIn(t, name, text)])
  t.strictSame(lines, expected)
}

/** Runs a command in virtual time. @returns its lines */
async function run(t: Test, args: readonly string[], options: readonly string[] = []) {
  const { exited, output, errors } = runCommand(t, ['run', '--virtual-time', ...options, '--', ...args])
  const { code } = await exited
  t.equal(code, 0, errors())
  return { lines: output().trim().split('\n'), errors: errors() }
}

const NODE_POLLS = `
const path = process.env.SVC_MOCK_URL + '/controller/v4/v2/workgroups/g/workspaces/w'
const call = async (method, path) =>
  (await (await fetch(path, { method, headers: { 'x-api-key': process.env.SVC_MOCK_KEY } })).json()).Result
await call('POST', path + '/resume')
const begin = Date.now()
for (let status = ''; status !== 'Active';) {
  await new Promise((resolve) => setTimeout(resolve, 30_000))
  status = (await call('GET', path)).status
  console.log(Math.round((Date.now() - begin) / 30_000), status)
}`

/**
 * Sleeps in the shell until a workspace is Active, and then in Node for ten minutes. While only a shell sleeps, time is
 * real, so it also passes between the start of Node and its timer.
 */
const SHELL_POLLS = `
for try in 1 2 3 4 5 6 7 8 9 10 11 12; do
  path=$SVC_MOCK_URL/controller/v4/v2/workgroups/g/workspaces/w
  status=$("$1" -e "fetch('$path', { headers: { 'x-api-key': '$SVC_MOCK_KEY' } })
    .then((reply) => reply.json()).then(({ Result }) => console.log(Result.status))")
  echo $status
  [ "$status" = Active ] && break
  sleep 1
done
"$1" -e 'const begin = Date.now(); setTimeout(() => console.log(Math.round((Date.now() - begin) / 1000)), 600000)'`

const PYTHON_POLLS = `
import json, os, time, urllib.request

path = os.environ["SVC_MOCK_URL"] + "/controller/v4/v2/workgroups/g/workspaces/w"

def call(method, path):
    request = urllib.request.Request(path, headers={"x-api-key": os.environ["SVC_MOCK_KEY"]}, method=method)
    with urllib.request.urlopen(request) as reply:
        return json.load(reply).get("Result")

call("POST", path + "/resume")
begin = time.time()
status = ""
while status != "Active":
    time.sleep(30)
    status = call("GET", path)["status"]
    print(round((time.time() - begin) / 30), status)
`

for (const [name, text, program, without] of [
  ['poll.mjs', NODE_POLLS, process.execPath, false],
  ['poll.py', PYTHON_POLLS, PYTHON, skip]
] as const) {
  /** Runs the program, with a sandbox in which a resume takes 80 s. @returns the requests in the journal */
  const journalOf = async (t: Test, ...options: string[]) => {
    await using mock = await startMock()
    const box = mock.sandbox('poller')
    await box.seed({
      workgroups: [{ id: 'g', workspaces: [{ id: 'w', status: 'Stopped' }] }],
      transitions: [{ transition: 'workspace.resume', after: 'PT80S' }]
    })
    const server = ['--url', mock.url, '--key', 'poller']
    const { lines } = await run(t, [program!, programIn(t, name, text)], [...server, ...options])
    t.strictSame(lines, ['1 Resuming', '2 Resuming', '3 Active'])
    const { requests } = await box.requests.list()
    const begin = Date.parse(requests[0]!.at)
    return requests.map(({ method, path, status, at }) => ({
      call: `${method} ${path} ${status}`,
      // Polls in real time are a little late.
      poll: Math.floor((Date.parse(at) - begin) / 30_000)
    }))
  }

  void t.test(`${name} polls in virtual time without a change`, { skip: without }, async (t) => {
    const path = '/controller/v4/v2/workgroups/g/workspaces/w'
    t.strictSame(await journalOf(t), [
      { call: `POST ${path}/resume 200`, poll: 0 },
      ...[1, 2, 3].map((poll) => ({ call: `GET ${path} 200`, poll }))
    ])
  })

  // On a busy machine, it could be late by more than a poll.
  void t.test(`${name} makes the same requests in real time`, { skip: isWhole ? without : 'is slow' }, async (t) => {
    t.strictSame(await journalOf(t), await journalOf(t, '--rate', '10'))
  })
}

// Clocks run after two seconds of work in real time, so the programs print times in units of 100 s.

void t.test('timers and clocks of Node follow the sandbox', async (t) => {
  await prints(
    t,
    process.execPath,
    'timers.mjs',
    `
import { setTimeout as sleep, setInterval as ticks } from 'node:timers/promises'
import { promisify } from 'node:util'
import { AsyncLocalStorage } from 'node:async_hooks'
import { get } from 'node:http'
import { createContext, runInContext } from 'node:vm'
const UNIT = 100_000
const begin = Date.now()
const first = performance.now()
const log = (...words) => console.log(Math.round((Date.now() - begin) / UNIT), ...words)
setTimeout(log, 2e9, 'never').unref()
setTimeout(log, 2 * UNIT, 'with', 'arguments')
clearTimeout(setTimeout(log, 3 * UNIT, 'cleared'))
clearTimeout(+setTimeout(log, 3 * UNIT, 'cleared by its number'))
setTimeout(log, 3 * UNIT, 'closed').close().refresh()
const again = setTimeout(log, 3 * UNIT, 'refreshed')
setTimeout(() => again.refresh(), UNIT)
let count = 0
const interval = setInterval(() => { log('tick'); if (++count === 2) clearInterval(interval) }, 10 * UNIT)
await sleep(15 * UNIT)
log(await sleep(4 * UNIT, 'slept'))
await sleep(2 * UNIT)
await promisify(setTimeout)(60 * UNIT)
log('promisified', Math.round((performance.now() - first) / UNIT))
for await (const _ of ticks(36 * UNIT)) {
  const url = process.env.SVC_MOCK_URL + '/_mock/ready'
  await new Promise((resolve) => get(url, (reply) => reply.resume().on('end', resolve)))
  log('hour')
  break
}
await sleep(UNIT, undefined, { signal: AbortSignal.abort() }).catch(({ name }) => log(name))
for (let i = 0; i < 2; i++) {
  await sleep(1000 * UNIT)
  log((await fetch(process.env.SVC_MOCK_URL + '/_mock/ready')).status)
}
let rounds = 0
for await (const _ of ticks(3 * UNIT)) {
  log('round')
  await sleep(2 * UNIT)
  if (++rounds === 2) break
}
const context = new AsyncLocalStorage()
await context.run('kept', () => new Promise((resolve) => setTimeout(() => resolve(log(context.getStore())), UNIT)))
log(runInContext('Date.now()', createContext()) - Date.now(), new Date().constructor === Date)
const own = createContext({ Date: { now: () => 'its own' } })
log(runInContext('Date.now()', own), Object.keys(createContext({})).length)
class Later extends Date {}
log(new Later() instanceof Date, new Date() instanceof Date, new Date(0).getTime(), typeof Date())
Date.now = () => 'replaced'
console.log(Date.now())`,
    [
      '2 with arguments',
      '4 refreshed',
      '10 tick',
      '19 slept',
      '20 tick',
      '81 promisified 81',
      '117 hour',
      '117 AbortError',
      '1117 200',
      '2117 200',
      '2120 round',
      '2123 round',
      '2126 kept',
      '2126 0 true',
      '2126 its own 0',
      '2126 true true 0 string',
      'replaced'
    ]
  )
})

void t.test('a wait in Node ends exactly at its deadline', async (t) => {
  await prints(
    t,
    process.execPath,
    'deadline.mjs',
    `
import { setTimeout as sleep } from 'node:timers/promises'
const begin = Date.now()
const log = (...words) => console.log(Math.round((Date.now() - begin) / 1000), ...words)
await sleep(60_000, undefined, { signal: AbortSignal.timeout(3000) }).catch(({ name, cause }) => log(name, cause.name))
const signal = AbortSignal.timeout(20_000)
let tries = 0
for (; !signal.aborted; tries++) {
  await fetch(process.env.SVC_MOCK_URL + '/_mock/ready', { signal }).catch(() => undefined)
  await sleep(3000)
}
log(tries, signal.reason.name)
AbortSignal.timeout(1e6)
try { AbortSignal.timeout(-1) } catch ({ code }) { log(code) }`,
    ['3 AbortError TimeoutError', '24 7 TimeoutError', '24 ERR_OUT_OF_RANGE']
  )
})

void t.test('a program that waits for another one sees the time pass, and does not end it early', async (t) => {
  await prints(
    t,
    process.execPath,
    'parent.mjs',
    `
import { execFileSync, spawn } from 'node:child_process'
import { Worker } from 'node:worker_threads'
const begin = Date.now()
const program = 'setTimeout(() => console.log("slept"), 600_000)'
const child = spawn(process.execPath, ['-e', program], { stdio: 'inherit' })
const guard = setTimeout(() => { console.log('ended'); child.kill() }, 700_000)
await new Promise((resolve) => child.on('close', resolve))
clearTimeout(guard)
const tell = () => console.log(Math.round((Date.now() - begin) / 100_000))
tell()
execFileSync(process.execPath, ['-e', program], { stdio: 'inherit' })
const worker = new Worker(new URL('data:text/javascript,setTimeout(() => {}, 400_000)'))
worker.on('message', tell).on('exit', tell)
setTimeout(tell, 2_000_000)`,
    ['slept', '6', 'slept', '16', '26']
  )
})

void t.test('time stays virtual for a program that waits for many children while others work', async (t) => {
  await prints(
    t,
    process.execPath,
    'often.mjs',
    `
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { request } from 'node:http'
const { SVC_MOCK_URL, SVC_MOCK_KEY } = process.env
const headers = { 'x-api-key': SVC_MOCK_KEY, 'content-type': 'application/json' }
const other = request(SVC_MOCK_URL + '/_mock/clock/sleep', { method: 'POST', headers })
other.end('{"participant":"other","until":"0s"}')
await once((await once(other, 'response'))[0].resume(), 'end')
const begin = process.hrtime()
const timer = new Promise((resolve) => setTimeout(resolve, 40_000))
for (let i = 0; i < 5; i++) {
  for (let turn = 0; turn < 100; turn++) await new Promise(setImmediate)
  execFileSync('true')
}
other.destroy()
await timer
console.log(process.hrtime(begin)[0] < 20)`,
    ['true']
  )
})

void t.test('threads, coroutines and clocks of Python follow the sandbox', { skip }, async (t) => {
  await prints(
    t,
    PYTHON!,
    'threads.py',
    `
import asyncio, concurrent.futures, datetime, multiprocessing, os, queue, subprocess, sys, threading, time
import urllib.request

begin, first, noon = time.time(), time.monotonic(), datetime.datetime.now()

def log(*words):
    print(round((time.time() - begin) / 100), *words, flush=True)

def ask():
    return urllib.request.urlopen(os.environ["SVC_MOCK_URL"] + "/_mock/ready").status

def work(name, pause):
    for _ in range(2):
        time.sleep(pause)
        ask()
        log(name)

threads = [threading.Thread(target=work, args=(f"thread {pause}", pause)) for pause in (1000, 2500)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
lock = threading.Lock()
def hold():
    for _ in range(2):
        with lock:
            time.sleep(2500)
holders = [threading.Thread(target=hold) for _ in range(2)]
for holder in holders:
    holder.start()
for holder in holders:
    holder.join()
log("lock")
event = threading.Event()
log("event", event.wait(5000))
threading.Thread(target=lambda: (time.sleep(5000), event.set())).start()
log("event", event.wait(100_000))
try:
    queue.Queue().get(timeout=5000)
except queue.Empty:
    log("empty")
with concurrent.futures.ThreadPoolExecutor(2) as pool:
    log(list(pool.map(lambda pause: (time.sleep(pause), ask())[1], [10_000, 5000, 5000])))

async def pair():
    async def one(pause):
        await asyncio.sleep(pause)
        log("coroutine", pause)
    await asyncio.gather(one(20_000), one(10_000))
    try:
        await asyncio.wait_for(asyncio.Event().wait(), 5000)
    except asyncio.TimeoutError:
        log("nothing came")
    tries = 0
    async def poll():
        nonlocal tries
        while True:
            await asyncio.sleep(3000)
            ask()
            tries += 1
    try:
        await asyncio.wait_for(poll(), 20_000)
    except asyncio.TimeoutError:
        log("tries", tries)
    reader, writer = await asyncio.open_connection(*os.environ["SVC_MOCK_URL"].split("//")[1].split(":"))
    try:
        await asyncio.wait_for(asyncio.sleep(60_000), 5000)
    except asyncio.TimeoutError:
        log("idle connection")
    writer.close()

asyncio.run(pair())
subprocess.run([sys.executable, "-c", "import time; time.sleep(40_000)"])
program = "import time; time.sleep(10_000); print(1)"
log("child", subprocess.run([sys.executable, "-c", program], timeout=60, stdout=subprocess.PIPE).stdout)
process = multiprocessing.get_context("fork").Process(target=work, args=("fork", 1000))
process.start()
process.join()
with concurrent.futures.ProcessPoolExecutor(2, multiprocessing.get_context("fork")) as pool:
    log("in a pool", pool.submit(time.sleep, 20_000).result())
lock, held = threading.RLock(), threading.Event()
def keep():
    with lock:
        held.set()
        time.sleep(5000)
threading.Thread(target=keep).start()
held.wait()
log("limited", lock.acquire(timeout=1000))
log("limited", lock.acquire(timeout=100_000))
now = datetime.datetime.now()
log(round((time.monotonic() - first) / 100), round((now - noon).total_seconds() / 100), isinstance(now, datetime.date))
print(time.asctime() == time.ctime(time.time()))
print(isinstance(now, type("Own", (datetime.datetime,), {})))
print(isinstance(type("Double", (), {"__class__": datetime.datetime})(), datetime.datetime))
`,
    [
      '10 thread 1000',
      '20 thread 1000',
      '25 thread 2500',
      '50 thread 2500',
      '150 lock',
      '200 event False',
      '250 event True',
      '300 empty',
      '400 [200, 200, 200]',
      '500 coroutine 10000',
      '600 coroutine 20000',
      '650 nothing came',
      '850 tries 6',
      '900 idle connection',
      "1400 child b'1\\n'",
      '1410 fork',
      '1420 fork',
      '1620 in a pool None',
      '1630 limited False',
      '1670 limited True',
      '1670 1670 1670 True',
      'True',
      'False',
      'True'
    ]
  )
})

void t.test('a wait in Python ends at its deadline, even if times are rounded', { skip }, async (t) => {
  const program = `
import queue, time

def get(seconds):
    try:
        queue.Queue().get(timeout=seconds)
    except queue.Empty:
        pass

def sleep_rest(seconds):
    end = time.time() + seconds
    while time.time() < end:
        time.sleep(end - time.time())

def is_late(wait, seconds):
    begin = time.time()
    wait(seconds)
    return time.time() - begin - seconds > 0.0015

print({is_late(wait, thousandths / 1000) for wait in (get, sleep_rest) for thousandths in range(10, 60)})
`
  await prints(t, PYTHON!, 'deadlines.py', program, ['{False}'])
})

void t.test('a process that a fork server starts in Python begins at the time of the sandbox', { skip }, async (t) => {
  const program = `
import multiprocessing, time

def tell(begin):
    print(round((time.time() - begin) / 100), flush=True)

if __name__ == "__main__":
    begin = time.time()
    for _ in range(2):
        process = multiprocessing.get_context("forkserver").Process(target=tell, args=(begin,))
        process.start()
        process.join()
        time.sleep(1000)
`
  await prints(t, PYTHON!, 'server.py', program, ['0', '10'])
})

void t.test('modules of Python that were loaded before virtual time follow the sandbox', { skip }, async (t) => {
  const early = `
import threading, time, site
site.main()
begin = time.time()
condition = threading.Condition()
with condition:
    print(condition.wait_for(lambda: False, 5000), round((time.time() - begin) / 100))
`
  const { lines } = await run(t, [PYTHON!, '-S', programIn(t, 'early.py', early)])
  t.strictSame(lines, ['False 50'])
})

void t.test('an alarm interrupts a sleep in Python at its moment', { skip }, async (t) => {
  await prints(
    t,
    PYTHON!,
    'alarm.py',
    `
import signal, threading, time

begin = time.monotonic()

def log(*facts):
    print(round((time.monotonic() - begin) / 100), *facts)

def ring(*_):
    log("rings")
    if raises:
        raise TimeoutError

signal.signal(signal.SIGALRM, ring)
raises = True
signal.alarm(300)
try:
    time.sleep(60_000)
except TimeoutError:
    log("over")
raises = False
signal.setitimer(signal.ITIMER_REAL, 200)
threading.Event().wait(700)
log("waited on")
signal.alarm(500)
signal.alarm(0)
time.sleep(1000)
log("cancelled")
signal.alarm(1)
while time.process_time() < 0.1 or signal.getitimer(signal.ITIMER_REAL)[0] > 0:
    pass
time.sleep(5000)
log("has rung in real time")
`,
    ['3 rings', '3 over', '5 rings', '10 waited on', '20 cancelled', '20 rings', '70 has rung in real time']
  )
})

void t.test(
  'a shell that sleeps in real time stays in step with the server, even between programs in virtual time',
  async (t) => {
    const seed = programIn(
      t,
      'seed.json',
      JSON.stringify({ workgroups: [{ id: 'g', workspaces: [{ id: 'w', status: 'Creating' }] }] })
    )
    const polls = programIn(t, 'polls.sh', SHELL_POLLS)
    const { lines } = await run(t, ['sh', polls, process.execPath], ['--seed-file', seed])
    t.strictSame([lines[0], ...lines.slice(-2)], ['Creating', 'Active', '600'])
  }
)

void t.test('while a program only works, the clock runs after a while', async (t) => {
  const asks = `
const path = process.env.SVC_MOCK_URL + '/_mock/clock'
const now = async () =>
  (await (await fetch(path, { headers: { 'x-api-key': process.env.SVC_MOCK_KEY } })).json()).Result.now
await new Promise((resolve) => setTimeout(resolve, 60_000))
const begin = await now()
while (await now() === begin) {}
console.log('goes on')`
  await prints(t, process.execPath, 'asks.mjs', asks, ['goes on'])
})

void t.test('an address without a port has the usual one', { skip }, async (t) => {
  for (const host of ['127.93.7.1', '[::1]']) {
    const env = { ...process.env, PYTHONPATH: 'src/run/preload/python', SVC_MOCK_URL: `http://${host}` }
    const { stderr } = await promisify(execFile)(PYTHON!, ['-c', ''], { env })
    t.match(stderr, 'no virtual time, because', 'nothing listens there')
  }
})
