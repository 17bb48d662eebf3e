import type { ServiceError } from '../lib/errors.js'
import { OptionError, type Options } from '../options.js'

/**
 * Translates names to and from another brand, for everything that travels over HTTP. The rest of the server uses
 * neutral names. In client input, both names are exchanged: a neutral name becomes the branded one, which the server
 * does not know. So it is an unknown field, and translating it back gives the name that the client wrote.
 */
export interface Brand {
  /** Translates a request's body to neutral names. */
  readonly fromWire: (body: unknown) => unknown
  /** Translates an operation's reply, with or without the envelope, to branded names. */
  readonly toWire: (reply: unknown, operationId?: string) => unknown
  /**
   * Translates an error about a body that has gone through {@link fromWire}.
   * @param own input of the request; a message that quotes a branded text from it stays unchanged
   */
  readonly error: (
    error: Pick<ServiceError, 'condition' | 'details' | 'message'>,
    own: unknown
  ) => Pick<ServiceError, 'details' | 'message'>
  /** Translates the OpenAPI document of the interface. */
  readonly document: (openapi: unknown) => unknown
}

/** The field that holds a resource name; each brand has its own name for it. */
const RESOURCE_NAME = 'srn'

/** Further reply fields with branded values, not listed in any schema. Listed ones are found in the schemas. */
const TYPE_NAME = 'typeName'
const IMAGE = 'image'

/** Operations whose `Result` is the text of a JSON value. */
const JSON_TEXT_RESULTS: ReadonlySet<string> = new Set(['getWorkspaceSchedules'])

/** The identifiers in a set of schemas, branded ones in particular. */
interface Identifiers {
  /** All field names, branded or not. */
  readonly fields: ReadonlySet<string>
  /** Names of the schemas. */
  readonly schemas: ReadonlySet<string>
  /** Branded enumeration values, such as types of workspaces. */
  readonly values: ReadonlySet<string>
  /** Fields with such an enumeration. */
  readonly listed: ReadonlySet<string>
  /** Fields whose contents only the client knows; nothing inside them is renamed. */
  readonly open: ReadonlySet<string>
}

const bearsBrand = (name: string) => /svc/i.test(name)

function identifiersOf(schemas: readonly object[]): Identifiers {
  const found = {
    fields: new Set<string>(),
    schemas: new Set<string>(),
    values: new Set<string>(),
    listed: new Set<string>(),
    open: new Set<string>()
  }
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return
    const { $id, properties = {} } = value as {
      $id?: string
      properties?: Record<string, { additionalProperties?: unknown; enum?: string[] }>
    }
    if ($id !== undefined) found.schemas.add($id)
    for (const [name, { additionalProperties, enum: list = [] }] of Object.entries(properties)) {
      found.fields.add(name)
      if (additionalProperties === true) found.open.add(name)
      const branded = list.filter(bearsBrand)
      if (branded.length > 0) found.listed.add(name)
      for (const item of branded) found.values.add(item)
    }
    Object.values(value).forEach(visit)
  }
  schemas.forEach(visit)
  return found
}

/**
 * The brand that the options ask for; undefined if it is the neutral one.
 * @param schemas all schemas that are published under their own names
 * @throws {OptionError} if a branded name collides with another name
 */
