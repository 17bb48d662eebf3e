import { OPERATION_ROUTES } from '../../interface/operation-routes.js'
import { groupBy } from '../../lib/group-by.js'
import { quantity } from '../../lib/quantity.js'
import { isoLength } from '../../lib/time.js'
import { EMPTY, STATUSES } from '../../profile/replies.js'
import { TEXT_RESULTS } from '../../profile/routes.js'
import { isOk } from '../exchange.js'
import type { Entry } from '../fact-book.js'
import { memberOf, membersOf } from '../meaning.js'
import { type Called, shownBy } from '../sights.js'
import { timeFormOf } from '../timing.js'
import { type Draft, same, seenTimes } from './draft.js'
import { largest, smallest } from './durations.js'
import { differencesIn, type Evidence } from './evidence.js'

/** Learns the form of replies: the envelope, statuses of successes, timestamps, ids and empty lists. */
export function learnReplyForms(evidence: Evidence, draft: Draft): void {
  learnEnvelope(evidence, draft)
  learnStatuses(evidence, draft)
  learnTimestamps(evidence, draft)
  learnIds(evidence, draft)
  learnEmptyLists(evidence, draft)
  learnArrays(evidence, draft)
}

/** An operation has another status if all its successes have it. */
function learnStatuses(evidence: Evidence, draft: Draft): void {
  const isSuccess = ({ ours, theirs }: Entry['examples'][number]) => Number(ours) < 400 && Number(theirs) < 400
  const facts = differencesIn(evidence, 'status').filter(({ examples }) => examples.some(isSuccess))
  for (const operation of new Set(facts.map(({ key }) => key.operation!))) {
    const calls = evidence.calls.filter(({ call, exchange }) => call.operation === operation && isOk(exchange))
    const [status, ...others] = new Set(calls.map(({ exchange }) => exchange.status!))
    const place = ['replies', 'status']
    if (others.length > 0) draft.flag(place, `${operation} succeeded with ${[status, ...others].join(' and ')}.`)
    else if (STATUSES.includes(status!)) draft.set([...place, operation], status, seenTimes(calls.length))
  }
}

/** The order of the envelope, and the values of `ErrorDetails` and `Result` if there are none. */
function learnEnvelope(evidence: Evidence, draft: Draft): void {
  const { profile } = evidence
  const replies = evidence.calls.filter(({ exchange }) => memberOf(profile, exchange.body, 'RequestID') !== undefined)
  const differences = differencesIn(evidence, 'envelope')
  const isEmpty = {
    ErrorDetails: ({ exchange }: Called) => isOk(exchange),
    Result: ({ exchange }: Called) => (memberOf(profile, exchange.body, 'Result') ?? null) === null
  }
  if (differences.some(({ key }) => key.subject === 'order')) {
    const orders = replies.map(({ exchange }) => membersOf(profile, exchange.body))
    const before = (name: string) =>
      new Set(orders.flatMap((order) => order.slice(0, Math.max(0, order.indexOf(name)))))
    const whole = [...new Set(orders.flat())].sort((a, b) => before(a).size - before(b).size)
    const isIn = (order: readonly string[]) =>
      same(
        order,
        whole.filter((name) => order.includes(name))
      )
    const place = ['replies', 'order']
    if (orders.every(isIn)) draft.set(place, whole, seenTimes(orders.length))
    else draft.flag(place, 'The members of the envelope have several orders.')
  }
  for (const [field, isWithout] of Object.entries(isEmpty)) {
    const values = replies.filter(isWithout).map(({ exchange }) => memberOf(profile, exchange.body, field))
    if (values.length < 2 || !differences.some(({ key }) => key.field === field)) continue
    const form = Object.entries(EMPTY).find(([, empty]) => values.every((value) => same(value, empty())))
    const place = ['replies', 'empty', field]
    if (form === undefined) draft.flag(place, `${field} is empty in several ways.`)
    else draft.set(place, form[0], seenTimes(values.length))
  }
}

function learnTimestamps(evidence: Evidence, draft: Draft): void {
  const facts = evidence.facts.filter(
    ({ key }) => key.aspect === 'form' && key.subject === 'timestamp' && key.field !== undefined
  )
  for (const [field, entries] of groupBy(facts, ({ key }) => key.field!)) {
    const values = entries.flatMap(({ examples }) => examples.map(({ theirs }) => theirs))
    if (values.length === 0) continue
    const [form, ...others] = new Set(values.map(timeFormOf))
    const count = entries.reduce((sum, { differences }) => sum + differences, 0)
    const place = ['replies', 'timestamps']
    if (form === undefined || others.length > 0 || entries.some(({ agreements }) => agreements > 0))
      draft.flag(place, `${field} has several forms, such as ${JSON.stringify(values[0])}.`)
    else draft.set([...place, field], form, seenTimes(count))
  }
}

/** An id with the digits of a UUID. */
const ID =
  /^(?<before>[\w.~-]*?)(?:(?<hex>[0-9a-f]{32})|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?<after>[\w.~-]*)$/

/** Fields whose ids all are UUIDs in the same form. */
function learnIds(evidence: Evidence, draft: Draft): void {
  const { toWire } = evidence.profile.names.fields
  const facts = differencesIn(evidence, 'form').filter(({ key }) => key.subject === 'id' && key.field !== undefined)
  for (const field of new Set(facts.map(({ key }) => key.field!))) {
    const values = new Set(
      evidence.sights.map(({ value }) => value[toWire(field)]).filter((one) => typeof one === 'string')
    )
    const [form, ...others] = new Set(
      [...values].map((value) => {
        const { before, hex, after } = ID.exec(value)?.groups ?? {}
        return before === undefined ? undefined : `${before}{{${hex === undefined ? 'uuid' : 'hex'}}}${after!}`
      })
    )
    const place = ['replies', 'ids']
    if (form === undefined || others.length > 0) draft.flag(place, `${field} is not a UUID, such as ${[...values][0]}.`)
    else if (values.size > 1) draft.set([...place, field], form, seenTimes(values.size))
  }
}

