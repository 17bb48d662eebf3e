import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Page } from 'playwright-core'
import t from 'tap'
import { startMock } from '../../src/node/index.js'
import { findProgram } from '../programs.js'
import {
  accessibilityProblems,
  closeBrowser,
  goTo,
  openConsole,
  openPage,
  openView,
  picture,
  ROOT,
  skip,
  until
} from './tools.js'

t.teardown(closeBrowser)

const run = promisify(execFile)
const seedFile = join(ROOT, 'examples/seed.yaml')
const WORKGROUPS = '/controller/v4/v2/workgroups'

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const row = (page: Page, id: string) => page.locator(`[data-workspace="${id}"]`)

void t.test('the header keeps its height, whatever is in it', { skip }, async (t) => {
  for (const [width, highest] of [
    [1400, 50],
    [1000, 90],
    [400, 110]
  ] as const) {
    const { mock, box, page } = await openConsole(t, { context: { viewport: { width, height: 800 } } })
    const header = page.locator('header.top')
    const heights = new Set<number>()
    const measure = async (text: string) => {
      await header.getByText(text).first().waitFor()
      heights.add((await header.boundingBox())!.height)
      t.equal(
        await page.evaluate(
          "[...document.querySelectorAll('.top :is(button, input)')].every((control) => " +
            '{ const { left, right } = control.getBoundingClientRect(); return left >= 0 && right <= innerWidth })'
        ),
        true,
        `at ${width} pixels, all of it can be reached: ${text}`
      )
    }
    await measure('next: ')
    await box.clock.set({ mode: 'frozen' })
    await measure('frozen')
    await box.clock.set({ mode: 'real', rate: 1000 })
    await measure('×1000')
    await box.state.replace({ org: { id: 'o', name: 'An organization with a name that is far too long for a header' } })
    await measure('nothing is due')
    await picture(page, `header-${width}`)
    await mock.close()
    await measure('no connection')
    t.equal(heights.size, 1, `one height at ${width} pixels: ${[...heights].join(', ')}`)
    t.ok([...heights][0]! <= highest, `${[...heights].join()} pixels`)
    await page.close()
  }
})

