import { startMock } from '../../src/node/index.js'
import { inBrowser, openPage, picture } from './tools.js'

inBrowser('the page at /docs shows the operations, and a call that is tried succeeds', async (t) => {
  await using mock = await startMock()
  const page = await openPage(t, `${mock.url}/docs`)
  const operation = page.locator('.opblock', { hasText: 'List all workgroups' })
  await operation.locator('.opblock-summary-control').click()
  await operation.getByRole('button', { name: 'Execute' }).click()
  await operation.locator('.live-responses-table .response-col_status', { hasText: '200' }).waitFor()
  t.match(await operation.locator('.live-responses-table').textContent(), /"Result": \[\]/)
  await picture(page, 'api-docs')
  const background = () => page.evaluate<string>('getComputedStyle(document.body).backgroundColor')
  const light = await background()
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.locator('html.dark-mode').waitFor()
  t.not(await background(), light, 'it follows the colours of the reader')
  await picture(page, 'api-docs-dark')
  await page.close()
})
