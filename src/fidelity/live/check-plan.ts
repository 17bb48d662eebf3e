import { OPERATION_IDS } from '../../interface/operation-ids.js'
import { OPERATION_ROUTES } from '../../interface/operation-routes.js'
import { didYouMean, nearest } from '../../lib/nearest.js'
import { parseDuration } from '../../lib/time.js'
import { type Plan, type Step, stepName } from './plan.js'

/** What is wrong with a plan, and the path of the field; undefined: nothing. */
type Problem = { readonly path: readonly string[]; readonly message: string } | undefined

const PARTS = ['steps', 'finally'] as const

/** Finds an operation that does not exist. Of that, a schema would only say that it is none of many. */
export function unknownOperation(document: unknown): Problem {
  for (const part of PARTS) {
    const steps = (document as Partial<Record<(typeof PARTS)[number], unknown>> | null)?.[part]
    if (!Array.isArray(steps)) continue
    for (const [index, step] of (steps as readonly ({ operation?: unknown } | null)[]).entries()) {
      const operation = step?.operation
      if (typeof operation !== 'string' || (OPERATION_IDS as readonly string[]).includes(operation)) continue
      return {
        path: [part, String(index), 'operation'],
        message: `there is no operation ${operation}${didYouMean(nearest(operation, OPERATION_IDS))}`
      }
    }
  }
  return undefined
}

/** Finds what no schema can see in a plan. */
export function planProblem(plan: Plan): Problem {
  const names: string[] = []
  for (const part of PARTS) {
    for (const [index, step] of (plan[part] ?? []).entries()) {
      const found = paramProblem(step) ?? untilProblem(step) ?? eachProblem(step, names)
      if (found !== undefined) {
        const [path, message] = found
        return { path: [part, String(index), ...path], message: `${stepName(step, index, part)}: ${message}` }
      }
      if (step.name !== undefined) names.push(step.name)
    }
  }
  return undefined
}

type Found = readonly [path: readonly string[], message: string] | undefined

function paramProblem({ operation, params = {} }: Step): Found {
  const needed = Array.from(OPERATION_ROUTES[operation].path.matchAll(/\{(\w+)\}/g), ([, name]) => name!)
  const given = Object.keys(params)
  const missing = needed.find((name) => !given.includes(name))
  const further = given.find((name) => !needed.includes(name))
  if (further !== undefined) {
    const meant = nearest(
      further,
      needed.filter((name) => !given.includes(name))
    )
    return [['params', further], `it has no parameter ${further}${didYouMean(meant)}`]
  }
  return missing === undefined ? undefined : [['params'], `the parameter ${missing} is missing`]
}

function untilProblem({ until }: Step): Found {
  if (until === undefined) return undefined
  for (const name of ['every', 'within'] as const)
    if (parseDuration(until[name]) === undefined) return [['until', name], `until.${name} is no duration`]
  if (until.status === undefined && until.field === undefined) return [['until'], 'until needs a status or a field']
  return undefined
}

/** @param names those of the steps before */
function eachProblem({ each }: Step, names: readonly string[]): Found {
  const [name = ''] = each?.split('.') ?? []
  if (each === undefined || names.includes(name)) return undefined
  return [['each'], `no step before it has the name ${name}${didYouMean(nearest(name, names))}`]
}
