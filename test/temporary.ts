import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Test } from 'tap'

/** An empty folder outside the checkout, removed when the test ends. */
export function temporaryFolder(t: Test): string {
  const folder = mkdtempSync(join(tmpdir(), 'svc-mock-test-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}
