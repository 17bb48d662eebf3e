import type { ServiceError } from '../lib/errors.js'
import { OptionError, type Options } from '../options.js'

/**
 * The names of another brand, for what travels over HTTP. All else in the server speaks the neutral names. In what a
 * client sends the two are exchanged: a neutral name becomes the branded one, which nothing here knows. So it is an
 * unknown field, and its way back leads to the name that the client wrote.
 */
export interface Brand {
  /** What a request's body means in neutral names. */
  readonly fromWire: (body: unknown) => unknown
  /** What an operation answers, without the envelope or with it, as it is sent. */
  readonly toWire: (reply: unknown, operationId?: string) => unknown
  /**
   * What an error says of a body that has gone through {@link fromWire}.
   * @param own what the request has brought; where a message quotes a text out of it, the message is left alone
   */
  readonly error: (
    error: Pick<ServiceError, 'condition' | 'details' | 'message'>,
    own: unknown
  ) => Pick<ServiceError, 'details' | 'message'>
  /** The OpenAPI document of the interface in branded names. */
  readonly document: (openapi: unknown) => unknown
}

/** The field that holds a resource name, which has a name of its own in each brand. */
const RESOURCE_NAME = 'srn'

/**
 * The other fields of replies whose values bear the brand though no schema lists them; what is listed is found there.
 */
const TYPE_NAME = 'typeName'
const IMAGE = 'image'

/** Operations whose `Result` is the text of a JSON value. */
const JSON_TEXT_RESULTS: ReadonlySet<string> = new Set(['getWorkspaceSchedules'])

/** What bears the brand in a set of schemas. */
interface Identifiers {
  /** Every name of a field, whether it bears the brand or not. */
  readonly fields: ReadonlySet<string>
  /** Names of the schemas. */
  readonly schemas: ReadonlySet<string>
  /** Values out of a list that bear the brand, such as types of workspaces. */
  readonly values: ReadonlySet<string>
  /** Fields that have such a list. */
  readonly listed: ReadonlySet<string>
  /** Fields that hold what only the client knows; nothing is renamed inside. */
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
 * The names that the options ask for; undefined if those are the neutral ones.
 * @param schemas all that are published under their own names
 * @throws {OptionError} if a branded name would be that of something else
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
    const { Result } = sent as { Result: string }
    return { ...(sent as object), Result: JSON.stringify(walk(JSON.parse(Result), valueToWire)) }
  }

  function error(
    { condition, details, message }: Parameters<Brand['error']>[0],
    own: unknown
  ): ReturnType<Brand['error']> {
    // Only where a body is invalid does a reason list names and values, and then it quotes nothing of the client's.
    const isText =
      condition === 'invalidBody' || !quotes(own, (quoted) => message.includes(quoted) && text(quoted) !== quoted)
    const sent = details.map((detail) => ({
      ...detail,
      FieldName: detail.FieldName.split('.').map(field).join('.'),
      Reason: isText ? text(detail.Reason) : detail.Reason
    }))
    return {
      details: sent,
      // The message is made of the fields and the reasons. To replace each as a whole leaves the rest of it as it is.
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
      Object.entries(part).map(([key, item]) => [fieldNames.get(key) ?? idNames.get(key) ?? key, document(item)])
    )
  }

  return { fromWire: (body) => walk(body, valueFromWire), toWire, error, document }
}

/** A function that gives the other name for each of a pair, and any other name as it is. */
function exchange(names: ReadonlyMap<string, string>): (name: string) => string {
  const both = new Map([...[...names].map(([name, other]) => [other, name] as const), ...names])
  return (name) => both.get(name) ?? name
}

/** A function that replaces names in a text, where they stand as words of their own. */
function wordReplacer(names: ReadonlyMap<string, string>): (text: string) => string {
  const alternatives = [...names.keys()].map((name) => name.replaceAll('.', '\\.')).join('|')
  const pattern = new RegExp(`(?<![\\w-])(?:${alternatives})(?![\\w-])`, 'g')
  return (text) => text.replaceAll(pattern, (name) => names.get(name)!)
}

/** Whether any text in a value is as wanted. */
function quotes(value: unknown, isWanted: (text: string) => boolean): boolean {
  if (typeof value === 'string') return isWanted(value)
  return typeof value === 'object' && value !== null && Object.values(value).some((item) => quotes(item, isWanted))
}

const sentenceOf = ({ FieldName, Reason }: { FieldName: string; Reason: string }) =>
  FieldName === '' ? Reason : `${FieldName} ${Reason}`
