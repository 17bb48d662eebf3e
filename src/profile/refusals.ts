import { type TSchema, Type } from '@sinclair/typebox'
import { type Condition, ERROR_TYPES, type ErrorType } from '../interface/errors.js'
import { operationProblem } from '../interface/operation-ids.js'
import { enumeration, type Shape } from '../interface/schemas.js'
import { closed } from '../lib/closed.js'
import type { Complain } from './complain.js'
import { compilePlainText, type Values } from './template.js'

/** The conditions in which the service refuses a request; all others are about the mock itself. */
const CONDITIONS = {
  invalidBody: 'malformed JSON, or a missing or invalid field',
  notAllowed: 'a state or a constraint forbids it',
  unauthorized: 'a missing or unknown credential',
  forbidden: 'an API key where only a session is accepted, or a missing role',
  quotaExceeded: 'a quota is reached',
  notFound: 'an id in the path does not exist',
  bodyTooLarge: 'a body that is too large',
  unsupportedMediaType: 'a body that is not JSON'
} as const satisfies Partial<Record<Condition, string>>
type Refusing = keyof typeof CONDITIONS

const answer = {
  status: Type.Optional(
    Type.Integer({ minimum: 400, maximum: 599, description: 'HTTP status; as built in if absent.' })
  ),
  type: Type.Optional(enumeration<ErrorType>(ERROR_TYPES, '`Type` of each error; as built in if absent.')),
  message: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 10_000,
      description: '`Message`, with `{{message}}` for the built-in one; as built in if absent.'
    })
  ),
  bare: Type.Optional(
    Type.Boolean({
      description: 'Whether there is one error, with an empty `FieldName` and `Reason`; false if absent.'
    })
  )
}

const forEach = <Name extends string, T extends TSchema>(names: readonly Name[], schemaOf: (name: Name) => T) =>
  Object.fromEntries(names.map((name) => [name, schemaOf(name)])) as Record<Name, T>

/** The part `errors` of a profile. */
export const RefusalsSchema = closed(
  forEach(Object.keys(CONDITIONS) as Refusing[], (condition) =>
    Type.Optional(
      closed(
        {
          ...answer,
          operations: Type.Optional(
            Type.Record(Type.String(), closed(answer), { description: 'What is otherwise, by operationId.' })
          )
        },
        { description: `If there is ${CONDITIONS[condition]}.` }
      )
    )
  ),
  { description: 'How the service refuses, by condition.' }
)
type RefusalsDocument = Shape<typeof RefusalsSchema>
type Answer = Omit<NonNullable<RefusalsDocument[Refusing]>, 'operations'>

/** How a refusal is answered. What is absent is as built in. */
interface RefusalAnswer {
  readonly status: number | undefined
  readonly type: ErrorType | undefined
  /** Gives the message; the built-in one is its value `message`. */
  readonly message: ((values: Values) => string) | undefined
  readonly isBare: boolean
}

/** The answer for a condition and an operation; undefined: as built in. */
export type Refusals = (condition: Condition, operation: string | undefined) => RefusalAnswer | undefined

export function compileRefusals(document: RefusalsDocument, complain: Complain): Refusals {
  const answers = new Map<string, RefusalAnswer>()
  for (const [condition, { operations = {}, ...general }] of Object.entries(document)) {
    answers.set(condition, compile(general, `errors.${condition}`))
    for (const [operation, own] of Object.entries(operations) as [string, Answer][]) {
      const path = `errors.${condition}.operations.${operation}`
      const problem = operationProblem(operation)
      if (problem !== undefined) complain(path, problem)
      answers.set(`${condition} ${operation}`, compile({ ...general, ...own }, path))
    }
  }
  return (condition, operation = '') => answers.get(`${condition} ${operation}`) ?? answers.get(condition)

  function compile({ status, type, message, bare = false }: Answer, path: string): RefusalAnswer {
    const known = { words: ['message', 'request_id'], sources: {} }
    return {
      status,
      type,
      message: message === undefined ? undefined : compilePlainText(message, `${path}.message`, known, complain),
      isBare: bare
    }
  }
}
