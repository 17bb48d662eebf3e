import { readFile } from 'node:fs/promises'
import { text as readAll } from 'node:stream/consumers'
import type { DocumentFile } from '../interface/document-file.js'
import { fileProblem } from '../lib/file-problem.js'
import { UsageError } from './usage.js'

/** A state document, and what to call it in a message. */
export interface NamedDocument extends DocumentFile {
  readonly name: string
}

/** Reads a document in JSON or YAML from a file, or from standard input (`-`). */
export async function documentOf(path: string): Promise<NamedDocument> {
  const { DocumentError, parseDocument, readDocumentFile } = await import('../interface/document-file.js')
  const name = path === '-' ? 'the standard input' : path
  try {
    const file = path === '-' ? await parseDocument(await readAll(process.stdin)) : await readDocumentFile(path)
    return { name, ...file }
  } catch (error) {
    throw error instanceof DocumentError ? new UsageError(`${name} ${error.message}`) : error
  }
}

/** Reads JSON from an argument, from a file (`@FILE`), or from standard input (`-`). */
export async function jsonOf(argument: string): Promise<unknown> {
  const source =
    argument === '-'
      ? await readAll(process.stdin)
      : argument.startsWith('@')
        ? await contentOf(argument.slice(1))
        : argument
  try {
    return JSON.parse(source)
  } catch (error) {
    throw new UsageError(
      `${argument === '-' ? 'the standard input' : argument} is not JSON (${(error as Error).message})`
    )
  }
}

async function contentOf(file: string): Promise<string> {
  if (file === '') throw new UsageError('name a file after @')
  return readFile(file, 'utf8').catch((error: unknown) => {
    throw new UsageError(`${file} ${fileProblem(error, 'read')}`)
  })
}
