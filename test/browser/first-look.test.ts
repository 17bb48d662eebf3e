import { startMock } from '../../src/node/index.js'
import { until } from '../helper.js'
import { allow, AWAY, checkPage, goTo, inBrowser, openConsole, openView, picture, REFUSED } from './tools.js'

inBrowser('the header keeps its height, with any contents', async (t) => {
  allow(AWAY)
  for (const [width, highest] of [
    [1400, 50],
    [1000, 90],
    [400, 96]
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
        `at ${width} pixels, every control is visible: ${text}`
      )
    }
    await measure('next in ')
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

inBrowser('an empty sandbox offers the demo', async (t) => {
  const { box, page, button, row } = await openConsole(t, { key: "it's" })
  await box.seed({})
  await checkPage(t, page, 'empty')
  await button('Load demo').click()
  await row('on-demand').locator('.state-Idle').waitFor()
  await button('Undo').waitFor()
  await box.state.replace({})
  await page.locator('.first-look').waitFor()
  await box.reset()
  await row('main').waitFor()
  t.pass('a reset brings the demo back')
  t.notMatch(page.url(), 's%27', 'the key is in no URL')
})

inBrowser('while the server is away, the clock stops and nothing can be changed; then all is read again', async (t) => {
  allow(AWAY)
  const { mock, page, button, row } = await openConsole(t, { context: { ownTime: true } })
  await goTo(page, 'Time', 'Clock and rules')
  await page.getByLabel('Manual backups').fill('7')
  const away = page.getByRole('alert').getByText('The server does not respond.')
  t.equal(await away.count(), 0)
  await mock.close()
  await away.waitFor()
  await page.clock.runFor(1000)
  t.equal(await page.getByLabel('Manual backups').inputValue(), '7', 'input stays')
  t.ok(await button('Set clock').isDisabled())
  await goTo(page, 'Overview')
  await checkPage(t, page, 'away')
  const clock = async () => (await page.locator('.now').textContent())!
  const before = await clock()
  await page.clock.runFor(5000)
  t.equal(await clock(), before)
  for (const name of ['Freeze', 'Pause fraud-writer', 'New workgroup', 'New workspace in Production'])
    t.ok(await button(name).isDisabled(), name)
  await page.getByLabel('Filter the workspaces').fill('reader')
  await row('fraud-writer').waitFor({ state: 'detached' })
  await row('fraud-reader').getByRole('link').click()
  t.ok(await page.getByRole('complementary').getByRole('button', { name: 'Delete' }).isDisabled(), 'in the panel')
  await goTo(page, 'Test control', 'Faults')

  await using again = await startMock({ port: Number(new URL(mock.url).port) })
  await again.sandbox('demo').seed({ workgroups: [{ id: 'after', name: 'After', workspaces: [{ id: 'restarted' }] }] })
  await away.waitFor({ state: 'detached' })
  t.ok(await button('Inject').isEnabled(), 'a form that was opened meanwhile appears')
  await until(async () => (await clock()) !== before)
  await goTo(page, 'Overview')
  await page.getByRole('link', { name: 'restarted' }).waitFor()
  t.equal(await page.getByText('fraud-writer').count(), 0)
  await page.close()
})

inBrowser('a failure is shown until another message takes its place, and a success disappears', async (t) => {
  allow(REFUSED)
  const { box, page, button } = await openConsole(t, { context: { ownTime: true } })
  const message = page.locator('.notice')
  await box.fault.add({ operation: 'pauseWorkspace', times: 1, effect: { status: 503, reason: 'No capacity.' } })
  await button('Pause fraud-writer').click()
  await message.getByText('No capacity.').waitFor()
  await page.clock.runFor(11_000)
  t.ok(await message.isVisible())
  await button('Freeze').click()
  await message.getByText('No capacity.').waitFor({ state: 'detached' })
  await page.clock.runFor(11_000)
  await message.waitFor({ state: 'detached' })
})

inBrowser('chips limit the list to states, and a filter without a match says so', async (t) => {
  const { box, page, button, row } = await openConsole(t)
  await box.clock.set({ mode: 'frozen' })
  const chips = page.getByRole('group', { name: 'Filter by state' })
  const shown = () => page.locator('[data-workspace]').count()
  t.equal(await shown(), 6)
  await chips.getByRole('button', { name: 'Idle 1' }).click()
  await row('fraud-writer').waitFor({ state: 'detached' })
  t.equal(await shown(), 1)
  await chips.getByRole('button', { name: 'Failed 1' }).click()
  await row('playground-broken').waitFor()
  t.equal(await shown(), 2, 'either state')
  await picture(page, 'chips')
  await page.getByLabel('Filter the workspaces').fill('nothing like it')
  await chips.getByRole('button', { name: 'Failed 0' }).waitFor()
  await page.getByText('No workspaces match the filter.').waitFor()
  await checkPage(t, page)
  await button('Clear the filter').click()
  await row('fraud-writer').waitFor()
  t.equal(await shown(), 6)
  t.equal(await page.getByLabel('Filter the workspaces').inputValue(), '')
  t.equal(await chips.locator('[aria-pressed=true]').count(), 0)
})

inBrowser('a link leads to a workspace, once the key is known', async (t) => {
  const { page, row } = await openConsole(t, { path: '#/overview/fraud-reader' })
  await page.getByRole('complementary', { name: 'Workspace fraud-reader' }).waitFor()
  let release = () => {}
  const isReleased = new Promise<void>((resolve) => (release = resolve))
  await page.route(/workspaces\/supply-writer$/, (route) => isReleased.then(() => route.continue()))
  await row('supply-writer').getByRole('link').click()
  const panel = page.getByRole('complementary', { name: 'Workspace supply-writer' })
  await panel.getByText('Reading…').first().waitFor()
  release()
  await panel.getByText('None.').first().waitFor()
  await openView(page, 'overview/nobody')
  await page.getByText('is not in this sandbox').waitFor()
  await openView(page, 'overview?of=staging')
  await row('fraud-writer').waitFor({ state: 'detached' })
  t.equal(await page.locator('[data-workspace]').count(), 3, 'of one workgroup')
  await page.getByRole('link', { name: 'Show all' }).click()
  await row('fraud-writer').waitFor()
})

inBrowser('with forced colours, what is chosen can be seen', async (t) => {
  const { page } = await openConsole(t, { context: { forcedColors: 'active' }, path: '#/overview/fraud-writer' })
  await page.getByRole('complementary', { name: 'Workspace fraud-writer' }).waitFor()
  await page.getByRole('button', { name: /^Idle/ }).click()
  const outlined = () =>
    page.evaluate<string[]>(
      `[...document.querySelectorAll('.rail a, .chip, .row')]
        .filter((part) => getComputedStyle(part).outlineStyle === 'solid').map((part) => part.textContent.trim())`
    )
  await until(async () => (await outlined()).some((text) => text.startsWith('Idle')))
  t.match(await outlined(), [/^Overview$/, /^Idle/])
  await page.getByRole('button', { name: /^Idle/ }).click()
  await until(async () => (await outlined()).some((text) => text.startsWith('fraud-writer')))
})

inBrowser('a busy server is asked again', async (t) => {
  allow(REFUSED)
  const { page, row } = await openConsole(t)
  let asked = 0
  await page.route(/(_mock\/(overview|workspaces\/fraud-reader)|openapi\.json)$/, (route) =>
    asked++ % 2 === 0 ? route.fulfill({ status: 503, json: { Error: true, Message: 'Busy.' } }) : route.continue()
  )
  await page.reload()
  await row('fraud-reader').getByRole('link').click()
  const panel = page.getByRole('complementary', { name: 'Workspace fraud-reader' })
  await panel.getByText('None.').first().waitFor()
  t.equal(await page.getByText('Busy.').count(), 0)
  await goTo(page, 'Test control', 'Faults')
  await page.getByRole('form', { name: 'New fault' }).waitFor()
})

inBrowser('an open page asks for the token of a server that takes the place of one without', async (t) => {
  allow(/net::ERR_|responded with a status of [45]/)
  const { mock, page, button, row } = await openConsole(t)
  await mock.close()
  await using again = await startMock({ port: Number(new URL(mock.url).port), controlToken: 's3cret', demo: true })
  await page.getByLabel('Control token').fill('s3cret')
  await button('Open').click()
  await row('main').waitFor()
  t.match(again.url, mock.url)
  await page.close()
})
