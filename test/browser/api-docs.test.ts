import { startMock } from '../../src/node/index.js'
import { checkPage, inBrowser, openPage } from './tools.js'

inBrowser('the page at /docs shows the operations, and a call that is tried succeeds', async (t) => {
  await using mock = await startMock()
  const page = await openPage(t, `${mock.url}/docs`)
  const operation = page.locator('.opblock', { hasText: 'List all workgroups' })
  await operation.locator('.opblock-summary-control').click()
  await operation.getByRole('button', { name: 'Execute' }).click()
  await operation.locator('.live-responses-table .response-col_status', { hasText: '200' }).waitFor()
  t.match(await operation.locator('.live-responses-table').textContent(), /"Result": \[\]/)
  await checkPage(t, page, 'api-docs')
  const background = () => page.evaluate<string>('getComputedStyle(document.body).backgroundColor')
  const light = await background()
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.locator('html.dark-mode').waitFor()
  t.not(await background(), light, 'it follows the colours of the reader')
  await checkPage(t, page, 'api-docs-dark')
  await page.goto(`${mock.url}/docs?control`)
  await page.locator('.opblock', { hasText: '/_mock/clock' }).first().waitFor()
  await checkPage(t, page)
  await page.close()
})
