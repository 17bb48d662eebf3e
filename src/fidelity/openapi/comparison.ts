import { DocumentError } from '../../interface/document-file.js'
import { type Api, readApi } from './api.js'
import { matchOperations } from './operations.js'
import { pairSchemas } from './pairings.js'
import { brandIn, Naming } from './words.js'

export type Comparison = ReturnType<typeof compareApis>

/**
 * Compares the mock's own OpenAPI document with another one.
 * @throws {DocumentError} if that is not an OpenAPI document, or has no operation in common
 */
export function compareApis(ownDocument: unknown, theirDocument: unknown) {
  const own = readApi(ownDocument)
  const theirs = readApi(theirDocument)
  if (theirs.operations.length === 0) throw new DocumentError('has no operations')
  const brand = brandIn(identifiersOf(theirs), identifiersOf(own))
  const naming = { own: new Naming(''), theirs: new Naming(brand) }
  const operations = matchOperations(own, theirs, naming)
  if (operations.matches.length === 0)
    throw new DocumentError(
      `has no operation in common with the mock: none of its ${theirs.operations.length} is like one of ` +
        own.operations
          .map(({ route }) => route)
          .slice(0, 3)
          .join(', ')
    )
  const sides = {
    own: { schemas: own.schemas, naming: naming.own },
    theirs: { schemas: theirs.schemas, naming: naming.theirs }
  }
  const pairings = pairSchemas([...operations.matches, ...operations.further], sides)
  return { own, theirs, sides, operations, pairings }
}

const identifiersOf = ({ names: { fields, schemas } }: Api) => [...fields, ...schemas]
