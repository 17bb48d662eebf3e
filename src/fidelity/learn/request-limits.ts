import { groupBy } from '../../lib/group-by.js'
import { isoLength } from '../../lib/time.js'
import type { Exchange } from '../exchange.js'
import { type Draft, times } from './draft.js'

/** The status of a request beyond a limit. */
const TOO_MANY = 429

/** A policy of `RateLimit-Policy`: the quota, and the window in seconds. */
const POLICY = /^"?[\w-]+"?;\s*q=(?<quota>\d+);\s*w=(?<window>\d+)$/

/** How many requests are answered in a window, where replies say so; that there are limits, where they do not. */
export function learnLimits(exchanges: readonly Exchange[], draft: Draft): void {
  const refused = exchanges.filter(({ status }) => status === TOO_MANY)
  const told = exchanges.filter(({ headers }) => 'ratelimit-policy' in headers)
  const policies = [...new Set(told.map(({ headers }) => headers['ratelimit-policy']!))]
  const [items = []] = policies.map((policy) => policy.split(',').map((item) => POLICY.exec(item.trim())?.groups))
  if (policies.length === 1 && items.every((item) => item !== undefined)) {
    const forms = new Set(refused.map(({ headers }) => formOf(headers['retry-after'])))
    const [form = 'seconds'] = forms
    draft.set(
      ['limits'],
      items.map(({ quota, window }) => ({
        requests: Number(quota),
        window: isoLength(Number(window) * 1000),
        ...(form === 'seconds' ? {} : { retry_after: form }),
        fields: true
      })),
      `From RateLimit-Policy in ${times(told.length, 'reply', 'replies')}; ${times(refused.length, 'request')} refused.`
    )
    if (forms.size > 1) draft.doubt(['limits'], `Retry-After had several forms: ${[...forms].join(' and ')}.`)
  } else if (refused.length > 0) {
    const fitting = limitsBehind(exchanges)
    const [limit, ...others] = fitting
    const seen = `${times(refused.length, 'request')} got a 429`
    if (limit === undefined) draft.doubt([], `${seen}, and no reply says how many may come in which time.`)
    else if (refused.length === 1 || others.length > 0)
      draft.doubt([], `${seen}, as with ${fitting.map(inWords).join(', or ')}.`)
    else
      draft.set(
        ['limits'],
        [
          {
            requests: limit.requests,
            window: isoLength(limit.window * 1000),
            ...(refused.every(({ headers }) => 'retry-after' in headers) ? {} : { retry_after: 'none' })
          }
        ],
        `${seen}, each beyond ${inWords(limit)}, and no other request was.`
      )
  }
}

const inWords = ({ requests, window }: ReturnType<typeof limitsBehind>[number]) => `${requests} in ${window} s`

/** The windows that services have, in seconds. */
const WINDOWS: readonly number[] = [1, 2, 5, 10, 15, 20, 30, 60, 120, 300, 600, 900, 1800, 3600]

/** The limits under which exactly those requests were refused that were, for each of the credentials. */
function limitsBehind(exchanges: readonly Exchange[]) {
  const keys = groupBy(
    exchanges,
    ({ requestHeaders: { authorization = '', 'x-api-key': key = '' } }) => authorization + key
  )
  return WINDOWS.flatMap((window) => {
    const requests = quotaBehind([...keys.values()], window)
    return requests === undefined ? [] : [{ requests, window }]
  })
}

/** How many were answered in each window before one was refused; undefined if this was not always the same. */
function quotaBehind(keys: readonly (readonly Exchange[])[], window: number): number | undefined {
  const counts = { full: new Set<number>(), largest: 0 }
  for (const exchanges of keys) {
    let answered: number[] = []
    for (const { sent, status } of exchanges) {
      answered = answered.filter((at) => at > sent - window * 1000)
      if (status === TOO_MANY) counts.full.add(answered.length)
      else counts.largest = Math.max(counts.largest, answered.push(sent))
    }
  }
  const [quota] = counts.full
  return counts.full.size === 1 && quota! > 0 && counts.largest <= quota! ? quota : undefined
}

const formOf = (value: string | undefined) => (value === undefined ? 'none' : /^\d+$/.test(value) ? 'seconds' : 'date')