void t.test('an empty sandbox offers the demo, and a command that creates a workgroup in it', { skip }, async (t) => {
  const { box, page, findings } = await openConsole(t, { key: "it's" })
  await box.seed({})
  const command = (await page.getByLabel('Command that creates a workgroup').textContent())!
  t.match(command, /^curl -X POST http:.*'x-api-key: it'\\''s'/)
  t.strictSame(await accessibilityProblems(page), [])
  await picture(page, 'empty')
  await button(page, 'Load demo').click()
  await row(page, 'on-demand').locator('.state-Idle').waitFor()
  await box.state.replace({})
  await page.locator('.first-look').waitFor()
  await box.reset()
  await row(page, 'main').waitFor()
  t.pass('a reset brings the demo back')

  await box.state.replace({})
  if (findProgram('curl') === undefined) t.comment('there is no curl here')
  else {
    t.match(JSON.parse((await run('sh', ['-c', command])).stdout), { Error: false })
    await page.locator('.group', { hasText: 'first' }).waitFor()
    await box.state.replace({})
  }
  await box.fault.add({ operation: 'listWorkgroups', effect: { status: 500 } })
  await page.locator('.first-look').waitFor()
  await goTo(page, 'Test control', 'Faults')
  await page.locator('[data-fault]').waitFor()
  await goTo(page, 'Overview')
  await button(page, 'Load demo').click()
  await page.getByRole('dialog').getByText('faults').waitFor()
  await page.getByRole('dialog').getByRole('button', { name: 'Load' }).click()
  await row(page, 'main').waitFor()
  t.strictSame(await box.fault.list(), [], 'what would be lost was asked about')
  t.notMatch(page.url(), 's%27', 'the key is in no URL')
  t.strictSame(findings.lines, [])
})

void t.test('while the server is away, the clock stands and nothing can be changed', { skip }, async (t) => {
  const { mock, page, findings } = await openConsole(t, { ownTime: true })
  const away = page.getByRole('alert').getByText('The server is away.')
  t.equal(await away.count(), 0)
  await mock.close()
  await away.waitFor()
  t.strictSame(await accessibilityProblems(page), [])
  await picture(page, 'away')
  const clock = async () => (await page.locator('.now').textContent())!
  const before = await clock()
  await page.clock.runFor(5000)
  t.equal(await clock(), before)
  for (const name of ['Freeze', 'Pause fraud-writer', 'New workgroup', 'New workspace in Production'])
    t.ok(await button(page, name).isDisabled(), name)
  await page.getByLabel('Filter the workspaces').fill('reader')
  await row(page, 'fraud-writer').waitFor({ state: 'detached' })
  await row(page, 'fraud-reader').getByRole('link').click()
  t.ok(await page.getByRole('complementary').getByRole('button', { name: 'Delete' }).isDisabled(), 'in the panel')
  await goTo(page, 'Time', 'Clock and rules')
  t.ok(await button(page, 'Set rate').isDisabled(), 'in other views')

  await using _again = await startMock({ port: Number(new URL(mock.url).port), seedFile })
  await away.waitFor({ state: 'detached' })
  t.ok(await button(page, 'Set rate').isEnabled())
  await until(async () => (await clock()) !== before)
  // The browser itself reports that there was no connection.
  t.strictSame(
    findings.lines.filter((line) => !/net::ERR_/.test(line)),
    []
  )
  await page.close()
})

void t.test('a message goes when its cause has gone', { skip }, async (t) => {
  const { mock, box, page, call } = await openConsole(t, { ownTime: true })
  const message = page.locator('.notice')
  await box.clock.set({ mode: 'frozen' })
  await box.fault.add({ operation: 'pauseWorkspace', times: 1, effect: { status: 503, reason: 'No capacity.' } })
  await button(page, 'Pause fraud-writer').click()
  await message.getByText('No capacity.').waitFor()
  await page.clock.runFor(7000)
  t.ok(await message.isVisible(), 'a refusal stays as long as nothing has changed')
  await call('POST', `${WORKGROUPS}/production/workspaces/fraud-writer/pause`)
  await message.waitFor({ state: 'detached' })

  await box.fault.add({ operation: 'refreshWorkspace', effect: { reply: 'drop' } })
  await button(page, 'More for fraud-reader').click()
  await button(page, 'Refresh fraud-reader').click()
  await message.getByText('The server does not answer.').waitFor()
  await mock.close()
  await page.getByRole('alert').waitFor()
  t.ok(await message.isVisible())
  await using _again = await startMock({ port: Number(new URL(mock.url).port), seedFile })
  await message.waitFor({ state: 'detached' })
  t.pass('a missing answer is over when the server is back')
  await page.close()
})

void t.test('chips limit the list to states, and a filter without a match says so', { skip }, async (t) => {
  const { box, page, findings } = await openConsole(t)
  await box.clock.set({ mode: 'frozen' })
  const chips = page.getByRole('group', { name: 'Filter by state' })
  const shown = () => page.locator('[data-workspace]').count()
  t.equal(await shown(), 6)
  await chips.getByRole('button', { name: 'Idle 1' }).click()
  await row(page, 'fraud-writer').waitFor({ state: 'detached' })
  t.equal(await shown(), 1)
  await chips.getByRole('button', { name: 'Failed 1' }).click()
  await row(page, 'playground-broken').waitFor()
  t.equal(await shown(), 2, 'either state')
  await picture(page, 'chips')
  await page.getByLabel('Filter the workspaces').fill('nothing like it')
  await page.getByText('No workspaces match the filter.').waitFor()
  t.strictSame(await accessibilityProblems(page), [])
  await button(page, 'Clear the filter').click()
  await row(page, 'fraud-writer').waitFor()
  t.equal(await shown(), 6)
  t.equal(await page.getByLabel('Filter the workspaces').inputValue(), '')
  t.equal(await chips.locator('[aria-pressed=true]').count(), 0)
  t.strictSame(findings.lines, [])
})

void t.test('a key is offered only where it can be right', { skip }, async (t) => {
  const field = (page: Page) => page.getByLabel('API key of the sandbox')
  await using strict = await startMock({ auth: 'strict', apiKeys: ['ci=right'] })
  const { page } = await openPage(t, strict.url)
  await page.goto(`${strict.url}/_mock/`)
  t.equal(await field(page).inputValue(), '')
  await field(page).fill('wrong')
  await button(page, 'Open').click()
  await page.getByRole('alert').waitFor()
  await field(page).fill('right')
  await button(page, 'Open').click()
  await page.locator('.first-look').waitFor()
  await page.reload()
  await page.locator('.first-look').waitFor()
  t.strictSame(
    await page.evaluate("[...document.querySelectorAll('#keys option')].map((option) => option.value)"),
    ['right'],
    'one that was refused is not offered again'
  )
  await page.close()

  await using any = await startMock()
  const open = await openPage(t, any.url)
  await open.page.goto(`${any.url}/_mock/`)
  t.equal(await field(open.page).inputValue(), 'demo')
  await open.page.close()
})

void t.test('a link leads to a workspace, once the key is known', { skip }, async (t) => {
  const { page } = await openConsole(t, { path: '#/overview/fraud-reader' })
  await page.getByRole('complementary', { name: 'Workspace fraud-reader' }).waitFor()
  await openView(page, 'overview/nobody')
  await page.getByText('is not in this sandbox').waitFor()
  await openView(page, 'overview?of=staging')
  await row(page, 'fraud-writer').waitFor({ state: 'detached' })
  t.equal(await page.locator('[data-workspace]').count(), 3, 'of one workgroup')
  await page.getByRole('link', { name: 'Show all' }).click()
  await row(page, 'fraud-writer').waitFor()
})
