import { type TObject, Type } from '@sinclair/typebox'
import type { Transition } from './state-machine.js'

/** A kind of event: its name, and the schema of what is noted with it when it is scheduled. */
export interface EventKind<Payload extends TObject = TObject> {
  readonly name: string
  readonly payload: Payload
}

/** The end of a transition: an event of its name. */
export interface EndKind<Noted extends TObject = TObject> {
  readonly transition: Transition
  /** What is noted when the transition begins. */
  readonly noted: Noted
}

/** The schema of a payload with nothing in it. */
export const NOTHING = Type.Object({})

/** The schema of an id in a payload. */
export const Id = Type.String()

/** A state document may bring no field that the schema does not know, so that a slip shows. */
const closedForm = <Payload extends TObject>(payload: Payload): Payload => ({ ...payload, additionalProperties: false })

/** Declares a kind of event. What a state document brings for it is checked by the same schema. */
export function defineEvent<Payload extends TObject>(name: string, payload: Payload): EventKind<Payload> {
  return { name, payload: closedForm(payload) }
}

/** Declares what is noted when a transition begins, for its end. */
export function defineEnd<Noted extends TObject>(transition: Transition, noted: Noted): EndKind<Noted> {
  return { transition, noted }
}

/** How a transition ends, as a rule says it when it begins. */
const VERDICT = { failed: Type.Optional(Type.Boolean()), reason: Type.Optional(Type.String()) }

/** The event at the end of a transition: how it ends, and what was noted when it began. */
export function eventOf({ transition, noted }: EndKind): EventKind {
  return defineEvent(transition.name, Type.Object({ ...VERDICT, ...noted.properties }))
}
