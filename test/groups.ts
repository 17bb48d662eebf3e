import { readdirSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { parse } from 'yaml'

// A process takes seconds to load the test runner and the sources, and its coverage even longer. So most test files
// share a process: each file of test/groups/ runs the group of its name.

/**
 * Folders and files below test/. A file that no group names belongs to its folder's group, and one that .taprc names
 * runs alone. The groups fast-* need no build; `npm run test:fast` runs parts of them, and of a few others.
 */
export const GROUPS: Readonly<Record<string, readonly string[]>> = {
  // The runner starts groups by name, so the longest come first.
  'as-a-whole': ['.', 'cli', 'clients', 'mcp', 'run'],
  'by-http': [
    'contract',
    'explore',
    'fidelity/record',
    'http/api-docs',
    'http/brand',
    'http/full-database',
    'http/unread-replies',
    'http/wire',
    'test-control/console-page'
  ],
  'fast-inside': ['lib', 'profile', 'sim', 'db', 'journal', 'sandboxes', 'resources'],
  'fast-outside': ['console', 'test-control', 'http', 'interface', 'fidelity', 'fidelity/learn'],
  'long-inside': [
    'resources/schedule-zones',
    'resources/users',
    'sandboxes/large',
    'sandboxes/registry',
    'test-control/clock'
  ],
  'long-reliability': ['reliability', 'recording'],
  'long-documents': ['documents']
}

/** All test files without extension, except those that need a browser, or what is shipped. */
export const FILES: readonly string[] = readdirSync(new URL('.', import.meta.url), { recursive: true })
  .map((path) => String(path).replaceAll('\\', '/'))
  .filter((path) => path.endsWith('.test.ts') && !/^(browser|artifacts)\//.test(path))
  .map((path) => path.slice(0, -'.test.ts'.length))
  .sort()

/** Files that run alone, because .taprc names them. */
export const ALONE: readonly string[] = (
  parse(readFileSync(new URL('../.taprc', import.meta.url), 'utf8')) as { include: string[] }
).include.flatMap((path) => /^test\/(.+)\.test\.ts$/.exec(path)?.[1] ?? [])

/** @returns the group of a file; undefined: it runs alone, or, if .taprc does not name it, not at all */
export function groupOf(file: string): string | undefined {
  if (ALONE.includes(file)) return undefined
  const folder = file.includes('/') ? file.slice(0, file.lastIndexOf('/')) : '.'
  const groupWith = (member: string) => Object.keys(GROUPS).find((name) => GROUPS[name]!.includes(member))
  return groupWith(file) ?? groupWith(folder)
}

export function runGroup(url: string): void {
  const group = basename(fileURLToPath(url), '.ts')
  // Load all files before running any: some start a server, which other tests must not disturb.
  void t.test('all files can be loaded', async () => {
    for (const file of FILES) if (groupOf(file) === group) await import(`./${file}.test.ts`)
  })
}
