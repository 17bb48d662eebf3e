import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'

const ROOT = new URL('../', import.meta.url)

/** The text of a file of the project. */
export function read(file: string): string {
  return readFileSync(new URL(file, ROOT), 'utf8')
}

/**
 * The text before, in and after a part between `<!-- marker:begin -->` and `<!-- marker:end -->`; the markers go with
 * what is around it.
 * @throws {Error} if one is missing
 */
export function split(text: string, marker: string): [before: string, block: string, after: string] {
  const begin = `<!-- ${marker}:begin -->`
  const end = `<!-- ${marker}:end -->`
  const from = text.indexOf(begin) + begin.length
  const to = text.indexOf(end, from)
  if (!text.includes(begin) || to < 0) throw new Error(`the markers ${begin} and ${end} are missing`)
  return [text.slice(0, from), text.slice(from, to), text.slice(to)]
}

/** Writes a marked part of a document anew. @returns whether it was another */
export function rewrite(file: string, marker: string, content: string): boolean {
  const [before, block, after] = split(read(file), marker)
  const next = `\n${content}\n`
  if (block !== next) writeFileSync(new URL(file, ROOT), before + next + after)
  return block !== next
}

/** The text of a document that is generated as a whole. */
export const wholeDocument = (title: string, content: string): string => `# ${title}\n\n${content.trim()}\n`

/** Writes a file that is generated as a whole. @returns whether it changed */
export function replaceFile(file: string, next: string): boolean {
  const url = new URL(file, ROOT)
  if (existsSync(url) && readFileSync(url, 'utf8') === next) return false
  mkdirSync(new URL('.', url), { recursive: true })
  writeFileSync(url, next)
  return true
}
