import { readFileSync } from 'node:fs'
import { startMock } from '../../src/node/index.js'
import { type Body, pluck } from '../helper.js'
import {
  allow,
  checkPage,
  goTo,
  inBrowser,
  openConsole,
  openPage,
  openView,
  PRODUCTION,
  REFUSED,
  WORKGROUPS
} from './tools.js'

const VIEWS = [
  'overview',
  'overview/fraud-writer',
  'timeline',
  'requests',
  'verification',
  'report',
  'rules',
  'faults',
  'state',
  'coverage'
] as const

const WIDE = { viewport: { width: 1440, height: 900 } }
const NARROW = { viewport: { width: 390, height: 844 }, reducedMotion: 'reduce' } as const

inBrowser('each view is accessible in both colour schemes, and fits 390 pixels', async (t) => {
  for (const [name, context] of [
    ['light', { ...WIDE, colorScheme: 'light' }],
    ['dark', { ...WIDE, colorScheme: 'dark' }],
    ['narrow', { ...NARROW, colorScheme: 'light' }],
    ['narrow-dark', { ...NARROW, colorScheme: 'dark' }]
  ] as const) {
    const { box, page, call } = await openConsole(t, { context })
    await box.clock.set({ mode: 'frozen' })
    await box.fault.add({ operation: 'resumeWorkspace', times: 1, effect: { status: 500 } })
    await box.fault.add({ operation: 'updateDatabaseUserPassword', effect: { status: 500 } })
    const { id } = await call('POST', `${PRODUCTION}/supply-writer/resume`)
    await call('POST', `${PRODUCTION}/supply-writer/resume`)
    await box.snapshot.save('now')
    for (const view of [...VIEWS, `requests/${id}`]) {
      await openView(page, view)
      if (view.includes('/')) await page.locator('.panel').waitFor()
      await checkPage(t, page, `${view.startsWith('requests/') ? 'record' : view.replace('/', '-')}-${name}`)
    }
  }
})

inBrowser('each section begins with its answer', async (t) => {
  const { box, page, call } = await openConsole(t)
  const answer = page.getByRole('region', { name: 'In short' })
  const says = async (section: string, ...texts: (string | RegExp)[]) => {
    await goTo(page, section)
    for (const text of texts) await answer.getByText(text, { exact: true }).waitFor()
  }
  await box.clock.set({ mode: 'frozen' })
  await call('POST', `${PRODUCTION}/fraud-writer/pause`)
  await call('PUT', `${PRODUCTION}/supply-writer`, { nmae: 'Mine' })
  for (let i = 0; i < 2; i++) await call('GET', `${PRODUCTION}/nobody`)
  await says('Test control', 'In force', 'nothing')
  await box.fault.add({ times: 1, effect: { status: 500 } })
  await answer.getByText('Faults 1').waitFor()
  await says('Overview', 'Left behind', /^Running workspaces \d$/, 'Transitions under way 1')
  await says('Requests', 'Failed', '404 ×2', 'Findings', 'Error ignored ×1', 'Ignored input ×1')
  await says('Time', 'Next', /^workspace\.pause of fraud-writer in \d s, at 2/)
  await says('Coverage', 'Exercised', 'Operations 3 of 38')
})

inBrowser('each view fits 200 workspaces and 5,000 requests', async (t) => {
  const { box, page, call } = await openConsole(t, {
    context: WIDE,
    options: { maxResources: 1000, journalRequests: 5000, journalBytes: 64_000_000 }
  })
  await box.seed({
    clock: { mode: 'frozen' },
    workgroups: Array.from({ length: 10 }, (_, group) => ({
      id: `g${group}`,
      workspaces: Array.from({ length: 20 }, (_, i) => ({ id: `w${group}-${i}` }))
    }))
  })
  await call('POST', `${WORKGROUPS}/g0/workspaces/w0-0/pause`, { ignored: 1 })
  // More findings of a kind, and more requests of each, than the report shows unfolded.
  for (let group = 0; group < 4; group++) for (let i = 0; i < 12; i++) await call('GET', `${WORKGROUPS}/g${group}`)
  for (let i = 49; i < 5000; i += 50)
    await Promise.all(
      Array.from({ length: Math.min(50, 5000 - i) }, (_, j) =>
        call('GET', `${WORKGROUPS}/g${j % 10}/workspaces/w${j % 10}-${i % 20}`)
      )
    )
  await page.reload()
  await openView(page, 'requests')
  await page.getByText('newest 1000 of 5000').waitFor()
  for (const [name, { viewport }] of Object.entries({ wide: WIDE, narrow: NARROW })) {
    await page.setViewportSize(viewport)
    for (const view of ['overview', 'timeline', 'requests', 'report']) {
      await openView(page, view)
      await checkPage(t, page, `full-${view}-${name}`)
    }
  }
  const old = page.getByRole('list', { name: 'Findings' }).getByRole('listitem').getByRole('link').first()
  t.match(await old.innerText(), /^\d\d:\d\d:\d\d\.\d{3}$/, 'requests that were not loaded have times, too')
})