/** An empty list is always null, or always an empty list. */
function learnEmptyLists(evidence: Evidence, draft: Draft): void {
  const { toWire } = evidence.profile.names.fields
  const fields = differencesIn(evidence, 'type').flatMap(({ key: { field }, examples }) =>
    field !== undefined && examples.every(isEmptyList) ? [field] : []
  )
  for (const field of new Set(fields)) {
    const seen = evidence.sights.map(({ value }) => value[toWire(field)])
    const [nulls, lists] = [seen.filter((one) => one === null), seen.filter((one) => same(one, []))]
    if (nulls.length > 0 && lists.length > 0)
      draft.flag(['replies', 'empty'], `${field} without entries is null or an empty list.`)
    else
      draft.set(['replies', 'empty', field], nulls.length > 0 ? 'null' : 'list', seenTimes(nulls.length + lists.length))
  }
}

/** Comparisons omit a list that is null on one side and has entries on the other. */
const isEmptyList = ({ ours, theirs }: Entry['examples'][number]) =>
  [ours, theirs].includes('null') && [ours, theirs].includes('array')

/** Results that are JSON text in the interface, but arrays in the service. */
function learnArrays(evidence: Evidence, draft: Draft): void {
  for (const { key, agreements, differences, examples } of differencesIn(evidence, 'type')) {
    const operation = [...TEXT_RESULTS.keys()].find((one) => one === key.operation)
    const isResult = key.field === (evidence.profile.edge.replies?.isBare === true ? undefined : 'Result')
    if (operation === undefined || !isResult || examples.some(({ theirs }) => theirs !== 'array')) continue
    const { method, path } = OPERATION_ROUTES[operation]
    const seen = `${quantity(differences, 'reply')} had an array instead of the text of one`
    // Existing routes may already move the operation.
    if (agreements > 0 || draft.get(['routes']) !== undefined || draft.get(['prefix']) !== undefined)
      draft.flag(['routes'], `${operation}: ${seen}.`)
    else
      draft.set(
        ['routes'],
        [
          { operation, off: true },
          { operation, method, path, result: 'array' }
        ],
        `${seen}.`
      )
  }
}

/** A single missing workgroup may be chance. */
const LEAST_MISSING = 2

/** Learns how old the list of workgroups is, if it lacks new ones for a while and shows nothing newer. */
export function learnLag(evidence: Evidence, draft: Draft): void {
  const [missing, shown] = sightings(evidence)
  const [least, most] = [largest(missing), smallest(shown)]
  if (missing.length < LEAST_MISSING || !Number.isFinite(most)) return
  const place = ['replies', 'lag', 'listWorkgroups']
  const seen = `A new workgroup was missing in the list ${quantity(missing.length, 'time')}.`
  const lag = Math.min((Math.floor(least / 1000) + 1) * 1000, most)
  if (least >= most) draft.flag(place, `${seen} No single lag fits.`)
  else if (isNewer(evidence, lag)) draft.flag(place, `${seen} But some workspaces in the list were newer.`)
  else draft.set(place, isoLength(lag), seen)
}

/** The ages, in milliseconds, at which new workgroups were missing in the list, and at which they were in it. */
function sightings({ calls, sights, profile }: Evidence): readonly [missing: number[], shown: number[]] {
  const id = profile.names.fields.toWire('workgroup_id')
  const workgroupsIn = shownBy(sights, 'Workgroup')
  const made = new Map<string, { readonly sent: number; readonly answered: number }>()
  const missing: number[] = []
  const shown: number[] = []
  for (const { call, exchange } of calls) {
    if (!isOk(exchange)) continue
    const ids = new Set((workgroupsIn.get(exchange) ?? []).map(({ value }) => String(value[id])))
    if (call.operation === 'createWorkgroup') for (const one of ids) made.set(one, exchange)
    if (call.operation === 'deleteWorkgroup') made.delete(call.params['workgroupID'] ?? '')
    if (call.operation !== 'listWorkgroups') continue
    for (const [one, { sent, answered }] of made)
      if (ids.has(one)) shown.push(exchange.answered - sent)
      else missing.push(exchange.sent - answered)
  }
  return [missing, shown]
}

/** Whether a list shows a workspace in a state that it entered after the assumed time of the list. */
function isNewer({ sights, profile }: Evidence, lag: number): boolean {
  const { toWire } = profile.names.fields
  const last = new Map<string, { readonly status: unknown; readonly sent: number }>()
  for (const { schema, value, call, exchange } of sights) {
    if (schema !== 'Workspace') continue
    const [id, status] = [String(value[toWire('workspace_id')]), value[toWire('status')]]
    const before = last.get(id)
    if (call.operation !== 'listWorkgroups') last.set(id, { status, sent: exchange.sent })
    else if (before !== undefined && before.status !== status && before.sent > exchange.answered - lag) {
      const next = sights.find((one) => one.exchange.sent > exchange.sent && one.value[toWire('workspace_id')] === id)
      if (next?.value[toWire('status')] === status) return true
    }
  }
  return false
}
