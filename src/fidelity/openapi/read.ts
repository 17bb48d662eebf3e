import { DocumentError, parseDocument } from '../../interface/document-file.js'
import { LearnError } from './problem.js'

/** A document, and what was odd about its text. */
interface ReadDocument {
  readonly document: unknown
  /** Keys that are in an object more than once, with their lines. */
  readonly duplicates: readonly string[]
}

/**
 * Reads JSON or YAML.
 * @throws {LearnError} if it is neither
 */
export async function readDocument(text: string): Promise<ReadDocument> {
  const duplicates: string[] = []
  const onDuplicate = (name: string, line: number) => duplicates.push(`${name} (line ${line})`)
  try {
    const { document } = await parseDocument(text, { onDuplicate, maxAliasCount: -1 })
    return { document, duplicates }
  } catch (error) {
    throw error instanceof DocumentError ? new LearnError(error.message, { cause: error }) : error
  }
}