inBrowser('a workspace offers the actions that its state allows, and shows their effects at once', async (t) => {
  const { box, page, button, dialog, row: rowOf } = await openConsole(t)
  const row = rowOf('fraud-writer')
  await button('Freeze').click()
  await page.locator('.mode', { hasText: 'frozen' }).waitFor()
  t.equal((await box.clock.read()).mode, 'frozen')
  await button('More for fraud-writer').click()
  await button('Back up fraud-writer').click()
  await page.getByText('The backup is Running.').waitFor()
  t.match(await box.events(), [{ event: 'backup.run' }])
  t.equal(await rowOf('fraud-reader').getByRole('progressbar').count(), 0, 'a planned stop is not in progress')
  await button('More for fraud-writer').click()
  await button('Refresh fraud-writer').click()
  await page.getByText('Successfully refreshed the workspace.').waitFor()
  await button('Pause fraud-writer').click()
  await row.locator('.state-Pausing').waitFor()
  t.match((await box.timeline('fraud-writer')).at(-1), { to: 'Pausing' })
  t.equal(await row.getByRole('button').count(), 0, 'it has no actions meanwhile')
  await row.getByRole('progressbar').waitFor()
  await button('Advance by 1 min').click()
  await row.locator('.state-Stopped').waitFor()
  await button('Resume fraud-writer').click()
  await row.locator('.state-Resuming').waitFor()
  await button('Until idle').click()
  await row.locator('.state-Active').waitFor()
  await button('Run').click()
  await page.locator('.mode', { hasText: 'real' }).waitFor()
  await button('Pause fraud-writer').click()
  await row.locator('.state-Stopped').waitFor()
  t.pass('a running clock ends it by itself')
  await button('Freeze').click()
  await page.locator('.mode', { hasText: 'frozen' }).waitFor()
  await row.getByRole('link', { name: 'fraud-writer' }).click()
  const panel = page.getByRole('complementary', { name: 'Workspace fraud-writer' })
  await panel.getByText('Backs up at 0 3 * * * (cron, UTC). Keeps at most 5 automatic backups').waitFor()
  await panel.getByRole('button', { name: 'Delete' }).click()
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await row.locator('.state-Terminating').waitFor()
  // An open panel would request a workspace that is being deleted.
  await page.keyboard.press('Escape')
  await panel.waitFor({ state: 'detached' })
  await button('Until idle').click()
  await row.waitFor({ state: 'detached' })
  t.strictSame(pluck((await box.state.read()).workgroups![0]!.workspaces!, 'id'), ['fraud-reader', 'supply-writer'])
})