export function brandOf(
  { brand, brandResourceName }: Pick<Options, 'brand' | 'brandResourceName'>,
  schemas: readonly object[]
): Brand | undefined {
  if (brand === 'svc' && brandResourceName === RESOURCE_NAME) return undefined
  const { fields, schemas: schemaNames, values, listed, open } = identifiersOf(schemas)
  const rename = (name: string) =>
    name
      .replaceAll('SVC', brand.toUpperCase())
      .replaceAll('Svc', `${brand[0]!.toUpperCase()}${brand.slice(1)}`)
      .replaceAll('svc', brand)
  const renamed = (names: ReadonlySet<string>) =>
    new Map([...names].filter(bearsBrand).map((name) => [name, rename(name)]))

  const fieldNames = renamed(fields).set(RESOURCE_NAME, brandResourceName)
  const idNames = renamed(schemaNames)
  for (const [names, all] of [
    [fieldNames, fields],
    [idNames, schemaNames]
  ] as const) {
    for (const [name, other] of names) {
      if (other !== name && all.has(other)) {
        const option = name === RESOURCE_NAME ? '--brand-resource-name' : '--brand'
        throw new OptionError(`${option} would rename ${name} to ${other}, which is the name of something else`)
      }
    }
  }

  const field = exchange(fieldNames)
  const value = exchange(renamed(values))
  const text = wordReplacer(new Map([...renamed(fields), ...idNames, ...renamed(values)]))
  const isListed = (name: string) => listed.has(name) || name === TYPE_NAME

  const valueFromWire = (name: string, item: string) => (isListed(name) ? value(item) : item)
  const valueToWire = (name: string, item: string) => {
    if (isListed(name)) return value(item)
    if (name === RESOURCE_NAME) return item.replace(/^srn:svc:/, () => `${brandResourceName}:${brand}:`)
    return name === IMAGE ? item.replace(/^svc\//, () => `${brand}/`) : item
  }

  function walk(item: unknown, convert: (name: string, item: string) => string, name = ''): unknown {
    if (typeof item === 'string') return convert(name, item)
    if (typeof item !== 'object' || item === null || open.has(name)) return item
    if (Array.isArray(item)) return item.map((one) => walk(one, convert, name))
    return Object.fromEntries(Object.entries(item).map(([key, one]) => [field(key), walk(one, convert, key)]))
  }

  const toWire: Brand['toWire'] = (reply, operationId = '') => {
    const sent = walk(reply, valueToWire)
    if (!JSON_TEXT_RESULTS.has(operationId)) return sent
    const { Result } = sent as { Result: unknown }
    // A profile can have it answered as a value.
    if (typeof Result !== 'string') return sent
    return { ...(sent as object), Result: JSON.stringify(walk(JSON.parse(Result), valueToWire)) }
  }

  function error(
    { condition, details, message }: Parameters<Brand['error']>[0],
    own: unknown
  ): ReturnType<Brand['error']> {
    // Only the reasons of an invalid body list names and values, and these quote nothing from the client.
    const isText =
      condition === 'invalidBody' || !quotes(own, (quoted) => message.includes(quoted) && text(quoted) !== quoted)
    const sent = details.map((detail) => ({
      ...detail,
      FieldName: detail.FieldName.split('.').map(field).join('.'),
      Reason: isText ? text(detail.Reason) : detail.Reason
    }))
    return {
      details: sent,
      // The message consists of fields and reasons. Replacing each as a whole keeps the rest unchanged.
      message: details.reduce(
        (whole, detail, index) => whole.replace(sentenceOf(detail), () => sentenceOf(sent[index]!)),
        message
      )
    }
  }

  function document(part: unknown): unknown {
    if (typeof part === 'string') return fieldNames.get(part) ?? text(part)
    if (typeof part !== 'object' || part === null) return part
    if (Array.isArray(part)) return part.map(document)
    return Object.fromEntries(
      Object.entries(part).map(([key, item]) =>
        key === 'examples'
          ? [key, examples(item as Record<string, { value: unknown }>)]
          : [fieldNames.get(key) ?? idNames.get(key) ?? key, document(item)]
      )
    )
  }

  /** Examples are what travels, not texts about it. They have the names of their operations. */
  function examples(byOperation: Readonly<Record<string, { value: unknown }>>): unknown {
    return Object.fromEntries(Object.entries(byOperation).map(([id, { value }]) => [id, { value: toWire(value, id) }]))
  }

  return { fromWire: (body) => walk(body, valueFromWire), toWire, error, document }
}

/** Returns a function that maps each name of a pair to the other, and any other name to itself. */
function exchange(names: ReadonlyMap<string, string>): (name: string) => string {
  const both = new Map([...[...names].map(([name, other]) => [other, name] as const), ...names])
  return (name) => both.get(name) ?? name
}

/** Returns a function that replaces names in a text where they are whole words. */
function wordReplacer(names: ReadonlyMap<string, string>): (text: string) => string {
  const alternatives = [...names.keys()].map((name) => name.replaceAll('.', '\\.')).join('|')
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
