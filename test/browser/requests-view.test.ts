import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { until } from '../helper.js'
import {
  allow,
  checkPage,
  goTo,
  inBrowser,
  openConsole,
  openView,
  PRODUCTION,
  REFUSED,
  ROOT,
  WORKGROUPS
} from './tools.js'

const WRITER = `${PRODUCTION}/fraud-writer`
const READER = `${PRODUCTION}/fraud-reader`

const context = { permissions: ['clipboard-read', 'clipboard-write'] }
const clipboard = (page: Page) => page.evaluate<string>('navigator.clipboard.readText()')
const rows = (page: Page) => page.locator('.requests [data-request]')

/** The texts of the list that are cut off: those of calls and notes. */
const CUT = `[...document.querySelectorAll('.requests [data-request] :is(.request, .request a, .note)')]
  .filter(({ scrollWidth, clientWidth, scrollHeight, clientHeight }) =>
    scrollWidth > clientWidth + 1 || scrollHeight > clientHeight + 1)
  .concat([...document.querySelectorAll('.requests [data-request]')].filter((row) =>
    [...row.children].some((cell) => cell.getBoundingClientRect().bottom > row.getBoundingClientRect().bottom + 3)))
  .map(({ textContent }) => textContent)`

inBrowser('calls and notes are shown whole, with and without an open record', async (t) => {
  const { page, call, record } = await openConsole(t, { path: '#/requests' })
  await call('POST', PRODUCTION, { workgroup_name: 'Mine' })
  await call('POST', `${WRITER}/pause`)
  const { id } = await call('GET', '/workgroups/production/workspaces')
  for (const width of [1440, 1280, 1024, 390]) {
    await page.setViewportSize({ width, height: 900 })
    for (const part of ['', `/${id}`]) {
      if (part !== '' && width === 390) continue
      await openView(page, `requests${part}`)
      await (part === '' ? rows(page).nth(2) : record).waitFor()
      t.match(await rows(page).first().innerText(), 'There is one at /controller/v4/v2/workgroups/{workgroupID}')
      t.match(await rows(page).last().innerText(), 'ignored: workgroup_name')
      t.match(await rows(page).nth(1).innerText(), /POST \/workgroups\/production\/workspaces\/fraud-writer\/pause/)
      t.match(await rows(page).nth(1).locator('.took').innerText(), /^\d+ ms$/)
      await page.waitForTimeout(100)
      t.strictSame(await page.evaluate(CUT), [], `at ${width} pixels${part === '' ? '' : ', beside a record'}`)
      await checkPage(t, page, `requests-notes-${width}${part === '' ? '' : '-record'}`)
    }
    await openView(page, 'overview/fraud-writer')
    await checkPage(t, page)
  }
})

inBrowser('repeated polls share a row, which unfolds', async (t) => {
  const { box, page, call } = await openConsole(t, { path: '#/requests' })
  await box.clock.set({ mode: 'frozen' })
  for (const path of [WRITER, READER]) for (let i = 0; i < 4; i++) await call('GET', path)
  const all = page.getByRole('button', { name: 'All 4 requests' })
  await all.nth(1).waitFor()
  t.equal(await rows(page).count(), 2)
  t.match(await rows(page).first().innerText(), 'fraud-reader', 'the newest first')
  await all.first().click()
  t.equal(await rows(page).count(), 5)
  t.equal(await all.first().getAttribute('aria-expanded'), 'true')
  await call('GET', READER)
  await page.getByRole('button', { name: 'All 5 requests' }).waitFor()
  t.equal(await rows(page).count(), 6, 'it stays open when it grows')
  await checkPage(t, page, 'requests-folded')
  await page.getByRole('button', { name: 'All 5 requests' }).click()
  t.equal(await rows(page).count(), 2)
})