inBrowser('workgroups and workspaces can be created below any path and with the names of any brand', async (t) => {
  allow(REFUSED)
  const fields = { Message: 'message', ErrorDetails: 'errors', Reason: 'cause' }
  const { box, page, button, dialog } = await openConsole(t, {
    options: { basePath: '/api', brand: 'acme', profile: { profile: 1, names: { fields } } }
  })
  const name = dialog.getByLabel('Name', { exact: true }).first()
  await button('New workgroup').click()
  await name.fill('x'.repeat(257))
  await page.keyboard.press('Enter')
  await dialog.getByText(/^Name must be 1 to 256 characters long/).waitFor()
  await name.fill('Mine')
  await page.keyboard.press('Enter')
  await button('New workspace in Mine').waitFor()
  await dialog.waitFor({ state: 'detached' })
  await button('New workspace in Production').click()
  await name.fill('second-reader')
  await dialog.getByLabel('Database id').selectOption({ label: 'supply-chain' })
  await dialog.getByLabel('Is read-write').selectOption('no')
  await box.fault.add({ operation: 'createWorkspace', times: 1, effect: { status: 503, reason: 'No capacity.' } })
  await dialog.getByRole('button', { name: 'Create' }).click()
  await dialog.getByText('No capacity.').waitFor()
  await dialog.getByRole('form').evaluate((form: { requestSubmit: () => void }) => {
    for (let clicks = 0; clicks < 2; clicks++) form.requestSubmit()
  })
  await page.getByRole('link', { name: 'second-reader' }).waitFor()
  const { workgroups } = await box.state.read()
  t.equal(workgroups![0]!.workspaces!.length, 4, 'a double click creates one')
  t.match(workgroups![0]!.workspaces!.at(-1), { name: 'second-reader', is_rw: false, database: 'supply' })
  t.match(workgroups![2], { name: 'Mine' })
})

inBrowser('settings of the clock and transition rules take effect', async (t) => {
  const { box, page, call } = await openConsole(t, { path: '#/rules' })
  const settings = page.getByRole('form', { name: 'Clock settings' })
  await settings.getByLabel('Mode').selectOption('frozen')
  await settings.getByLabel('Now').fill('2030-01-01T00:00:00Z')
  await settings.getByLabel('Rate').fill('60')
  await settings.getByRole('button', { name: 'Set clock' }).click()
  await page.locator('.now', { hasText: '2030-01-01 00:00:00 UTC' }).waitFor()
  await page.locator('.mode', { hasText: 'frozen' }).waitFor()
  await page.getByText(/It is 2030-01-01T00:00:00.000Z/).waitFor()
  t.match(await box.clock.read(), { mode: 'frozen', now: '2030-01-01T00:00:00.000Z', rate: 60 })

  const rule = page.getByRole('form', { name: 'New transition rule' })
  await rule.getByRole('combobox', { name: 'Transition' }).selectOption('workspace.pause')
  await rule.getByLabel('Outcome').selectOption('hold')
  await rule.getByRole('button', { name: 'Add' }).click()
  await page.getByRole('button', { name: 'Remove the rule for workspace.pause' }).waitFor()
  t.match(await box.transitions.read(), [{ transition: 'workspace.pause', outcome: 'hold', times: 1 }])
  await call('POST', `${PRODUCTION}/fraud-writer/pause`)
  await page.getByRole('button', { name: 'Release held events (1)' }).click()
  await page.getByRole('button', { name: /Release/ }).waitFor({ state: 'detached' })
  t.match((await box.timeline('fraud-writer')).at(-1), { to: 'Stopped' })
  t.strictSame(await box.transitions.read(), [], 'it applied once')
})

inBrowser('scheduled events come closer while the clock runs', async (t) => {
  const { page } = await openConsole(t, { path: '#/rules', context: { ownTime: true } })
  const when = page.getByRole('table', { name: 'Scheduled events' }).getByRole('cell').first()
  const before = await when.innerText()
  await page.clock.runFor(20_000)
  t.not(await when.innerText(), before)
})

inBrowser('requests appear as clients make them, can be filtered, and open their records', async (t) => {
  const { box, page, call, record } = await openConsole(t, { path: '#/requests' })
  await box.clock.set({ mode: 'frozen' })
  await page.getByText('No requests.').waitFor()
  await call('GET', WORKGROUPS)
  const { id } = await call('POST', `${PRODUCTION}/fraud-writer/pause`)
  await call('POST', `${WORKGROUPS}/nothing/workspaces/nothing/pause`)
  await page.getByText('3 of 3').waitFor()
  await page.getByLabel('Filter the requests').fill('4xx')
  await page.getByText('1 of 3').waitFor()
  await page.getByLabel('Filter the requests').fill('fraud-writer')
  await page.getByText('1 of 3').waitFor()
  await page.getByRole('link', { name: 'pauseWorkspace' }).click()
  await record.getByText(id).first().waitFor()
  await record.getByText('pending', { exact: true }).waitFor()
  await box.clock.advance({ by: 'PT1M' })
  await record.locator('.event-fired').waitFor()
  await record.locator('.state-Stopped').first().waitFor()
  t.equal((await box.requests.list()).requests.length, 3)
  await page.keyboard.press('Escape')
  await record.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Remove all' }).click()
  await page.getByText('No requests.').waitFor()
})

