import type { Exchange } from '../exchange.js'
import { type Scope, unfilled } from './placeholders.js'
import type { Step } from './plan.js'
import { StepError } from './plan-error.js'
import { messageIn } from './reply.js'

/** Why a plan cannot go on without the result of a step. */
export function failureOf(
  { operation, body }: Step,
  { status, body: reply }: Exchange,
  problem: string | undefined,
  scope: Scope
): StepError {
  const missing = unfilled(body, scope)
    .flatMap((name) => name.split('|'))
    .flatMap((name) => /^\s*values\.(\w+)\s*$/.exec(name)?.[1] ?? [])
  if (status === null) return new StepError(`${operation} had no reply: ${problem!}`, missing)
  const message = messageIn(reply)
  const named = missing.filter((name) => message.includes(name))
  return new StepError(
    `${operation} was answered with ${status}${message === '' ? '' : `: ${message}`}`,
    named.length > 0 ? named : missing
  )
}
