import { type TObject, type TSchema, Type, TypeGuard } from '@sinclair/typebox'
import { schemaErrors } from '../interface/check.js'
import type { FieldError } from '../interface/errors.js'
import { MORE_FIELD_ERRORS } from '../interface/validation.js'
import { isObject } from '../lib/json.js'
import type { Slices } from '../lib/scheduler.js'

/** Approximate maximum number of errors. */
const ERROR_LIMIT = 2000
/** Number of list items checked at once. */
const CHUNK = 64

/** The schema of an object, split up so that its long lists can be checked in pieces. */
interface Parts {
  /** The schema without the items of its lists. */
  readonly shell: TSchema
  readonly lists: readonly List[]
}

interface List {
  readonly name: string
  /** The schema of a chunk of its items. */
  readonly chunk: TSchema
  /** The parts of an item that has lists of its own. */
  readonly item: Parts | undefined
}

/** The parts of each schema in use: one schema, unless servers have different profiles. */
const known = new WeakMap<TObject, Parts>()

/**
 * Checks a document against the schema of state documents under some profile. The document is checked, and the schema
 * compiled, in pieces, because both take long.
 * @returns {@link MORE_FIELD_ERRORS} as the last one if there are too many
 */
export function* documentErrors(document: unknown, schema: TObject): Slices<FieldError[]> {
  const parts = known.get(schema) ?? partsOf(schema)
  known.set(schema, parts)
  const found: FieldError[] = []
  const isFull = () => found.at(-1) === MORE_FIELD_ERRORS
  yield* collect(parts, document, '')
  return found

  function* collect({ shell, lists }: Parts, value: unknown, path: string): Slices<void> {
    add(schemaErrors(shell, value), (field) => join(path, field))
    if (!isObject(value)) return
    for (const { name, chunk, item } of lists) {
      const items = Object.hasOwn(value, name) ? value[name] : undefined
      if (!Array.isArray(items)) continue
      const at = join(path, name)
      const length = item === undefined ? CHUNK : 1
      for (let first = 0; first < items.length && !isFull(); first += length) {
        yield
        if (item !== undefined && isObject(items[first])) yield* collect(item, items[first], `${at}.${first}`)
        else
          add(schemaErrors(chunk, items.slice(first, first + length)), (field) => {
            const [index, ...rest] = field.split('.')
            return [at, first + Number(index), ...rest].join('.')
          })
      }
    }
  }

  /** @param place converts the path of a field in a piece to its path in the document */
  function add(errors: readonly FieldError[], place: (field: string) => string): void {
    for (const error of errors) {
      if (isFull()) return
      // A single piece can have too many errors.
      if (error === MORE_FIELD_ERRORS || found.length >= ERROR_LIMIT) found.push(MORE_FIELD_ERRORS)
      else found.push({ ...error, field: place(error.field) })
    }
  }
}

function partsOf(schema: TObject): Parts {
  const lists: List[] = []
  const properties: Record<string, TSchema> = { ...schema.properties }
  for (const [name, list] of Object.entries(schema.properties)) {
    const items: unknown = list['items']
    if (!TypeGuard.IsObject(items)) continue
    properties[name] = Type.Array(Type.Unknown(), { maxItems: list['maxItems'] as number })
    const item = partsOf(items)
    lists.push({ name, chunk: Type.Array(items), item: item.lists.length === 0 ? undefined : item })
  }
  return { shell: { ...schema, properties }, lists }
}

const join = (path: string, field: string): string => (path === '' || field === '' ? path + field : `${path}.${field}`)
