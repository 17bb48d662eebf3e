import { isoLength } from '../../lib/time.js'
import { shownBy } from '../sights.js'
import { type Draft, times } from './draft.js'
import { largest, smallest } from './durations.js'
import { type Evidence, isOk } from './evidence.js'

/** So many lists without what was there already are no chance. */
const LEAST = 2

/** How old the list of workgroups is, if new ones are missing in it for a while, and nothing in it is newer. */
export function learnLag(evidence: Evidence, draft: Draft): void {
  const [missing, shown] = sightings(evidence)
  const [least, most] = [largest(missing), smallest(shown)]
  if (missing.length < LEAST || !Number.isFinite(most)) return
  const place = ['replies', 'lag', 'listWorkgroups']
  const seen = `Missing ${times(missing.length, 'time')} in a list.`
  const lag = Math.min((Math.floor(least / 1000) + 1) * 1000, most)
  if (least >= most) draft.doubt(place, `${seen} No single lag fits.`)
  else if (isNewer(evidence, lag)) draft.doubt(place, `${seen} But workspaces in it were newer than that.`)
  else draft.set(place, isoLength(lag), seen)
}

/** After how many milliseconds new workgroups were missing, and after how many they were there. */
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

/** Whether a list has a workspace in a state that it was not in yet when the list is said to be from. */
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
