import type { TSchema } from '@sinclair/typebox'
import { stepsTo } from '../lib/json.js'
import { suggestionFor } from '../lib/suggestion.js'
import type { DocumentFile } from './document-file.js'
import type { ErrorDetail } from './errors.js'
import { UNKNOWN_FIELD } from './validation.js'

/** A kind of document. */
interface Kind {
  /** Such as `a state document`. */
  readonly name: string
  readonly schema: TSchema
}

/** The checked document; its fields have places if it was read from a file. */
type Checked = Pick<DocumentFile, 'document'> & Partial<DocumentFile>

/** Maximum number of errors to describe: once these are fixed, the others show. */
const MOST_DESCRIBED = 100

/** The errors of a document, one per line, each with its place in the file and the name that was probably meant. */
export function listErrors(checked: Checked, details: readonly ErrorDetail[], kind: Kind): string[] {
  const described = details.slice(0, MOST_DESCRIBED).map((detail) => describe(checked, detail, kind))
  const others = details.length - described.length
  return [...described, ...(others > 0 ? [`and ${others} more`] : [])].map((line) => line.replaceAll(/\s+/g, ' '))
}

function describe(
  { document, placeOf }: Checked,
  { FieldName: field, Reason: given }: ErrorDetail,
  kind: Kind
): string {
  const reason = given === UNKNOWN_FIELD ? `is not a field of ${kind.name}` : given
  if (field === '') return `it ${reason}`
  const path = stepsOf(document, field)
  const suggestion = suggestionFor(kind.schema, path)
  const position = placeOf?.(path)
  const place = position === undefined ? '' : ` (${position})`
  return `${field}${place} ${reason}${suggestion === undefined ? '' : ` (did you mean ${suggestion}?)`}`
}

/** The steps from a document to a field, of which the last may not exist. */
function stepsOf(document: unknown, field: string): string[] {
  const steps = stepsTo(document, field, Infinity)
  const rest = field.slice(steps.map((step) => `${step}.`).join('').length)
  return rest === '' ? steps : [...steps, ...rest.split('.')]
}