inBrowser('the sandbox as a whole is exported and forked', async (t) => {
  const { box, page } = await openConsole(t, { path: '#/state' })
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export' }).click()
  ])
  const document: Body = JSON.parse(readFileSync(await download.path(), 'utf8'))
  t.strictSame(pluck(document.workgroups, 'id'), ['production', 'staging'])
  await box.snapshot.save('before')
  await page.getByLabel('From').selectOption('before')
  await page.getByRole('button', { name: 'Fork' }).click()
  const isForked = () => page.locator('.key', { hasText: 'fork_' }).waitFor()
  await isForked()
  t.notMatch(page.url(), /fork_/, 'a key is in no URL')
  await page.goto(`${page.url().split('#')[0]!}#/state`)
  await page.reload()
  await isForked()
  t.pass('it survives a reload')
})

inBrowser('the coverage lists what was exercised, and the graph shows state changes', async (t) => {
  const { box, page, call } = await openConsole(t, { path: '#/coverage' })
  t.equal(await page.locator('.edge.done').count(), 0)
  await call('POST', `${PRODUCTION}/fraud-writer/pause`)
  await box.clock.advance({ by: 'PT1M' })
  await page.locator('[data-edge="Active Pausing"].done').waitFor()
  await page.locator('[data-edge="Pausing Stopped"].done').waitFor()
  await page.locator('.exercised', { hasText: 'pauseWorkspace' }).waitFor()
  await page.getByRole('button', { name: /Refusals by state/ }).click()
  await page.getByText('workspace.refresh in Stopped').waitFor()
  await page.getByRole('button', { name: 'Reset coverage' }).click()
  await page.locator('.edge.done').first().waitFor({ state: 'detached' })
  t.equal((await box.coverage.read()).summary.operations.exercised, 0)
  await call('GET', WORKGROUPS)
  await page.getByText('1 / 38').first().waitFor()
  await box.coverage.clear()
  await page.getByText('0 / 38').first().waitFor()
  t.pass('another client can reset it, too')
})

inBrowser('the page asks for what the server requires: a token, a known key, or nothing', async (t) => {
  allow(REFUSED)
  await using mock = await startMock({ controlToken: 's3cret', auth: 'strict', apiKeys: ['ci=right'] })
  const page = await openPage(t, `${mock.url}/_mock`)
  const open = async (key: string, token: string) => {
    await page.getByLabel('API key of the sandbox').fill(key)
    await page.getByLabel('Control token').fill(token)
    await page.getByRole('button', { name: 'Open' }).click()
  }
  t.equal(await page.getByLabel('API key of the sandbox').inputValue(), '', 'it offers no key that may be wrong')
  await checkPage(t, page, 'connect')
  const refusal = page.getByRole('alert')
  await open('right', 'wrong')
  await refusal.getByText(/without the right token/).waitFor()
  await open('right', 'неправильно')
  t.equal(await page.getByText('The server does not respond.').count(), 0)
  t.equal(await page.locator('input:invalid').count(), 1, 'no header can have such a token')
  await open('wrong', 's3cret')
  await refusal.getByText(/The credential is unknown/).waitFor()
  await open('right', 's3cret')
  await page.locator('.first-look').waitFor()
  await page.reload()
  await page.locator('.first-look').waitFor()
  await page.getByRole('button', { name: 'Leave' }).click()
  await page.getByLabel('Control token').waitFor()
  const offered = await page.evaluate("[...document.querySelectorAll('#keys option')].map((option) => option.value)")
  t.strictSame(offered, ['right'], 'a key that was refused is not offered again')
  await page.close()

  await using any = await startMock()
  const anybody = await openPage(t, `${any.url}/_mock/`)
  t.equal(await anybody.getByLabel('API key of the sandbox').inputValue(), 'demo')
  await anybody.close()

  await using off = await startMock({ auth: 'off' })
  const free = await openPage(t, `${off.url}/_mock/`)
  await free.getByText('This sandbox is empty.').waitFor()
  await free.close()
})