inBrowser('ignored fields are marked, at once and after a reload', async (t) => {
  const { page, call, record } = await openConsole(t, { path: '#/requests' })
  const { id } = await call('POST', `${WORKGROUPS}/staging/workspaces`, { nmae: 'Mine' })
  await call('GET', WORKGROUPS)
  const mark = page.locator('.ignored')
  t.equal(await mark.innerText(), 'ignored: nmae')
  await page.reload()
  await mark.waitFor()
  await page.getByLabel('Filter the requests').fill('ignored')
  await page.getByText('1 of 2').waitFor()
  await rows(page).getByRole('link').click()
  await record.getByText('Unknown input ignored: nmae').waitFor()
  t.match(page.url(), new RegExp(`#/requests/${id}$`))
  await page.getByLabel('Filter the requests').fill('no such request')
  await page.getByText('No requests match the filter.').waitFor()
  await page.getByRole('button', { name: 'Clear the filter' }).click()
  await page.getByText('2 of 2').waitFor()
})

inBrowser('a request leads to its resource, and a resource to its requests', async (t) => {
  const { box, page, call, record } = await openConsole(t, { path: '#/requests' })
  const { body } = await call('POST', PRODUCTION, { name: 'Mine' })
  const id = body.Result.workspace_id as string
  await box.clock.advance({ by: 'PT1M' })
  await call('POST', `${PRODUCTION}/${id}/pause`)
  await call('GET', READER)
  const pause = rows(page).filter({ hasText: 'pauseWorkspace' })
  t.equal(await pause.locator('.resource').innerText(), 'Production / Mine')
  t.match(await pause.locator('code').innerText(), `${id.slice(0, 8)}…/pause`, 'the end of a long path is visible')
  await pause.getByRole('link').click()
  await record.getByRole('link', { name: 'Mine' }).first().click()
  const panel = page.getByRole('complementary', { name: 'Workspace Mine' })
  await panel.waitFor()
  t.match(page.url(), new RegExp(`#/overview/${id}$`))
  await panel.getByRole('link', { name: 'Requests' }).click()
  await page.getByText('2 of 3').waitFor()
  t.match(await rows(page).allInnerTexts(), [/pauseWorkspace/, /createWorkspace/], 'including its creation')
  await rows(page).first().getByRole('link').click()
  await record.waitFor()
  await page.keyboard.press('Escape')
  await page.getByText('2 of 3').waitFor()
  await page.getByRole('link', { name: 'Show all' }).click()
  await page.getByText('3 of 3').waitFor()
  await record.waitFor({ state: 'detached' })
  await goTo(page, 'Overview')
  await page.getByRole('link', { name: 'Requests of Production' }).click()
  await page.getByText('3 of 3').waitFor()
})

inBrowser('a resource leads to its requests under the paths of a profile', async (t) => {
  const profile = join(ROOT, 'examples/foreign/instances.yaml')
  const { page, call } = await openConsole(t, { path: '#/overview/supply-writer', options: { profile } })
  await call('GET', '/v1/instances/supply-writer')
  await call('GET', '/v1/projects')
  const panel = page.getByRole('complementary', { name: 'Workspace supply-writer' })
  await panel.getByRole('link', { name: 'Requests' }).click()
  await page.getByText('1 of 2').waitFor()
  t.equal(await rows(page).locator('.resource').innerText(), 'supply-writer')
})

inBrowser('all times are in one zone, which can be switched, and none is a number', async (t) => {
  const { box, page, call, record } = await openConsole(t, {
    path: '#/requests',
    context: { timezoneId: 'Asia/Kolkata' }
  })
  await box.clock.set({ mode: 'frozen', now: '2027-01-06T20:00:00Z' })
  await call('POST', `${PRODUCTION}/supply-writer/resume`)
  await box.clock.advance({ until: 'idle' })
  const resume = rows(page).filter({ hasText: 'resumeWorkspace' })
  t.equal(await resume.locator('time').innerText(), '20:00:00.000')
  await page.getByRole('button', { name: 'UTC' }).click()
  await resume.getByText('01:30:00.000').waitFor()
  await page.locator('.now', { hasText: '2027-01-07 01:30:02 GMT+5:30' }).waitFor()
  t.equal(await resume.locator('time').getAttribute('title'), '2027-01-06T20:00:00.000Z')
  await resume.getByRole('link').click()
  await record.getByText('last_active').waitFor()
  const text = await record.innerText()
  t.match(text, /2027-01-07 01:30:00 GMT\+5:30/)
  t.match(text, /last_active .*2027-01-07 01:30:\d\d/)
  t.notMatch(text, /\b\d{13}\b/)
  await checkPage(t, page, 'record-times')
})

