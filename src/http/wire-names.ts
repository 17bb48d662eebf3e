import { MiddlewareResponseSchema } from '../interface/envelope.js'
import type { ServiceError } from '../interface/errors.js'
import type { OperationId } from '../interface/operation-ids.js'
import { MIRRORS } from '../profile/fields.js'
import type { Names } from '../profile/names.js'
import { isLeftOut } from '../profile/omit.js'
import type { Profile } from '../profile/profile.js'
import { TEXT_RESULTS } from '../profile/routes.js'
import { LISTED } from '../resources/tables.js'
import { type Described, namesIn, PREFIXES } from '../resources/vocabulary.js'
import { formOf, replyShaper, schemaShaper } from './reply-forms.js'
import { type Part, schemaParts } from './schema-parts.js'
import { translateDocument } from './wire-document.js'

/** The parts of an error that a client sees. */
type Shown = Pick<ServiceError, 'details' | 'message'>

/**
 * Translates between the names of this server and those on the wire. In client input, both names are exchanged: an
 * inner name becomes one that the server does not know, and translating it back gives the name that the client wrote.
 */
export interface WireNames {
  /** Translates a request's body. @param idOf the id in a field; undefined if it is none in a form of the profile */
  readonly fromWire: (body: unknown, idOf?: (field: string, text: string) => string | undefined) => unknown
  /** Translates a reply, and omits fields that are not sent. @param schema that of most errors if absent */
  readonly toWire: (reply: unknown, status: number, schema?: object, operationId?: string) => unknown
  /**
   * Translates an error about a body that has gone through {@link fromWire}.
   * @param own input of the request; a message that quotes a renamed text from it stays unchanged
   */
  readonly error: (error: Shown & Pick<ServiceError, 'condition'>, own: unknown) => Shown
  /** Translates the OpenAPI document of the interface. */
  readonly document: (openapi: unknown) => unknown
}

/** The beginning of a field's values that can be renamed. */
const prefixOf = (field: string) => (Object.hasOwn(PREFIXES, field) ? PREFIXES[field] : undefined)

/** How a field's text is translated. */
type Kind = 'value' | 'prefixed' | 'text' | 'open'

