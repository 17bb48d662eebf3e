import { OPERATION_ROUTES } from '../../interface/operation-routes.js'
import { groupBy } from '../../lib/group-by.js'
import { isObject, type Json } from '../../lib/json.js'
import { EMPTY } from '../../profile/replies.js'
import { TEXT_RESULTS } from '../../profile/routes.js'
import type { Entry } from '../fact-book.js'
import { type Draft, same, times } from './draft.js'
import { differencesIn, type Evidence, isOk } from './evidence.js'

/** Statuses of successes that a profile can say. */
const STATUSES: readonly number[] = [200, 201, 202, 204]

/** The form of replies: statuses of successes, members of the envelope, how times are written, empty lists. */
export function learnReplyForms(evidence: Evidence, draft: Draft): void {
  learnEnvelope(evidence, draft)
  learnStatuses(evidence, draft)
  learnTimestamps(evidence, draft)
  learnIds(evidence, draft)
  learnEmptyLists(evidence, draft)
  learnArrays(evidence, draft)
}

/** An operation has another status if all of its successes have it. */
function learnStatuses(evidence: Evidence, draft: Draft): void {
  const isSuccess = ({ ours, theirs }: Entry['examples'][number]) => Number(ours) < 400 && Number(theirs) < 400
  const facts = differencesIn(evidence, 'status').filter(({ examples }) => examples.some(isSuccess))
  const differing = new Set(facts.map(({ key }) => key.operation))
  const successes = evidence.calls.filter(({ call, exchange }) => differing.has(call.operation) && isOk(exchange))
  for (const [operation, own] of groupBy(successes, ({ call }) => call.operation)) {
    const seen = new Set(own.map(({ exchange }) => exchange.status!))
    const [status] = seen
    const place = ['replies', 'status', operation]
    if (seen.size > 1) draft.doubt(['replies', 'status'], `${operation} succeeded with ${[...seen].join(' and ')}.`)
    else if (STATUSES.includes(status!)) draft.set(place, status, `Seen ${times(own.length, 'time')}.`)
  }
}

/** What stands for no errors, and for no result, where it is always the same. */
function learnEnvelope(evidence: Evidence, draft: Draft): void {
  const replies = evidence.calls.flatMap(({ exchange }) =>
    isObject(exchange.body) && 'RequestID' in exchange.body ? [{ isSuccess: isOk(exchange), body: exchange.body }] : []
  )
  const successes = replies.filter(({ isSuccess }) => isSuccess)
  learnNothing('ErrorDetails', successes)
  learnNothing(
    'Result',
    replies.filter(({ body }) => body['Result'] === undefined || body['Result'] === null)
  )

  function learnNothing(field: string, seen: readonly { readonly body: Json }[]): void {
    if (!differencesIn(evidence, 'envelope').some(({ key }) => key.field === field) || seen.length < 2) return
    const form = Object.entries(EMPTY).find(([, empty]) => seen.every(({ body }) => same(body[field], empty())))?.[0]
    const place = ['replies', 'empty', field]
    if (form === undefined) draft.doubt(place, `${field} is empty in several ways.`)
    else draft.set(place, form, `Seen ${times(seen.length, 'time')}.`)
  }
}

/** The forms of times, by their names in a profile. */
const TIME_FORMS: Readonly<Record<string, (value: unknown) => boolean>> = {
  seconds: (value) => /^[\d-]{10}T[\d:]{8}Z$/.test(String(value)),
  milliseconds: (value) => /^[\d-]{10}T[\d:]{8}\.\d{3}Z$/.test(String(value)),
  go: (value) => /^[\d-]{10} [\d:.]+ \+0000 UTC$/.test(String(value)),
  unix: (value) => Number.isInteger(value) && String(value).length === 10,
  unix_ms: (value) => Number.isInteger(value) && String(value).length === 13
}

