import { DocumentError } from '../../interface/document-file.js'
import { type Json, listOf, objectOf } from '../../lib/json.js'
import { brandIn, nameWith } from '../words.js'
import { readApi } from './description.js'
import { matchOperations } from './operations.js'
import { pairSchemas } from './pairings.js'

/** The mock's own OpenAPI document and that of a service, with the parts of each that correspond. */
export type Described = ReturnType<typeof describe>

/** @throws {DocumentError} if that is not an OpenAPI document, or has no operation in common */
export function describe(ownDocument: unknown, theirDocument: unknown) {
  const [names, others] = [identifiersIn(ownDocument), identifiersIn(theirDocument)]
  const brand = brandIn([...others.fields, ...others.schemas], [...names.fields, ...names.schemas])
  const own = readApi(ownDocument, nameWith(''), true)
  const theirs = readApi(theirDocument, nameWith(brand), false)
  if (theirs.operations.length === 0) throw new DocumentError('has no operations')
  const operations = matchOperations(own.operations, theirs.operations)
  if (operations.matches.length === 0)
    throw new DocumentError(
      `has no operation in common with the mock: none of its ${theirs.operations.length} is like one of ` +
        own.operations
          .map(({ route }) => route)
          .slice(0, 3)
          .join(', ')
    )
  const pairings = pairSchemas([...operations.matches, ...operations.further], own.nameOf, theirs.nameOf)
  return {
    own,
    theirs,
    /** Those of the mock. */
    names,
    operations,
    pairings
  }
}

/** All names of fields and of schemas, and all values of enumerations. */
function identifiersIn(document: unknown) {
  const names = { fields: new Set<string>(), schemas: new Set<string>(), values: new Set<string>() }
  const seen = new Set<unknown>()
  const rest: unknown[] = [document]
  while (rest.length > 0) {
    const part = rest.pop()
    if (typeof part !== 'object' || part === null || seen.has(part)) continue
    seen.add(part)
    const { properties, schemas, definitions, enum: values } = part as Json
    for (const name of Object.keys(objectOf(properties))) names.fields.add(name)
    for (const named of [schemas, definitions]) for (const name of Object.keys(objectOf(named))) names.schemas.add(name)
    for (const value of listOf(values)) if (typeof value === 'string') names.values.add(value)
    for (const value of Object.values(part)) rest.push(value)
  }
  return names
}