inBrowser('a request can be copied as a command, linked to, and sent again', async (t) => {
  const { page, call, record } = await openConsole(t, { key: "it's", path: '#/requests', context })
  const { id } = await call('POST', WORKGROUPS, { cloud_provider_id: 'a', name: "Peter's" })
  await rows(page).getByRole('link').click()
  await page.getByRole('button', { name: 'Copy as curl' }).click()
  await page.getByText('Copied.').waitFor()
  const command = await clipboard(page)
  t.match(command, /^curl -X POST http.*workgroups -H 'x-api-key: it'\\''s'/)
  const link = page.url()
  t.match(link, new RegExp(`#/requests/${id}$`))
  t.notMatch(link, 's%27', 'the key is in no URL')

  await page.getByRole('button', { name: 'Send again' }).click()
  await page.getByText('Sent again: 200.').waitFor()
  t.not(page.url(), link, 'it opens')
  await record.getByText('/workgroups').first().waitFor()
  await page.goBack()
  await record.getByText(id).first().waitFor()
})

inBrowser('requests that arrive while the sandbox is read again are listed once', async (t) => {
  const { box, page, call } = await openConsole(t, { path: '#/requests' })
  let open: () => void
  const gate = new Promise<void>((resolve) => (open = resolve))
  await page.route('**/_mock/requests?*', async (route) => {
    await gate
    await route.continue()
  })
  const reading = page.waitForRequest('**/_mock/requests?*')
  await box.reset()
  await reading
  await Promise.all(Array.from({ length: 300 }, () => call('GET', WORKGROUPS)))
  await page.getByText('300 of 300').waitFor()
  const read = page.waitForResponse('**/_mock/requests?*')
  open!()
  await (await read).finished()
  await call('GET', WORKGROUPS)
  await page.getByText('301 of 301').waitFor()
})

inBrowser('a request whose path begins with two slashes is sent again to this server', async (t) => {
  const { page, call, record } = await openConsole(t, { path: '#/requests' })
  await call('GET', `/${WORKGROUPS}`)
  await rows(page).getByRole('link').click()
  allow(REFUSED)
  await page.getByRole('button', { name: 'Send again' }).click()
  await page.getByText('Sent again: 404.').waitFor()
  await record.getByText(`/${WORKGROUPS}`).first().waitFor()
})

inBrowser('a request to org users is repeated with a bearer token, and one with a secret not at all', async (t) => {
  const { mock, page, call, record } = await openConsole(t, { path: '#/requests', context })
  await fetch(`${mock.url}/users`, { headers: { authorization: 'Bearer demo' } })
  await rows(page).getByRole('link').click()
  await page.getByRole('button', { name: 'Send again' }).click()
  await page.getByText('Sent again: 200.').waitFor()
  await call('POST', `${WRITER}/dbuser`, { username: 'u', password: 'p' })
  await rows(page).filter({ hasText: 'createDatabaseUser' }).getByRole('link').click()
  await record.getByText('The journal masked its secrets.').waitFor()
  t.ok(await page.getByRole('button', { name: 'Send again' }).isDisabled())
})

inBrowser('the page keeps hardly more requests than the journal, also after all of them were needed', async (t) => {
  const options = { journalRequests: 1100, journalBytes: 64_000_000 }
  const { page, call } = await openConsole(t, { options, path: '#/timeline' })
  const make = async (count: number) => {
    for (let i = 0; i < count; i += 50) await Promise.all(Array.from({ length: 50 }, () => call('GET', WORKGROUPS)))
  }
  const lane = page.locator('[aria-label^="Requests: "]')
  const kept = async () => Number((await lane.getAttribute('aria-label'))!.replace(/\D/g, ''))
  await make(1050)
  await until(async () => (await kept()) === 1050)
  await make(1950)
  await goTo(page, 'Requests')
  const count = page.getByText(/^newest 1000 of \d+$/)
  await make(1000)
  await count.waitFor()
  const total = Number(/\d+$/.exec(await count.innerText()))
  t.ok(total < 2200, `${total} of 4000`)
})
