import { groupBy } from '../../lib/group-by.js'
import { isObject, objectOf } from '../../lib/json.js'
import { isoLength } from '../../lib/time.js'
import { STATES } from '../../resources/states.js'
import { saysUnknown } from '../meaning.js'
import type { Called } from '../sights.js'
import { type Interval, TOLERANCE_MS } from '../timing.js'
import { type Draft, times } from './draft.js'
import { largest, lengthOf } from './durations.js'
import { type Evidence, isOk } from './evidence.js'
import { mostCommon } from './further-field.js'

/** An envelope may lack the other fields. */
const workspaceIn = ({ exchange: { body } }: Called) =>
  objectOf(isObject(body) && 'Result' in body ? body['Result'] : body)

/** Where no reply shows the end. */
const LONG_ENOUGH = 600_000

/** How long a deleted workspace stays readable, and in which state. */
export function learnDeleted(evidence: Evidence, draft: Draft): void {
  const { calls, profile } = evidence
  const status = profile.names.fields.toWire('status')
  const renamed = Object.entries((draft.get(['states', 'workspace']) ?? {}) as Record<string, string>)
  const stateOf = (word: string) =>
    renamed.find(([, own]) => own === word)?.[0] ?? profile.words.workspace.fromWire(word)
  const words: string[] = []
  const readable: Interval[] = []
  const ofWorkspaces = calls.filter(({ call }) => ['getWorkspace', 'deleteWorkspace'].includes(call.operation))
  for (const own of groupBy(ofWorkspaces, ({ call }) => call.params['workspaceID']).values()) {
    const deletion = own.findIndex(({ call, exchange }) => call.operation === 'deleteWorkspace' && isOk(exchange))
    if (deletion < 0) continue
    const after = own.slice(deletion)
    const isGone = (called: Called) => {
      const workspace = workspaceIn(called)
      const state = stateOf(String(workspace[status]))
      return (
        called.call.operation === 'getWorkspace' &&
        isOk(called.exchange) &&
        ('deleted_at' in workspace || state === 'gone' || !STATES.workspace.includes(state))
      )
    }
    const first = after.findIndex(isGone)
    if (first < 0) continue
    const last = after.findLastIndex(isGone)
    words.push(String(workspaceIn(after[first]!)[status]))
    const next = after[last + 1]
    const isEnd = next !== undefined && saysUnknown(profile, next.exchange, next.call)
    readable.push({
      min: Math.max(0, after[last]!.exchange.sent - after[first]!.exchange.answered),
      max: isEnd ? next.exchange.answered - after[first - 1]!.exchange.sent : Infinity
    })
  }
  if (readable.length === 0) return
  const seen = `Seen for ${times(readable.length, 'deleted workspace')}.`
  const { readableFor = -Infinity } = profile
  const isFit = ({ min, max }: Interval) => min - TOLERANCE_MS <= readableFor && readableFor <= max + TOLERANCE_MS
  if (!readable.every(isFit)) {
    const hasEnd = readable.some(({ max }) => Number.isFinite(max))
    const longest = Math.max(LONG_ENOUGH, 2 * largest(readable.map(({ min }) => min)))
    const place = ['states', 'deleted', 'readable_for']
    draft.set(place, isoLength(Math.ceil((hasEnd ? lengthOf(readable).max : longest) / 1000) * 1000), seen)
    if (!hasEnd) draft.doubt(place, 'No read shows when it ends.')
  }
  const word = mostCommon(words)!
  if (word !== '' && word !== profile.words.workspace.toWire('gone'))
    draft.set(['states', 'workspace', 'gone'], word, seen)
}
