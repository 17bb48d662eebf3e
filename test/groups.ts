import { readdirSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { parse } from 'yaml'

// A process takes seconds to load the test runner and the sources, and its coverage more to be counted. So most test
// files share one with others: each file of test/groups/ runs the group that it is named after.

/**
 * Folders and files below test/. A file that no group names goes with its folder, and one that .taprc names runs alone.
 * Those of fast-* need no build; `npm run test:fast` takes from these.
 */
export const GROUPS: Readonly<Record<string, readonly string[]>> = {
  // The longest begin first, so that nothing waits for them at the end: the runner goes by names.
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
  'fast-outside': ['console', 'test-control', 'http', 'interface', 'fidelity', 'fidelity/openapi'],
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

/** All test files but those that need a browser or a container, without their ending. */
export const FILES: readonly string[] = readdirSync(new URL('.', import.meta.url), { recursive: true })
  .map((path) => String(path).replaceAll('\\', '/'))
  .filter((path) => path.endsWith('.test.ts') && !/^(browser|container)\//.test(path))
  .map((path) => path.slice(0, -'.test.ts'.length))
  .sort()

/** What .taprc names: files that run alone. */
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

/** Runs the group that a file is named after. */
export function runGroup(url: string): void {
  const group = basename(fileURLToPath(url), '.ts')
  // Nothing runs until all files are loaded: some begin with a server, which a test of another one must not disturb.
  void t.test('all files can be loaded', async () => {
    for (const file of FILES) if (groupOf(file) === group) await import(`./${file}.test.ts`)
  })
}
