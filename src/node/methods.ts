import { bare } from '../lib/call-site.js'
import { inTexts } from '../lib/json.js'
import { typeName } from '../lib/type-name.js'
import type { ControlPlane, Origin } from '../resources/control-plane.js'
import { CALLS } from '../test-control/calls.js'
import {
  bodyOf,
  type CallContext,
  checkInput,
  type ControlCall,
  perform,
  placeOfMethod
} from '../test-control/control-call.js'
import type { SandboxCalls, SandboxesHandle } from '../test-control/handle/types.js'

/** Makes a call with the arguments of a method. */
export type Invoke = (call: ControlCall, given: readonly unknown[]) => Promise<unknown>

type Method = (...given: unknown[]) => Promise<unknown>

/** The methods for the calls that programs can make, such as `seed` and `clock.advance`. */
export function methodsOf(invoke: Invoke): SandboxCalls & { readonly sandboxes: SandboxesHandle } {
  const methods: Record<string, Method | Record<string, Method>> = {}
  for (const call of CALLS) {
    if (call.program === undefined) continue
    const [owner, name] = placeOfMethod(call.program)
    const method: Method = async (...given) => invoke(call, given)
    if (owner === '') methods[name] = method
    else methods[owner] = { ...(methods[owner] as Record<string, Method>), [name]: method }
  }
  return methods as unknown as ReturnType<typeof methodsOf>
}

/** Checks the arguments of a method, and makes the call. @param caller has an origin, unless the call needs none */
export async function callFrom(
  call: ControlCall,
  given: readonly unknown[],
  caller: { readonly plane: ControlPlane } & Partial<Origin>
): Promise<unknown> {
  const ids = caller.plane.profile.edge.replies?.ids
  const input = inputOf(call, given)
  const inside = ids ? (inTexts(input, (text) => ids.fromWire(text) ?? text) as typeof input) : input
  const context = { ...caller, ...inside } as CallContext
  checkInput(call, context)
  return resultOf(call, await perform(call, context))
}

/** The part of a call's result that its method returns. */
export function resultOf({ result: schema, program }: ControlCall, result: unknown): unknown {
  if (schema === undefined) return undefined
  const { gives } = program ?? {}
  return gives === undefined ? result : (result as Readonly<Record<string, unknown>>)[gives]
}

/** The input of a call, from the arguments of its method. @throws {TypeError} naming a missing id */
export function inputOf(call: ControlCall, given: readonly unknown[]): Pick<CallContext, 'params' | 'query' | 'body'> {
  const { params = {}, query, body, program } = call
  const ids = Object.keys(params).map((name, index) => [name, needed({ [name]: given[index] })])
  const rest = given.slice(ids.length)
  const value = valueOf(program?.takes, rest)
  return {
    params: Object.fromEntries(ids) as Record<string, string>,
    query: query === undefined ? {} : (value ?? {}),
    body: body === undefined ? undefined : bodyOf(call, value)
  }
}

function valueOf(takes: string | readonly string[] | undefined, given: readonly unknown[]): unknown {
  if (takes === undefined) return given[0]
  if (typeof takes === 'string') return { [takes]: given[0] }
  return Object.fromEntries(takes.map((name, index) => [name, given[index]]).filter(([, value]) => value !== undefined))
}

/** Checks an argument, which may come from untyped code. @throws {TypeError} if it is missing or not a text */
export function needed(argument: Readonly<Record<string, unknown>>): string {
  const [[name, value]] = Object.entries(argument) as [[string, unknown]]
  if (typeof value === 'string' && value !== '') return value
  throw bare(new TypeError(`${name} must be a non-empty text, not ${value === '' ? "''" : typeName(value)}`))
}