function learnTimestamps(evidence: Evidence, draft: Draft): void {
  const facts = evidence.facts.filter(
    ({ key }) => key.aspect === 'form' && key.subject === 'timestamp' && key.field !== undefined
  )
  for (const [field, own] of groupBy(facts, ({ key }) => key.field!)) {
    const values = own.flatMap(({ examples }) => examples.map(({ theirs }) => theirs))
    if (values.length === 0) continue
    const form = Object.keys(TIME_FORMS).find((name) => values.every(TIME_FORMS[name]!))
    const count = own.reduce((sum, { differences }) => sum + differences, 0)
    const place = ['replies', 'timestamps']
    if (form === undefined || own.some(({ agreements }) => agreements > 0))
      draft.doubt(place, `${field} has several forms, such as ${JSON.stringify(values[0])}.`)
    else draft.set([...place, field], form, `Seen ${times(count, 'time')}.`)
  }
}

/** An id with the digits of a UUID. */
const ID =
  /^(?<before>[\w.~-]*?)(?:(?<hex>[0-9a-f]{32})|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?<after>[\w.~-]*)$/

/** Ids that all have the digits of a UUID, with the same text around them. */
function learnIds(evidence: Evidence, draft: Draft): void {
  const { toWire } = evidence.profile.names.fields
  const facts = differencesIn(evidence, 'form').filter(({ key }) => key.subject === 'id' && key.field !== undefined)
  for (const field of new Set(facts.map(({ key }) => key.field!))) {
    const values = new Set(
      evidence.sights.map(({ value }) => value[toWire(field)]).filter((one) => typeof one === 'string')
    )
    const forms = new Set(
      [...values].map((value) => {
        const { before, hex, after } = ID.exec(value)?.groups ?? {}
        return before === undefined ? undefined : `${before}{{${hex === undefined ? 'uuid' : 'hex'}}}${after!}`
      })
    )
    const [form] = forms
    const place = ['replies', 'ids', field]
    if (forms.size !== 1 || form === undefined)
      draft.doubt(place.slice(0, 2), `${field} is no UUID, such as ${[...values][0]}.`)
    else if (values.size > 1) draft.set(place, form, `Seen ${times(values.size, 'time')}.`)
  }
}

/** A list of nothing is null, or an empty one, if it is never the other. */
function learnEmptyLists(evidence: Evidence, draft: Draft): void {
  const { toWire } = evidence.profile.names.fields
  const fields = differencesIn(evidence, 'type').flatMap(({ key: { field }, examples }) =>
    field !== undefined && examples.every(isEmptyList) ? [field] : []
  )
  for (const field of new Set(fields)) {
    const seen = evidence.sights.map(({ value }) => value[toWire(field)])
    const [nulls, lists] = [seen.filter((one) => one === null), seen.filter((one) => same(one, []))]
    if (nulls.length > 0 && lists.length > 0)
      draft.doubt(['replies', 'empty'], `${field} without entries is null, or an empty list.`)
    else
      draft.set(
        ['replies', 'empty', field],
        nulls.length > 0 ? 'null' : 'list',
        `Seen ${times(nulls.length + lists.length, 'time')}.`
      )
  }
}

/** A comparison leaves out a list that is null on one side and filled on the other. */
const isEmptyList = ({ ours, theirs }: Entry['examples'][number]) =>
  (ours === 'null' && theirs === 'array') || (ours === 'array' && theirs === 'null')

/** A result that is JSON text in the interface, and the value itself in the service. */
function learnArrays(evidence: Evidence, draft: Draft): void {
  for (const { key, agreements, differences, examples } of differencesIn(evidence, 'type')) {
    const operation = TEXT_RESULTS.find((one) => one === key.operation)
    const isResult = key.field === (evidence.profile.edge.replies?.isBare === true ? undefined : 'Result')
    if (operation === undefined || !isResult || examples.some(({ theirs }) => theirs !== 'array')) continue
    const { method, path } = OPERATION_ROUTES[operation]
    const seen = `${times(differences, 'reply', 'replies')} had an array instead of the text of one`
    // A document, or another part, may have said more about its path.
    if (agreements > 0 || draft.get(['routes']) !== undefined || draft.get(['prefix']) !== undefined)
      draft.doubt(['routes'], `${operation}: ${seen}.`)
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
