import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import type { Options as Layout } from 'prettier'

const ROOT = new URL('../', import.meta.url)

export function read(file: string): string {
  return readFileSync(new URL(file, ROOT), 'utf8')
}

/** The lines of a text, in which code in backticks is not broken. */
export function wrapped(text: string, width: number, indent = ''): string[] {
  const [first = '', ...words] = text.match(/(?:`[^`]*`|[^\s`])+/g) ?? []
  const lines = [first]
  for (const word of words) {
    const longer = `${lines.at(-1)!} ${word}`
    if (longer.length <= width) lines.splice(-1, 1, longer)
    else lines.push(`${indent}${word}`)
  }
  return lines
}

/** Replaces the part between `<!-- marker:begin -->` and `<!-- marker:end -->`. @throws {Error} if one is missing */
export function withBlock(text: string, marker: string, content: string): string {
  const begin = `<!-- ${marker}:begin -->`
  const end = `<!-- ${marker}:end -->`
  const from = text.indexOf(begin) + begin.length
  const to = text.indexOf(end, from)
  if (!text.includes(begin) || to < 0) throw new Error(`the markers ${begin} and ${end} are missing`)
  return `${text.slice(0, from)}\n${content}\n${text.slice(to)}`
}

/** Writes a generated file. @returns whether it changed */
export function replaceFile(file: string, next: string): boolean {
  const url = new URL(file, ROOT)
  if (existsSync(url) && readFileSync(url, 'utf8') === next) return false
  mkdirSync(new URL('.', url), { recursive: true })
  writeFileSync(url, next)
  return true
}

/** Formats generated TypeScript. */
export async function layOut(text: string): Promise<string> {
  const { format } = await import('prettier')
  return format(text, { ...(JSON.parse(read('.prettierrc.json')) as Layout), parser: 'typescript' })
}
