import { createRequire } from 'node:module'
import type * as AjvModule from 'ajv'
import type { Ajv, Options, ValidateFunction } from 'ajv'
import { cached } from '../lib/caches.js'
import { groupBy } from '../lib/group-by.js'
import { canonicalBlock } from '../lib/ip.js'
import { pointerStep } from '../lib/json.js'
import { mustBeOneOf } from '../lib/nearest.js'
import { quantity } from '../lib/quantity.js'
import { DURATION_FORMS, lengthOf, parseDuration, parseTimestamp, TIMESTAMP_FORM } from '../lib/time.js'
import { article, typeName } from '../lib/type-name.js'
import { type FieldError, invalidBody } from './errors.js'

/** Cached, because checking one is slow and a document may have thousands. */
const isTimeZone = cached(1000, (name: string): boolean => {
  try {
    // `Intl` also accepts an offset such as +02:00, but that is not a zone.
    return /^[A-Za-z]/.test(name) && new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
})

/** The text formats that `docs/assumptions.md` defines: the check, and the reason to report when it fails. */
const FORMATS: Readonly<Record<string, { validate: (text: string) => boolean; reason: string }>> = {
  cidr: {
    validate: (text) => canonicalBlock(text) !== undefined,
    reason: 'must be an IPv4 or IPv6 address or CIDR block, such as 203.0.113.0/24'
  },
  repeat: {
    validate: (text) => /^(none|no repeat|daily|weekdays|weekly)$/i.test(text),
    reason: 'must be one of none, daily, weekdays, weekly'
  },
  weekdays: {
    validate: (text) => text.split(',').every((day) => /^(mon|tue|wed|thu|fri|sat|sun)$/i.test(day.trim())),
    reason: 'must be weekdays such as Mon,Thu'
  },
  'calendar-date': {
    validate: (text) => parseTimestamp(`${text}T00:00:00Z`) !== undefined,
    reason: 'must be a date in the form YYYY-MM-DD'
  },
  'clock-time': {
    validate: (text) => /^([01]\d|2[0-3]):[0-5]\d$/.test(text),
    reason: 'must be a time in the form HH:mm'
  },
  'time-zone': {
    validate: isTimeZone,
    reason: 'must be an IANA time zone such as Europe/Berlin'
  },
  length: {
    validate: (text) => parseDuration(text) !== undefined,
    reason: `must be a duration ${DURATION_FORMS}`
  },
  'positive-length': {
    validate: (text) => {
      const duration = parseDuration(text)
      return duration !== undefined && lengthOf(duration) > 0
    },
    reason: `must be a duration ${DURATION_FORMS}, and longer than zero`
  },
  timestamp: {
    validate: (text) => parseTimestamp(text) !== undefined,
    reason: `must be a timestamp ${TIMESTAMP_FORM}`
  },
  'readable-id': {
    validate: (text) => /^[A-Za-z0-9][\w.~-]{0,255}$/.test(text),
    reason:
      'must be 1 to 256 letters, digits, ".", "_", "~" or "-", the first a letter or digit, so that it can ' +
      'stand in a URL'
  }
}

export function hasFormat(format: string, text: string): boolean {
  return FORMATS[format]?.validate(text) === true
}

/** Nothing is coerced, filled in or removed. */
const AJV_OPTIONS: Options = {
  // An error has the value, and the schema around its keyword.
  verbose: true,
  keywords: ['x-assumption'],
  formats: Object.fromEntries(
    Object.entries(FORMATS).map(([name, { validate }]) => [name, { type: 'string', validate }])
  )
}

/** Approximate limit of collected errors, which could fill memory. Two of them may make one field error. */
const ERROR_LIMIT = 2000

/** Stands for the errors that are not collected. */
export const MORE_FIELD_ERRORS: FieldError = { field: '', reason: 'has more errors than are listed' }

/** Ajv itself collects all errors, so this adds an exit to its generated loops over array items and object fields. */
const COLLECTING: Options = {
  ...AJV_OPTIONS,
  allErrors: true,
  code: {
    process: (code) =>
      code
        .replaceAll(/(for\(let (\w+)=0; \2<\w+);/g, `$1 && errors < ${ERROR_LIMIT};`)
        .replaceAll(/(for\(const \w+ in \w+\)\{)/g, `$1if(errors >= ${ERROR_LIMIT}){break;}`)
  }
}

const require = createRequire(import.meta.url)

/** Loads Ajv. Only the first check of a body needs it. */
export function loadAjv(): typeof AjvModule {
  return require('ajv') as typeof AjvModule
}

/**
 * Returns a function that makes validators. Loading Ajv and compiling all schemas would take most of startup, so both
 * wait for first use. Errors are collected only if a value is invalid.
 * @param named schemas that others refer to by their `$id`
 */
export function lazyCompiler(named: readonly object[] = []) {
  const createAjv = (options: Options) => new (loadAjv().Ajv)({ ...options, schemas: [...named] })
  let judge: Ajv | undefined
  let collector: Ajv | undefined
  return (schema: object) => {
    let isValid: ValidateFunction | undefined
    let collect: ValidateFunction | undefined
    const lazy = (value: unknown): boolean => {
      lazy.errors = undefined
      isValid ??= (judge ??= createAjv(AJV_OPTIONS)).compile(schema)
      if (isValid(value)) return true
      collect ??= (collector ??= createAjv(COLLECTING)).compile(schema)
      // If the limit is reached inside alternatives, their collected errors may be lost. The first error still exists.
      lazy.errors = collect(value) ? isValid.errors : collect.errors
      return false
    }
    lazy.errors = undefined as ValidateFunction['errors']
    return lazy
  }
}

/** Makes a schema, and all schemas inside it, refuse fields that they do not name, unless they are declared open. */
export function refuseUnknownFields<T>(schema: T): T {
  if (Array.isArray(schema)) return schema.map(refuseUnknownFields) as T
  if (typeof schema !== 'object' || schema === null) return schema
  const strict = Object.fromEntries(
    Object.entries(schema).map(([key, value]) => [key, refuseUnknownFields(value as unknown)])
  )
  return ('properties' in schema ? { additionalProperties: false, ...strict } : strict) as T
}

/** One error of a validator, in Ajv's form. */
interface SchemaError {
  readonly keyword: string
  readonly instancePath: string
  readonly schemaPath: string
  readonly params: Readonly<Record<string, unknown>>
  readonly message?: string | undefined
  readonly data?: unknown
  readonly parentSchema?: object | undefined
}

interface Validator {
  (value: unknown): unknown
  readonly errors?: readonly SchemaError[] | null | undefined
}

export function fieldErrorsBy(validate: Validator, value: unknown): FieldError[] {
  return validate(value ?? null) ? [] : fieldErrorsOf(validate.errors!)
}

/**
 * @param others see {@link mergeFieldErrors}
 * @throws {ServiceError} `invalidBody` if there are any errors
 */
export function throwFieldErrors(errors: readonly FieldError[], others: readonly FieldError[] = []): void {
  const all = mergeFieldErrors(errors, others)
  if (all.length > 0) throw invalidBody(all)
}

/** Adds errors that a schema cannot detect. The schema's own error for the same field takes precedence. */
export function mergeFieldErrors(errors: readonly FieldError[], others: readonly FieldError[]): FieldError[] {
  const fields = new Set(errors.map(({ field }) => field))
  return [...errors, ...others.filter(({ field }) => !fields.has(field))]
}

/** Turns Ajv's errors into one error per field. If there were too many, {@link MORE_FIELD_ERRORS} comes last. */
export function fieldErrorsOf(errors: readonly SchemaError[]): FieldError[] {
  const byField = new Map<string, FieldError>()
  for (const error of withoutOtherTypes(errors)) {
    const field = fieldOf(error)
    // A text can be too short and also fail its format; the first reason is enough.
    if (!byField.has(field)) byField.set(field, { field, reason: reasonOf(error) })
  }
  return errors.length < ERROR_LIMIT ? [...byField.values()] : [...byField.values(), MORE_FIELD_ERRORS]
}

/** Drops errors of alternatives for another type than the value's, if one is for its type. */
function withoutOtherTypes(errors: readonly SchemaError[]): readonly SchemaError[] {
  const mute = new Set<SchemaError>()
  for (const [index, union] of errors.entries()) {
    if (union.keyword !== 'anyOf') continue
    const branches = groupBy(
      errorsOfBranches(errors, index),
      ({ schemaPath }) => schemaPath.slice(union.schemaPath.length + 1).split('/', 1)[0]!
    )
    const others = [...branches.values()].filter((branch) =>
      branch.some(({ keyword, instancePath }) => keyword === 'type' && instancePath === union.instancePath)
    )
    if (others.length < branches.size) for (const error of [union, ...others.flat()]) mute.add(error)
  }
  return errors.filter((error) => !mute.has(error))
}

/** The errors of a union's alternatives, which come right before its own. There may be very many others. */
function errorsOfBranches(errors: readonly SchemaError[], index: number): readonly SchemaError[] {
  const { schemaPath, instancePath } = errors[index]!
  let first = index
  while (
    first > 0 &&
    errors[first - 1]!.schemaPath.startsWith(`${schemaPath}/`) &&
    errors[first - 1]!.instancePath.startsWith(instancePath)
  )
    first--
  return errors.slice(first, index)
}

function fieldOf({ instancePath, keyword, params }: SchemaError): string {
  const path = instancePath.split('/').slice(1).map(pointerStep)
  if (keyword === 'required') path.push(String(params['missingProperty']))
  if (keyword === 'additionalProperties') path.push(String(params['additionalProperty']))
  return path.join('.')
}

function reasonOf({ keyword, params, message, instancePath, data, parentSchema = {} }: SchemaError): string {
  switch (keyword) {
    case 'required':
      return 'is required'
    case 'additionalProperties':
      return UNKNOWN_FIELD
    case 'type':
      return data === null && instancePath === ''
        ? 'must be a JSON object, and is required'
        : `must be ${article(String(params['type']))}, not ` +
            (params['type'] === 'integer' && typeof data === 'number' ? 'a fraction' : typeName(data))
    case 'enum':
      return mustBeOneOf(data, (params['allowedValues'] as unknown[]).map(String))
    case 'const':
      return `must be ${JSON.stringify(params['allowedValue'])}`
    case 'minLength':
    case 'maxLength': {
      const { minLength = 0, maxLength } = parentSchema as { minLength?: number; maxLength?: number }
      const length = maxLength === undefined ? `at least ${minLength}` : `${minLength} to ${maxLength}`
      return `must be ${length} characters long`
    }
    case 'minItems':
    case 'maxItems': {
      const limit = Number(params['limit'])
      return `must have at ${keyword === 'minItems' ? 'least' : 'most'} ${quantity(limit, 'item')}`
    }
    case 'uniqueItems':
      return 'must not have the same item twice'
    case 'minimum':
    case 'exclusiveMinimum':
      return `must be ${keyword === 'minimum' ? 'at least' : 'more than'} ${Number(params['limit'])}`
    case 'maximum':
      return `must be at most ${Number(params['limit'])}`
    case 'format':
      return FORMATS[String(params['format'])]!.reason
    default:
      return String(message)
  }
}

export const UNKNOWN_FIELD = 'is not a field of this request'
