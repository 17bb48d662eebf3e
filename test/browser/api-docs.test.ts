import t from 'tap'
import { startMock } from '../../src/node/index.js'
import { closeBrowser, openPage, picture, skip } from './tools.js'

t.teardown(closeBrowser)

void t.test('the page at /docs shows the operations, and a call that is tried succeeds', { skip }, async (t) => {
  await using mock = await startMock()
  const { page, findings } = await openPage(t, mock.url)
  await page.goto(`${mock.url}/docs`)
  const operation = page.locator('.opblock', { hasText: 'List all workgroups' })
  await operation.locator('.opblock-summary-control').click()
  await operation.getByRole('button', { name: 'Execute' }).click()
  await operation.locator('.live-responses-table .response-col_status', { hasText: '200' }).waitFor()
  t.match(await operation.locator('.live-responses-table').textContent(), /"Result": \[\]/)
  await picture(page, 'api-docs')
  t.strictSame(findings.lines, [])
  await page.close()
})