inBrowser('everything can be reached by keyboard alone', async (t) => {
  const { box, page, row } = await openConsole(t)
  await box.clock.set({ mode: 'frozen' })
  await page.getByRole('button', { name: 'Run', exact: true }).waitFor()
  await page.evaluate('document.activeElement.blur()')
  const focused = () =>
    page.evaluate<string>(
      "(document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent).trim()"
    )
  const reach = async (name: string) => {
    for (let i = 0; i < 60; i++) {
      await page.keyboard.press('Tab')
      if ((await focused()) === name) return
    }
    throw new Error(`${name} cannot be reached`)
  }
  await page.keyboard.press('Tab')
  t.equal(await focused(), 'Skip to content')
  await reach('fraud-writer')
  const outline = await page.evaluate('getComputedStyle(document.activeElement).outlineStyle')
  t.match(outline, 'solid', 'the focus can be seen')
  await page.keyboard.press('Enter')
  await page.getByRole('complementary', { name: 'Workspace fraud-writer' }).waitFor()
  t.equal(await focused(), 'Close')
  await reach('Pause')
  await page.keyboard.press('Space')
  await page.locator('.panel .state-Pausing').first().waitFor()
  await page.getByRole('button', { name: 'More for fraud-reader' }).click()
  await page.locator(':popover-open').waitFor()
  await page.keyboard.press('Escape')
  await page.locator(':popover-open').waitFor({ state: 'detached' })
  t.equal(await page.locator('.panel').count(), 1, 'an open menu is closed first')
  await page.keyboard.press('Escape')
  await page.locator('.panel').waitFor({ state: 'detached' })
  await page.keyboard.press('/')
  t.equal(await focused(), 'Filter the workspaces')
  await page.keyboard.type('reader')
  await row('fraud-writer').waitFor({ state: 'detached' })
  await page.evaluate('document.activeElement.blur()')
  await page.keyboard.press('j')
  t.equal(await focused(), 'fraud-reader')
  await page.keyboard.press('Enter')
  await page.locator('.panel').waitFor()
  await page.keyboard.press('Escape')
  t.equal(await focused(), 'fraud-reader', 'keys go on from the row that was open')
  const advance = page.getByRole('button', { name: 'Advance by 1 h' })
  await advance.press('Enter')
  await page.locator('.notice').getByRole('button', { name: 'Undo' }).waitFor()
  t.equal(await focused(), 'Advance by 1 h', 'it can be pressed again')
  await page.keyboard.press('?')
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
  await checkPage(t, page)
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
})

inBrowser('workgroups can be folded, and their names stay above their rows', async (t) => {
  const { box, page, row } = await openConsole(t)
  const fold = page.getByRole('button', { name: 'Workspaces of Production' })
  await fold.click()
  await row('fraud-writer').waitFor({ state: 'detached' })
  await page.getByLabel('Filter the workspaces').fill('writer')
  await row('fraud-writer').waitFor()
  t.equal(await fold.getAttribute('aria-expanded'), 'true', 'a match is shown')
  await page.getByLabel('Filter the workspaces').fill('')
  const many = Array.from({ length: 60 }, (_, index) => ({ id: `w${index}`, database: 'd', is_rw: false }))
  await box.state.replace({ workgroups: [{ id: 'many', name: 'Many', databases: [{ id: 'd' }], workspaces: many }] })
  await row('w0').waitFor()
  t.equal(await page.locator('.pinned').count(), 0)
  await page.locator('.virtual').evaluate((list: { scrollTop: number }) => (list.scrollTop = 500))
  const pinned = page.locator('.pinned', { hasText: 'Many' }).locator('button')
  await pinned.waitFor()
  await page
    .getByRole('button', { name: /^More for/ })
    .last()
    .click()
  const menu = (await page.locator(':popover-open').boundingBox())!
  t.ok(menu.y + menu.height <= 800, 'the menu of the last row is in sight')
  await page.keyboard.press('Escape')
  await pinned.click()
  t.equal(await page.getByRole('button', { name: 'Workspaces of Many' }).getAttribute('aria-expanded'), 'false')
  await pinned.waitFor({ state: 'detached' })
})
