import { objectOf } from '../../lib/json.js'
import { quantity } from '../../lib/quantity.js'
import { isoLength } from '../../lib/time.js'
import { type Exchange, isOk } from '../exchange.js'
import { saysTooMany, saysUnknown } from '../meaning.js'
import { shownBy } from '../sights.js'
import type { Draft } from './draft.js'
import { largest, smallest } from './durations.js'
import { differencesIn, type Evidence } from './evidence.js'

/** A way to count. */
interface Rule {
  readonly per?: 'database'
  readonly failed?: true
}

/** The ways in which each quota can count, most usual first. */
const RULES: Readonly<Record<string, readonly Rule[]>> = {
  rw_workspaces: [{}, { failed: true }],
  ro_workspaces: [{}, { per: 'database' }, { failed: true }, { per: 'database', failed: true }]
}

/** Learns the quotas that were hit, with the maximum and the way to count that explain all refusals. */
export function learnQuotas(evidence: Evidence, draft: Draft): void {
  for (const { key, differences } of differencesIn(evidence, 'quota')) {
    const quota = key.subject ?? 'A quota'
    const rules = RULES[quota] ?? []
    const attempts = attemptsOf(evidence, quota === 'rw_workspaces', rules)
    const refused = attempts.filter(({ isRefused }) => isRefused)
    const accepted = attempts.filter(({ isRefused }) => !isRefused)
    const [best] = rules.flatMap((rule, index) => {
      const maximum = smallest(refused.map(({ counts }) => counts[index]!))
      const least = largest(accepted.map(({ counts }) => counts[index]! + 1))
      return Number.isFinite(maximum) && least <= maximum ? [{ rule, maximum }] : []
    })
    if (best === undefined) {
      draft.flag(['quotas'], `${quota} was hit ${quantity(differences, 'time')}; how it counts is unknown.`)
      continue
    }
    const why = `${quantity(refused.length, 'request')} refused, ${accepted.length} accepted.`
    draft.set(['quotas', quota], { default: best.maximum, ...best.rule }, why)
  }
}

/** Requests to create a workspace that the quota counts, each with the previous number of them by each rule. */
function attemptsOf(evidence: Evidence, isWritable: boolean, rules: readonly Rule[]) {
  const { profile, sights } = evidence
  const { toWire } = profile.names.fields
  const workspaces = new Map<string, { database: unknown; isWritable: boolean; hasFailed: boolean }>()
  const workspacesIn = shownBy(sights, 'Workspace')
  const attempts: { isRefused: boolean; counts: readonly number[] }[] = []
  for (const { call, exchange } of evidence.calls) {
    if (call.operation === 'createWorkspace') {
      const body = objectOf(exchange.requestBody)
      const isOfKind = (body[toWire('is_rw')] !== false) === isWritable
      const isRefused = saysTooMany(profile, exchange)
      if (isOfKind && (isRefused || isOk(exchange))) {
        const existing = [...workspaces.values()].filter((one) => one.isWritable === isWritable)
        const counts = rules.map(
          ({ per, failed }) =>
            existing.filter(
              ({ database, hasFailed }) =>
                (per === undefined || database === body[toWire('svc_database_id')]) && (failed === true || !hasFailed)
            ).length
        )
        attempts.push({ isRefused, counts })
      }
    }
    const id = call.params['workspaceID']
    const isGone = call.operation === 'getWorkspace' && saysUnknown(profile, exchange, call)
    if (isGone && id !== undefined) workspaces.delete(id)
    const shown = workspacesIn.get(exchange) ?? []
    for (const { value } of shown) {
      const state = profile.words.workspace.fromWire(String(value[toWire('status')]))
      const id = String(value[toWire('workspace_id')])
      if (state === 'gone' || 'deleted_at' in value) workspaces.delete(id)
      else
        workspaces.set(id, {
          database: value[toWire('database_id')],
          isWritable: value[toWire('is_rw')] !== false,
          hasFailed: state === 'Failed'
        })
    }
    if (call.operation === 'listWorkgroups' && isOk(exchange)) {
      const left = new Set(shown.map(({ value }) => String(value[toWire('workspace_id')])))
      for (const id of workspaces.keys()) if (!left.has(id)) workspaces.delete(id)
    }
  }
  return attempts
}

/** A policy in `RateLimit-Policy`: quota, and window in seconds. */
const POLICY = /^"?[\w-]+"?;\s*q=(?<quota>\d+);\s*w=(?<window>\d+)$/

/** Learns limits on requests from `RateLimit-Policy`. Without it, notes that there are limits. */
export function learnLimits(exchanges: readonly Exchange[], draft: Draft): void {
  const refused = exchanges.filter(({ status }) => status === 429)
  const announced = exchanges.filter(({ headers }) => 'ratelimit-policy' in headers)
  const policies = [...new Set(announced.map(({ headers }) => headers['ratelimit-policy']!))]
  const [items = []] = policies.map((policy) => policy.split(',').map((item) => POLICY.exec(item.trim())?.groups))
  const seen = `${quantity(refused.length, 'request')} got a 429`
  if (policies.length === 1 && items.every((item) => item !== undefined)) {
    const [form = 'seconds'] = refused.map(({ headers }) => formOf(headers['retry-after']))
    const limits = items.map(({ quota, window }) => ({
      requests: Number(quota),
      window: isoLength(Number(window) * 1000),
      ...(form === 'seconds' ? {} : { retry_after: form }),
      fields: true
    }))
    draft.set(['limits'], limits, `From RateLimit-Policy in ${quantity(announced.length, 'reply')}; ${seen}.`)
  } else if (refused.length > 0) draft.flag([], `${seen}, but no reply shows the limit.`)
}

const formOf = (value: string | undefined) => (value === undefined ? 'none' : /^\d+$/.test(value) ? 'seconds' : 'date')
