import type { ErrorDetail } from '../lib/errors.js'
import { UNKNOWN_FIELD } from '../lib/validation.js'
import type { DocumentFile } from './document-file.js'
import { suggestionFor } from './suggestion.js'

/** The errors of a document that was read from a file: where they are, and what was probably meant, in one line. */
export function describeErrors(file: DocumentFile, details: readonly ErrorDetail[]): string {
  return details
    .map((detail) => describe(file, detail))
    .join('; ')
    .replaceAll(/\s+/g, ' ')
}

function describe({ document, placeOf }: DocumentFile, { FieldName: field, Reason: given }: ErrorDetail): string {
  const reason = given === UNKNOWN_FIELD ? 'is not a field of a state document' : given
  if (field === '') return `it ${reason}`
  const path = field.split('.')
  const suggestion = suggestionFor(document, path)
  return `${field} (${placeOf(path)}) ${reason}${suggestion === undefined ? '' : ` (did you mean ${suggestion}?)`}`
}