/** @returns undefined if nothing has another name or form on the wire. @param schemas all named schemas */
export function wireNamesOf(
  { names, omitted, edge: { replies } }: Pick<Profile, 'names' | 'omitted' | 'edge'>,
  schemas: readonly object[]
): WireNames | undefined {
  const { fields, values, prefixes } = names
  const isRenamed = Object.values(names).some((renaming) => renaming.names.size > 0)
  if (omitted.size === 0 && !isRenamed && replies === undefined) return undefined
  const shape = replies && replyShaper(replies, names)
  const { listed, open } = namesIn(schemas)
  const partOf = schemaParts(schemas)
  const conditionOf = ({ names }: Part, field: string) => {
    const [condition] = names.flatMap((name) => omitted.get(name)?.get(field) ?? [])
    return condition
  }

  function kindOf(field: string, part: Pick<Part, 'names'> | undefined): Kind {
    if (open.has(field)) return 'open'
    if (prefixOf(field) !== undefined) return 'prefixed'
    return listed.has(field) || part?.names.some((name) => LISTED[name]?.[field] !== undefined) === true
      ? 'value'
      : 'text'
  }

  function fromWire(item: unknown, kind: Kind, idOf: NonNullable<Parameters<WireNames['fromWire']>[1]>): unknown {
    if (typeof item === 'string') return kind === 'value' ? values.fromWire(item) : item
    if (typeof item !== 'object' || item === null || kind === 'open') return item
    if (Array.isArray(item)) return item.map((one) => fromWire(one, kind, idOf))
    return Object.fromEntries(
      Object.entries(item).map(([key, one]) => {
        const field = fields.fromWire(key)
        const id = typeof one === 'string' ? idOf(field, one) : undefined
        return [field, id ?? fromWire(one, kindOf(field, undefined), idOf)]
      })
    )
  }

  function send(
    item: unknown,
    schema: Described | undefined,
    kind: Kind,
    operationId: string,
    prefix?: string
  ): unknown {
    if (typeof item === 'string') {
      if (kind === 'value') return values.toWire(item)
      return prefix !== undefined && item.startsWith(prefix)
        ? prefixes.toWire(prefix) + item.slice(prefix.length)
        : item
    }
    if (typeof item !== 'object' || item === null || kind === 'open') return item
    const part = schema === undefined ? undefined : partOf(schema)
    if (Array.isArray(item)) return item.map((one) => send(one, part?.items, kind, operationId, prefix))
    const sent: Record<string, unknown> = {}
    for (const [field, one] of Object.entries(item)) {
      if (part !== undefined && isLeftOut(conditionOf(part, field), item, operationId)) continue
      const property = part?.properties.get(field)
      const { [MIRRORS]: mirrored } = property ?? {}
      // A field that mirrors another is translated like it.
      const [name, holder] = mirrored === undefined ? [field, part] : [mirrored.field, { names: [mirrored.of ?? ''] }]
      const form = replies && (formOf(replies, field, one) ?? formOf(replies, name, one))
      sent[fields.toWire(field)] =
        form === undefined ? send(one, property, kindOf(name, holder), operationId, prefixOf(name)) : form.value
    }
    return sent
  }

  const toWire: WireNames['toWire'] = (reply, status, schema = MiddlewareResponseSchema, operationId = '') => {
    const item = TEXT_RESULTS.get(operationId as OperationId)
    // A profile can answer it as a value instead.
    const isText = item !== undefined && typeof (reply as { Result: unknown }).Result === 'string'
    const sent = send(isText ? withSentText(reply, item, operationId) : reply, schema, 'text', operationId)
    return shape === undefined ? sent : shape(reply, sent, operationId, status)
  }

  function withSentText(reply: unknown, $ref: string, operationId: string): unknown {
    const { Result } = reply as { Result: string }
    return {
      ...(reply as object),
      Result: JSON.stringify(send(JSON.parse(Result), { items: { $ref: `${$ref}#` } }, 'text', operationId))
    }
  }

  const text = textReplacer(names)
  /** Translates a reason, which can list values. */
  const reason = (words: string): string => {
    const [, before, list] = /^(.*must be one of )(.+)$/s.exec(words) ?? []
    return list === undefined ? text(words) : text(before!) + list.split(', ').map(values.toWire).join(', ')
  }

  const error: WireNames['error'] = ({ condition, details, message }, own) => {
    // Only the reasons of an invalid body list names and values; they quote nothing from the client.
    const isText =
      condition === 'invalidBody' || !quotes(own, (quoted) => message.includes(quoted) && text(quoted) !== quoted)
    const sent = details.map((detail) => ({
      ...detail,
      FieldName: fields.pathToWire(detail.FieldName),
      Reason: isText ? reason(detail.Reason) : detail.Reason
    }))
    return { details: sent, message: withSentences(message, details.map(sentenceOf), sent.map(sentenceOf)) }
  }

  return {
    fromWire: (body, idOf = () => undefined) => fromWire(body, 'text', idOf),
    toWire,
    error,
    document: (openapi) => {
      const example = (body: unknown, schema: Described, operationId: string) => toWire(body, 200, schema, operationId)
      const shapeSchema = replies && schemaShaper(replies, names)
      return translateDocument(openapi, { names, text, toWire: example, partOf, conditionOf, shapeSchema })
    }
  }
}

/** Returns a function that replaces names in a text where they are whole words, unless they could be English words. */
function textReplacer({ fields, schemas, values }: Names): (text: string) => string {
  const names = new Map(
    [fields, schemas, values]
      .flatMap((renaming) => [...renaming.names])
      .filter(([name]) => /[\d_.-]|[a-z][A-Z]/.test(name))
      // A longer name can contain a shorter one.
      .sort(([a], [b]) => b.length - a.length)
  )
  if (names.size === 0) return (text) => text
  const alternatives = [...names.keys()].map((name) => name.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|')
  const pattern = new RegExp(`(?<![\\w-])(?:${alternatives})(?![\\w-])`, 'g')
  return (text) => text.replaceAll(pattern, (name) => names.get(name)!)
}

/** Whether a value contains a wanted text. */
function quotes(value: unknown, isWanted: (text: string) => boolean): boolean {
  if (typeof value === 'string') return isWanted(value)
  return typeof value === 'object' && value !== null && Object.values(value).some((item) => quotes(item, isWanted))
}

const sentenceOf = ({ FieldName, Reason }: { FieldName: string; Reason: string }) =>
  FieldName === '' ? Reason : `${FieldName} ${Reason}`

/** Replaces whole sentences in order, so that the rest of a message stays unchanged. */
function withSentences(message: string, sentences: readonly string[], others: readonly string[]): string {
  let done = ''
  let rest = message
  for (const [index, sentence] of sentences.entries()) {
    const at = rest.indexOf(sentence)
    // A message has only the first ones.
    if (at < 0) break
    done += rest.slice(0, at) + others[index]!
    rest = rest.slice(at + sentence.length)
  }
  return done + rest
}
