import { type TObject, Type } from '@sinclair/typebox'
import type { Transition } from './state-machine.js'

/** A kind of event: its name, and the schema of the payload that is stored when it is scheduled. */
export interface EventKind<Payload extends TObject = TObject> {
  readonly name: string
  readonly payload: Payload
}

/** The end of a transition: an event with the transition's name. */
export interface EndKind<Noted extends TObject = TObject> {
  readonly transition: Transition
  /** Schema of the data stored when the transition starts. */
  readonly noted: Noted
}

export const NOTHING = Type.Object({})

export const Id = Type.String()

/** Rejects unknown fields in a state document, so that typos show. */
const closedForm = <Payload extends TObject>(payload: Payload): Payload => ({ ...payload, additionalProperties: false })

/** Declares a kind of event. The same schema checks its payload in state documents. */
export function defineEvent<Payload extends TObject>(name: string, payload: Payload): EventKind<Payload> {
  return { name, payload: closedForm(payload) }
}

/** Declares the data that a transition stores when it starts, for its end. */
export function defineEnd<Noted extends TObject>(transition: Transition, noted: Noted): EndKind<Noted> {
  return { transition, noted }
}

/** How a transition ends, as decided by a rule when it starts. */
const VERDICT = { failed: Type.Optional(Type.Boolean()), reason: Type.Optional(Type.String()) }

/** The event at the end of a transition: how it ends, and the data stored when it started. */
export function eventOf({ transition, noted }: EndKind): EventKind {
  return defineEvent(transition.name, Type.Object({ ...VERDICT, ...noted.properties }))
}
