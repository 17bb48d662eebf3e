import type { Exchange } from '../../../src/fidelity/exchange.js'
import { isObject, type Json } from '../../../src/lib/json.js'
import { OtherService } from './service.js'

const ROOT = '/controller/v4/v2/workgroups'
const NONE = '0f0e0d0c-0b0a-4908-8706-050403020100'
const TOKEN = 'Bearer rk_live_7d1f0c2a9b'

/** Plays a team's morning with the service of another make. @returns the exchanges as a proxy would record them */
export function playOtherMake(start = Date.UTC(2026, 4, 11, 7), service = new OtherService()): Exchange[] {
  const exchanges: Exchange[] = []
  let now = start
  const wait = (ms: number) => {
    now += ms
  }
  const ask = (method: string, path: string, requestBody?: object, token: string | null = TOKEN): Json => {
    const reply = service.answer({ now, method, path, token: token ?? undefined, body: requestBody })
    const sent = now
    now += 35
    exchanges.push({
      number: exchanges.length + 1,
      method,
      path,
      query: '',
      sent,
      answered: now,
      requestHeaders: {
        ...(token === null ? {} : { authorization: token }),
        ...(requestBody === undefined ? {} : { 'content-type': 'application/json' })
      },
      ...(requestBody === undefined ? {} : { requestBody }),
      status: reply.status,
      headers: { 'content-type': 'application/json', ...reply.headers },
      ...(reply.body === undefined ? {} : { body: reply.body })
    })
    wait(965)
    const { Result: result } = reply.body as Json
    return isObject(result) ? result : { result }
  }
  const until = (path: string, status: string) => {
    for (let count = 0; count < 90; count++) {
      if (ask('GET', path)['status'] === status) return
      wait(1000)
    }
    throw new Error(`${path} is never ${status}`)
  }
  const create = (group: string, body: object) => {
    const inside = `${ROOT}/${group}/workspaces`
    return `${inside}/${String(ask('POST', inside, body)['workspace_id'])}`
  }

  ask('GET', ROOT, undefined, null)
  ask('GET', ROOT)
  ask('GET', '/controller/v4/v2/workspaces/meta')
  ask('GET', '/controller/v4/v2/usage')
  const group = String(ask('POST', ROOT, { cloud_provider_id: 'a-1', name: 'payments' })['workgroup_id'])
  ask('GET', ROOT)
  wait(200)
  ask('GET', ROOT)
  wait(4000)
  ask('GET', ROOT)
  ask('GET', `${ROOT}/${group}`)
  ask('PUT', `${ROOT}/${group}`, { workgroup_name: 'b'.repeat(41) })
  ask('PUT', `${ROOT}/${group}`, { workgroup_name: 'b'.repeat(40) })
  ask('PUT', `${ROOT}/${group}`, { workgroup_name: 'billing' })
  const other = String(ask('POST', ROOT, { cloud_provider_id: 'a-2', region: 'eu-north-1' })['workgroup_id'])
  ask('POST', ROOT, { name: 'x' })
  ask('POST', ROOT, { cloud_provider_id: 'a', name: 5 })
  ask('POST', ROOT, { cloud_provider_id: 'a', region: 'mars' })
  ask('POST', ROOT, { cloud_provider_id: 'a', name: 'x'.repeat(60) })
  ask('GET', `${ROOT}/${NONE}`)
  ask('GET', `${ROOT}/${group}/workspaces/${NONE}`)
  wait(10_000)
  const writer = create(group, { name: 'writer' })
  ask('POST', `${writer}/pause`)
  ask('PUT', writer, { workspace_type_name: 'W3' })
  until(writer, 'Running')
  const second = create(group, { workspace_type_name: 'W1' })
  const third = create(other, { name: 'third', workspace_type_name: 'W3' })
  ask('POST', `${ROOT}/${other}/workspaces`, { name: 'fourth' })
  ask('POST', `${ROOT}/${group}/workspaces`, { name: 'odd', workspace_type_name: 'HUGE' })
  until(second, 'Running')
  until(third, 'Running')
  ask('GET', ROOT)
  for (const path of [writer, second, writer]) {
    ask('GET', path)
    ask('POST', `${path}/pause`)
    ask('GET', ROOT)
    ask('GET', path)
    ask('POST', `${path}/pause`)
    until(path, 'Paused')
    ask('PUT', path, { workspace_type_name: 'W1' })
    ask('GET', `${path}/dbuser`)
    ask('POST', `${path}/resume`)
    ask('POST', `${path}/resume`)
    until(path, 'Running')
  }
  ask('PUT', writer, { workspace_type_name: 'W3' })
  until(writer, 'Running')
  ask('PUT', writer, { workspace_name: 'main' })
  ask('PUT', writer, { workspace_type_name: 'HUGE' })
  ask('GET', `${writer}/dbuser`)
  ask('POST', `${writer}/dbuser`, { username: 'ann', password: 'secret' })
  ask('POST', `${writer}/dbuser`, { username: 'ann', password: 'secret' })
  ask('DELETE', `${writer}/dbuser`, { username: 'bob' })
  ask('GET', `${writer}/dbuser`)
  ask('GET', `${writer}/schedules`)
  wait(10_000)
  ask('GET', `${ROOT}/${group}/allow_list`)
  const address = ask('POST', `${ROOT}/${group}/allow_list`, { cidr: '203.0.113.0/24', note: 'office' })
  ask('POST', `${ROOT}/${group}/allow_list`, { cidr: 'everywhere' })
  ask('PUT', `${ROOT}/${group}/allow_list/enable`)
  ask('GET', `${ROOT}/${group}`)
  ask('PUT', `${ROOT}/${group}/allow_list/disable`)
  ask('DELETE', `${ROOT}/${group}/allow_list/${String(address['id'])}`)
  ask('DELETE', `${ROOT}/${group}/allow_list/${NONE}`)
  const database = String(ask('GET', writer)['database_id'])
  ask('PUT', `${ROOT}/${group}/databases/${database}`, { svc_database_name: 'orders' })
  ask('GET', `${ROOT}/${group}/databases/${database}`)
  wait(10_000)
  for (let count = 0; count < 24; count++) {
    ask('GET', writer)
    now -= 800
  }
  wait(12_000)
  for (const path of [second, third]) {
    ask('DELETE', path)
    ask('DELETE', path)
    until(path, 'Deleted')
    wait(20_000)
    ask('GET', path)
    ask('POST', `${path}/pause`)
    wait(50_000)
    ask('GET', path)
  }
  ask('GET', `${writer.replace(/.*workspaces/, '/controller/v4/v2/workspaces')}/backups`)
  ask('DELETE', `${ROOT}/${group}`)
  ask('GET', writer)
  wait(5000)
  ask('GET', ROOT)
  return exchanges
}
