import { Type } from '@sinclair/typebox'
import { type Condition, ERROR_TYPES } from '../interface/errors.js'
import type { Shape } from '../interface/schemas.js'
import { strict } from '../lib/strict.js'
import { by, checkKnown, checkOperation, type Complain, flag, whole } from './form.js'
import { compileHeaders, HeadersSchema } from './reply.js'
import { compilePlainText } from './template.js'

/** Conditions of the service. All others are about the mock itself. */
export const CONDITIONS: readonly Condition[] = [
  'invalidBody',
  'notAllowed',
  'unauthorized',
  'forbidden',
  'quotaExceeded',
  'notFound',
  'bodyTooLarge',
  'unsupportedMediaType'
]

/** Operations that can be done, or under way, already. */
const REPEATABLE: readonly string[] = ['pauseWorkspace', 'resumeWorkspace']

const answer = {
  status: Type.Optional(whole(400, 599, 'HTTP status; as built in if absent.')),
  type: Type.Optional(
    Type.String({
      pattern: '^[\\w-]{1,64}$',
      description: `\`Type\` of each error; as built in if absent. Built in are ${ERROR_TYPES.join(', ')}.`
    })
  ),
  message: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 10_000,
      description:
        '`Message`, with `{{message}}` for the built-in one, `{{path.workspaceID}}` or the like for an id, and ' +
        '`{{body.name}}` for a field of the request; as built in if absent.'
    })
  ),
  headers: HeadersSchema,
  repeats: flag(
    'Whether a pause or a resume is refused if it is done or under way already; false if absent. Only for notAllowed.'
  ),
  bare: flag('Whether there is one error, with an empty `FieldName` and `Reason`; false if absent.')
}

export const RefusalsSchema = by(
  `How the service refuses, by condition: ${CONDITIONS.join(', ')}.`,
  strict({ ...answer, operations: Type.Optional(by('Exceptions, by operationId.', strict(answer))) })
)
type RefusalsDocument = Shape<typeof RefusalsSchema>
type Answer = Omit<RefusalsDocument[string], 'operations'>

/** The error types that a profile adds. */
export function furtherTypes(document: RefusalsDocument = {}): string[] {
  const answers = Object.values(document).flatMap(({ operations = {}, ...general }) => [
    general,
    ...Object.values(operations)
  ])
  const known: readonly string[] = ERROR_TYPES
  return [...new Set(answers.flatMap(({ type }) => type ?? []))].filter((type) => !known.includes(type))
}

export type Refusals = ReturnType<typeof compileRefusals>

/** @returns finds how a refusal is answered; undefined: as built in */
export function compileRefusals(document: RefusalsDocument, complain: Complain) {
  const answers = new Map<string, ReturnType<typeof compile>>()
  for (const [condition, { operations = {}, ...general }] of Object.entries(document)) {
    checkKnown(condition, CONDITIONS, `errors.${condition}`, 'is not a condition', complain)
    checkRepeats(condition, general, `errors.${condition}`, REPEATABLE)
    answers.set(condition, compile(general, `errors.${condition}`))
    for (const [operation, exception] of Object.entries(operations) as [string, Answer][]) {
      const path = `errors.${condition}.operations.${operation}`
      checkOperation(operation, path, complain)
      checkRepeats(condition, exception, path, [operation])
      answers.set(`${condition} ${operation}`, compile({ ...general, ...exception }, path))
    }
  }
  return (condition: Condition, operation = '') => answers.get(`${condition} ${operation}`) ?? answers.get(condition)

  function checkRepeats(condition: string, { repeats }: Answer, path: string, of: readonly string[]): void {
    if (repeats === undefined) return
    if (condition !== 'notAllowed') complain(`${path}.repeats`, 'is only for notAllowed')
    else if (!of.every((operation) => REPEATABLE.includes(operation)))
      complain(`${path}.repeats`, `is only for ${REPEATABLE.join(' and ')}`)
  }

  function compile({ status, type, message, headers, repeats = false, bare = false }: Answer, path: string) {
    const known = { words: ['message', 'request_id'], sources: { path: 'any', body: 'any' } } as const
    return {
      status,
      type,
      /** Whether a pause or a resume that is done or under way already is refused, too. */
      isForRepeats: repeats,
      /** Gives the message. The value `message` is the built-in one. */
      message: message === undefined ? undefined : compilePlainText(message, `${path}.message`, known, complain),
      headers: compileHeaders(headers, path, known, complain),
      isBare: bare
    }
  }
}
