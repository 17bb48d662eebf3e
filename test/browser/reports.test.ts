import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Test } from 'tap'
import { CALL } from '../cli/client-script.js'
import { runCommand } from '../helper.js'
import { allow, checkPage, inBrowser, openPage, ROOT } from './tools.js'

/** Creates again without a look, and waits for nothing. */
const CLIENT = `${CALL}
const createLong = () => make('a-workgroup-with-a-long-name')
const { workgroup_id: id } = await createLong().catch(createLong)
await call('POST', '/workgroups/' + id + '/workspaces', { name: 'writer' })`

const BROKEN = `[...document.querySelectorAll('td:first-child > span')]
  .filter((id) => id.getClientRects().length > 1)
  .map(({ textContent }) => textContent)`

async function look(t: Test, file: string, name: string): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    const viewport = { width: 390, height: 844 }
    const page = await openPage(t, pathToFileURL(file).href, { viewport, colorScheme })
    await page.evaluate("for (const part of document.querySelectorAll('details')) part.open = true")
    await checkPage(t, page, `${name}-${colorScheme}`)
    t.strictSame(await page.evaluate(BROKEN), [], 'no id is broken into lines')
  }
}

inBrowser('the page of an exploration fits a telephone, the worst finding open', async (t) => {
  const report = join(t.testdir(), 'explore')
  const contract = join(t.testdirName, 'contract.json')
  const rules = [{ on: ['lost', 'transition-fails', 'unavailable'], retry: 'must' }]
  writeFileSync(contract, JSON.stringify({ contract: 1, rules }))
  const options = ['--contract', contract, '--report', report]
  const node = [process.execPath, '--input-type=module', '-e', CLIENT]
  const { exited, output } = runCommand(t, ['explore', ...options, '--', ...node])
  t.equal((await exited).code, 1)
  t.match(output(), /^duplicate/)
  const file = join(report, 'report.html')
  const page = await openPage(t, pathToFileURL(file).href)
  t.equal(await page.locator('details[open] .bad').first().innerText(), 'duplicate')
  t.equal(await page.locator('details[open]').count(), 1)
  await page.getByText('A correct client checks whether the work is done').first().waitFor()
  allow(/^foreign request: file:.*plan-\d+\.html$/)
  await page.locator('details[open]').getByRole('link', { name: 'plan-' }).first().click()
  await page.getByRole('region', { name: 'Steps' }).waitFor()
  await look(t, file, 'explore-report')
  await look(t, join(report, 'contract.html'), 'contract')
})

inBrowser('the page of a comparison fits a telephone', async (t) => {
  const file = join(t.testdir(), 'report.html')
  const har = join(ROOT, 'test/fidelity/evidence/observed.har')
  const { exited } = runCommand(t, ['conform', har, '--html', file])
  t.equal((await exited).code, 1)
  const page = await openPage(t, pathToFileURL(file).href)
  t.equal(await page.locator('details[open]').count(), 1, 'the contradiction to fix first')
  t.match(await page.locator('h2').first().innerText(), /^Contradicted: /)
  await page.locator('details[open]').getByRole('link', { name: 'exchange' }).first().click()
  await page.getByRole('heading', { name: 'Reply' }).waitFor()
  await look(t, file, 'conform-report')
})
