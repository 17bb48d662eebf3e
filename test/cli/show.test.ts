import { linkSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { dirname, join, relative } from 'node:path'
import { text } from 'node:stream/consumers'
import { gunzipSync } from 'node:zlib'
import t, { type Test } from 'tap'
import { callCommand } from '../../src/cli/commands.js'
import { UsageError } from '../../src/cli/usage.js'
import { serveRecordings } from '../../src/http/viewer/server.js'
import { captured, jsonLines, runCommand } from '../helper.js'
import { recordPlanted } from '../recording/planted.js'

const { path, id } = await recordPlanted(t, 1)

/** Sends a request, with any Host header. */
const ask = (url: string, headers: Record<string, string> = {}, method = 'GET') =>
  new Promise<{ status: number; headers: Record<string, unknown>; body: string }>((resolve, reject) => {
    request(url, { headers, method, agent: false }, (reply) => {
      text(reply).then((body) => resolve({ status: reply.statusCode!, headers: reply.headers, body }), reject)
    })
      .on('error', reject)
      .end()
  })

void t.test('several recordings are served, only to this machine, until a signal', async (t) => {
  const damaged = join(dirname(path), 'damaged.svcmock')
  const { exited, output } = runCommand(t, ['show', path, damaged])
  t.equal((await exited).code, 1, 'one that is not there is no recording')
  t.equal(output(), '')
  writeFileSync(damaged, readFileSync(path).subarray(0, -300))
  const server = runCommand(t, ['show', path, damaged])
  await server.seen(/\/2\/ {2}.*\n/)
  const [first, second] = server
    .output()
    .split('\n')
    .map((line) => line.split('  '))
  t.match(first, [/^http:\/\/127\.0\.0\.1:\d+\/1\/$/, path])
  t.match(second, [/^http:\/\/127\.0\.0\.1:\d+\/2\/$/, damaged])
  const url = first![0]!
  const page = await ask(url)
  t.equal(page.status, 200)
  t.match(page.headers, { 'content-security-policy': /^default-src 'none'/, 'content-type': /^text\/html/ })
  t.match(page.body, /<script type="application\/json" id="recordings">\{"recordings":\[.*"shown":0\}<\/script>/)
  for (const [, asset] of page.body.matchAll(/(?:src|href)="\.\/(assets\/[^"]+)"/g))
    t.equal((await ask(url + asset!)).status, 200, asset!)
  const steps = jsonLines((await ask(`${url}steps`)).body)
  t.match(steps[0], { after: 0, state: { workgroups: [] } })
  t.strictSame(steps.at(-1), { end: true })
  t.ok(steps.some((step) => 'touches' in step && (step.touches as string[]).includes(id)))
  const part = (await ask(`${url}steps?from=9`)).body.split('\n', 1)[0]!
  t.match(JSON.parse(part), { after: 8 })
  t.match((await ask(`${second![0]!}steps`)).body, /\n\{"end":true|^\{"Error":true/)
  t.equal((await ask(`${url}steps?from=99999`)).status, 400)
  for (const path of ['../1', '../']) t.equal((await ask(new URL(path, url).href)).status, 302, path)
  const busy = runCommand(t, ['show', path, '--port', new URL(url).port])
  t.equal((await busy.exited).code, 1)
  t.match(busy.errors(), /^svc-mock: port \d+ of 127\.0\.0\.1 is in use; .* choose another --port\n$/)
  server.child.kill('SIGTERM')
  t.strictSame(await server.exited, { code: 0, signal: null })
})

async function run(t: Test, ...args: readonly string[]): Promise<string> {
  const { out, errors } = await captured(t, () => callCommand('show', [...args]))
  return `${out}${errors}`
}

void t.test('refusals have the envelope, and the headers of the console', async (t) => {
  const view = () => {
    throw new Error('secret')
  }
  const { urls, close } = await serveRecordings([{ file: 'a.svcmock', view }], 0)
  t.teardown(close)
  const json = { 'content-type': 'application/json', 'content-length': '0' }
  const evil = { host: 'evil.test' }
  for (const [path, status, message, headers = {}, method = 'GET'] of [
    ['steps', 500, /^The recording cannot be shown\.$/],
    ['steps', 405, /only be read/, json, 'POST'],
    ['steps?from=0', 400, /the number of a step/],
    ['steps?from=x', 400, /the number of a step/],
    ['nothing', 404, /no such file/],
    ['assets/nothing', 404, /no such file/],
    ['../3/', 404, /no such file/],
    ['../%zz', 404, /no such file/],
    ['../%zz', 405, /only be read/, {}, 'POST'],
    ['../%zz', 403, /address/, evil]
  ] as const) {
    const reply = await ask(new URL(path, urls[0]).href, headers, method)
    t.equal(reply.status, status, path)
    t.match(JSON.parse(reply.body), { Error: true, Message: message })
    t.match(reply.headers, { 'content-security-policy': /^default-src 'none'/, 'cache-control': 'no-cache' })
  }
})

void t.test('a page with a recording is self-contained', async (t) => {
  const page = join(dirname(path), 'run.html')
  t.equal(await run(t, path, '--html', page), '')
  const html = readFileSync(page, 'utf8')
  const [, policy] = /<meta http-equiv="content-security-policy" content="([^"]+)">/.exec(html)!
  t.match(policy, /^default-src 'none'; script-src 'sha256-[^']+'; style-src 'sha256-[^']+'; img-src data:; /)
  t.notMatch(html.replaceAll(/<script.*?<\/script>/gs, ''), /<link(?! rel="icon" href="data:)|(src|action)=/)
  t.notMatch(html, /https?:\/\/(?!www\.w3\.org\/|127\.0\.0\.1|svc-mock)/)
  const [, data] = /<script type="application\/json" id="steps">(.*?)<\/script>/s.exec(html)!
  t.notMatch(data, '<')
  const lines = jsonLines(data!)
  t.match(lines.at(-1), { end: true })
  t.ok(lines.length > 20)
  await run(t, path, '--html', page, '--from', '10')
  t.match(readFileSync(page, 'utf8'), '{"after":9,')
})

void t.test('the page shows a damaged recording up to the damage, and the command reports it', async (t) => {
  const lines = gunzipSync(readFileSync(path)).toString().trim().split('\n')
  const damaged = join(dirname(path), 'damaged.svcmock')
  writeFileSync(damaged, [...lines.slice(0, 20), '{"kind":"unknown"}', ''].join('\n'))
  const page = join(dirname(path), 'run.html')
  const said = await run(t, damaged, '--html', page)
  t.match(said, /damaged\.svcmock is damaged: line 21: .*; the page shows what comes before$/)
  t.match(readFileSync(page, 'utf8'), '{"end":true,"problem":"is damaged')
})

void t.test('a recording is only shown with the profile of its server', async (t) => {
  const [manifest, ...rest] = gunzipSync(readFileSync(path)).toString().split('\n')
  const other = join(dirname(path), 'other.svcmock')
  writeFileSync(other, [manifest!.replace('"profile":"built-in"', '"profile":"ours"'), ...rest].join('\n'))
  const page = join(dirname(path), 'run.html')
  await t.rejects(callCommand('show', [other, '--html', page]), /was made under the profile ours, not built-in/)
  const profile = join(dirname(path), 'ours.yaml')
  writeFileSync(profile, 'profile: 1\nname: ours\n')
  t.equal(await run(t, other, '--html', page, '--profile', profile), '')
})

void t.test('the content of a recording cannot inject markup into the page', async (t) => {
  const name = join(dirname(path), '<script>alert(1)<!--</script>.svcmock'.replaceAll('/', ':'))
  writeFileSync(name, readFileSync(path))
  const page = join(dirname(path), 'run.html')
  await run(t, name, '--html', page)
  t.notMatch(readFileSync(page, 'utf8'), 'alert(1)<')
  t.equal(readFileSync(page, 'utf8').match(/<script/g)!.length, 3)
})

void t.test('usage errors differ from damaged files', async (t) => {
  const [link, hardLink] = [join(dirname(path), 'link'), join(dirname(path), 'hard-link')]
  symlinkSync(path, link)
  linkSync(path, hardLink)
  for (const args of [
    [],
    [path, '--port', 'x'],
    [path, '--port', '70000'],
    [path, '--from', '3'],
    [path, '--html', 'a', '--from', '0'],
    [path, path, '--html', 'a'],
    [path, '--html', relative('', path)],
    [path, '--html', link],
    [path, '--html', hardLink],
    [path, '--html', 'a', '--port', '1']
  ])
    await t.rejects(callCommand('show', args), UsageError, args.join(' '))
  const file = join(dirname(path), 'x.svcmock')
  writeFileSync(file, '{"svcmock":99,"version":"9.9.9"}\n')
  await t.rejects(callCommand('show', [file]), {
    name: 'RecordingError',
    message: `${file} was made by a newer svc-mock (9.9.9); use that version`
  })
  await t.rejects(callCommand('show', [path, '--html', join(dirname(path), 'no', 'page.html')]), /cannot be written/)
  const tooLate = callCommand('show', [path, '--html', 'a', '--from', '99999'])
  await t.rejects(tooLate, /has no step 99999; the last one is \d+$/)
})
