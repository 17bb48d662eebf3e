import { readFileSync } from 'node:fs'
import t from 'tap'
import { startMock } from '../../src/node/index.js'
import type { Body } from '../helper.js'
import {
  accessibilityProblems,
  closeBrowser,
  goTo,
  openConsole,
  openPage,
  openView,
  picture,
  skip,
  until
} from './tools.js'

t.teardown(closeBrowser)

const WORKGROUPS = '/controller/v4/v2/workgroups'
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

void t.test(
  'each view is there, accessible in both colour schemes and at 400 pixels, and breaks no rule of its policy',
  { skip },
  async (t) => {
    for (const [name, context] of [
      ['light', { colorScheme: 'light' }],
      ['dark', { colorScheme: 'dark' }],
      ['narrow', { viewport: { width: 400, height: 800 }, reducedMotion: 'reduce' }]
    ] as const) {
      const { box, page, findings, call } = await openConsole(t, { context })
      await box.clock.set({ mode: 'frozen' })
      await box.fault.add({ operation: 'resumeWorkspace', times: 1, effect: { status: 500 } })
      const { body } = await call('POST', `${WORKGROUPS}/production/workspaces/supply-writer/resume`)
      await call('POST', `${WORKGROUPS}/production/workspaces/supply-writer/resume`)
      await box.snapshot.save('now')
      for (const view of [...VIEWS, `requests/${body.RequestID as string}`]) {
        await openView(page, view)
        if (view.includes('/')) await page.locator('.panel').waitFor()
        t.strictSame(await accessibilityProblems(page), [], `${name} ${view}`)
        t.equal(
          await page.evaluate('document.documentElement.scrollWidth <= innerWidth'),
          true,
          `${name} ${view} is not wider than the screen`
        )
        await picture(page, `${view.startsWith('requests/') ? 'record' : view.replace('/', '-')}-${name}`)
      }
      t.strictSame(findings.lines, [])
    }
  }
)

void t.test('what happens to a workspace shows at once, and what can be asked of it does it', { skip }, async (t) => {
  const { box, page, findings } = await openConsole(t)
  const row = page.locator('[data-workspace="fraud-writer"]')
  const button = (name: string) => page.getByRole('button', { name, exact: true })
  await button('Freeze').click()
  await page.locator('.mode', { hasText: 'frozen' }).waitFor()
  t.equal((await box.clock.read()).mode, 'frozen')
  await button('More for fraud-writer').click()
  await button('Back up fraud-writer').click()
  await page.getByText('The backup is Running.').waitFor()
  t.match(await box.events(), [{ event: 'backup.run' }])
  await button('More for fraud-writer').click()
  await button('Refresh fraud-writer').click()
  await page.getByText('Successfully refreshed the workspace.').waitFor()
  await button('Pause fraud-writer').click()
  await row.locator('.state-Pausing').waitFor()
  t.match((await box.timeline('fraud-writer')).at(-1), { to: 'Pausing' })
  t.equal(await row.getByRole('button').count(), 0, 'nothing can be asked of it meanwhile')
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
  t.pass('a running clock brings it to its end by itself')
  await button('Freeze').click()
  await page.locator('.mode', { hasText: 'frozen' }).waitFor()
  await row.getByRole('link', { name: 'fraud-writer' }).click()
  const panel = page.getByRole('complementary', { name: 'Workspace fraud-writer' })
  await panel.getByText('0 3 * * *').waitFor()
  await panel.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await row.locator('.state-Terminating').waitFor()
  // An open panel would read about a workspace that is just going.
  await page.keyboard.press('Escape')
  await panel.waitFor({ state: 'detached' })
  await button('Until idle').click()
  await row.waitFor({ state: 'detached' })
  t.strictSame(
    (await box.state.read()).workgroups![0]!.workspaces!.map(({ id }) => id),
    ['fraud-reader', 'supply-writer']
  )
  t.strictSame(findings.lines, [])
})

void t.test('workgroups and workspaces can be made, and rows be filtered', { skip }, async (t) => {
  const { box, page, findings } = await openConsole(t)
  await page.getByRole('button', { name: 'New workgroup' }).click()
  await page.getByRole('dialog').getByLabel('Name', { exact: true }).first().fill('Mine')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'New workspace in Mine' }).click()
  await page.getByRole('dialog').getByLabel('Name', { exact: true }).first().fill('first')
  await page.getByRole('dialog').getByRole('button', { name: 'Create' }).click()
  await page.getByRole('link', { name: 'first' }).waitFor()
  t.match((await box.state.read()).workgroups![2], { name: 'Mine', workspaces: [{ name: 'first' }] })
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page.getByLabel('Filter the workspaces').fill('failed')
  await page.getByRole('link', { name: 'first' }).waitFor({ state: 'detached' })
  t.equal(await page.locator('[data-workspace]').count(), 1)
  t.strictSame(findings.lines, [])
})

void t.test(
  'the interface is found under another path, and called by the names of another brand',
  { skip },
  async (t) => {
    const { box, page, findings } = await openConsole(t, { options: { basePath: '/api', brand: 'acme' } })
    await page.getByRole('button', { name: 'New workspace in Production' }).click()
    await page.getByRole('dialog').getByLabel('Name', { exact: true }).first().fill('second-reader')
    await page.getByRole('dialog').getByLabel('Database id').selectOption({ label: 'supply-chain' })
    await page.getByRole('dialog').getByLabel('Is read-write').selectOption('no')
    await page.getByRole('dialog').getByRole('button', { name: 'Create' }).click()
    await page.getByRole('link', { name: 'second-reader' }).waitFor()
    t.match((await box.state.read()).workgroups![0]!.workspaces!.at(-1), {
      name: 'second-reader',
      is_rw: false,
      database: 'supply'
    })
    t.strictSame(findings.lines, [])
  }
)

void t.test('clock, faults and transition rules are set, and take effect', { skip }, async (t) => {
  const { box, page, findings, call } = await openConsole(t, { path: '#/rules' })
  // Not check(): it is chosen when the server says so.
  await page.getByRole('radio', { name: 'frozen' }).click()
  await page.locator('.mode', { hasText: 'frozen' }).waitFor()
  await page.getByLabel('Time (UTC)').fill('2030-01-01T00:00')
  await page.getByRole('button', { name: 'Set time' }).click()
  await page.locator('.now', { hasText: '2030-01-01 00:00:00 UTC' }).waitFor()
  await page.getByLabel('Advance', { exact: true }).fill('PT90M')
  await page.getByRole('button', { name: 'Advance', exact: true }).click()
  await page.locator('.now', { hasText: '01:30:00' }).waitFor()
  await page.getByRole('spinbutton', { name: 'Rate' }).fill('60')
  await page.getByRole('button', { name: 'Set rate' }).click()
  await until(async () => (await box.clock.read()).rate === 60)
  await page.getByText(/It is 2030-01-01T01:30:00.000Z/).waitFor()
  t.match(await box.clock.read(), { mode: 'frozen', now: '2030-01-01T01:30:00.000Z', rate: 60 })

  await goTo(page, 'Test control', 'Faults')
  const fault = page.getByRole('form', { name: 'New fault' })
  await fault.getByLabel('Operation').selectOption('pauseWorkspace')
  await fault.getByRole('spinbutton', { name: 'Status' }).fill('503')
  await fault.getByLabel('Times').fill('2')
  await fault.getByRole('button', { name: 'Inject' }).click()
  await page.locator('[data-fault="fault-1"]', { hasText: '0 of 2' }).waitFor()
  t.match(await box.fault.list(), [{ operation: 'pauseWorkspace', times: 2, effect: { status: 503 } }])
  t.equal((await call('POST', `${WORKGROUPS}/production/workspaces/fraud-writer/pause`)).status, 503)
  await page.locator('[data-fault="fault-1"]', { hasText: '1 of 2' }).waitFor()
  await page.getByRole('button', { name: 'Remove fault-1' }).click()
  await page.locator('[data-fault="fault-1"]').waitFor({ state: 'detached' })

  await goTo(page, 'Time', 'Clock and rules')
  const rule = page.getByRole('form', { name: 'New transition rule' })
  await rule.getByRole('combobox', { name: 'Transition' }).selectOption('workspace.pause')
  await rule.getByLabel('Outcome').selectOption('hold')
  await rule.getByRole('button', { name: 'Add' }).click()
  await page.getByRole('button', { name: 'Remove the rule for workspace.pause' }).waitFor()
  t.match(await box.transitions.read(), [{ transition: 'workspace.pause', outcome: 'hold', times: 1 }])
  await call('POST', `${WORKGROUPS}/production/workspaces/fraud-writer/pause`)
  await page.getByRole('button', { name: 'Release what is held (1)' }).click()
  await page.getByRole('button', { name: /Release/ }).waitFor({ state: 'detached' })
  t.match((await box.timeline('fraud-writer')).at(-1), { to: 'Stopped' })
  t.strictSame(await box.transitions.read(), [], 'it applied once')
  t.strictSame(findings.lines, [])
})

void t.test(
  'requests come as they are made, are filtered, and open their records; what the console reads is not among them',
  { skip },
  async (t) => {
    const { box, page, findings, call } = await openConsole(t, { path: '#/requests' })
    await page.getByText('No requests yet.').waitFor()
    await call('GET', WORKGROUPS)
    const { body } = await call('POST', `${WORKGROUPS}/production/workspaces/fraud-writer/pause`)
    await call('POST', `${WORKGROUPS}/nothing/workspaces/nothing/pause`)
    await page.getByText('3 of 3').waitFor()
    await page.getByLabel('Status').selectOption('4')
    await page.getByText('1 of 3').waitFor()
    await page.getByLabel('Status').selectOption('')
    await page.getByLabel('Filter the requests').fill('fraud-writer')
    await page.getByText('1 of 3').waitFor()
    await page.getByRole('link', { name: 'pauseWorkspace' }).click()
    const record = page.getByRole('complementary', { name: 'Causal record' })
    await record
      .getByText(body.RequestID as string)
      .first()
      .waitFor()
    await record.locator('.event').waitFor()
    await box.clock.advance({ by: 'PT1M' })
    await record.locator('.event-fired').waitFor()
    await record.locator('.state-Stopped').first().waitFor()
    t.equal((await box.requests.list()).requests.length, 3)
    await page.keyboard.press('Escape')
    await record.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Clear' }).click()
    await page.getByText('No requests yet.').waitFor()
    t.strictSame(findings.lines, [])
  }
)

void t.test('the sandbox as a whole is exported, imported, kept, restored, reset and forked', { skip }, async (t) => {
  const { box, page, findings } = await openConsole(t, { path: '#/state' })
  const dialog = page.getByRole('dialog')
  const names = async () => (await box.state.read()).workgroups!.map(({ id }) => id)
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export' }).click()
  ])
  const document: Body = JSON.parse(readFileSync(await download.path(), 'utf8'))
  t.strictSame(
    (document.workgroups as Body[]).map(({ id }) => id as string),
    ['production', 'staging']
  )
  await page.getByLabel('Name').fill('before')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.locator('[data-snapshot="before"]').waitFor()
  t.match(await box.snapshot.list(), [{ name: 'before' }])

  await page.getByLabel('File').setInputFiles({
    name: 'one.json',
    mimeType: 'application/json',
    buffer: Buffer.from('{"workgroups": [{"id": "one"}]}')
  })
  await page.getByRole('button', { name: 'Import…' }).click()
  await dialog.getByRole('button', { name: 'Import' }).click()
  await page.getByText('The document was imported.').waitFor()
  t.strictSame(await names(), ['one'])
  await page.getByRole('button', { name: 'Restore before', exact: true }).click()
  await dialog.getByRole('button', { name: 'Restore' }).click()
  await page.getByText('The snapshot was restored.').waitFor()
  t.strictSame(await names(), ['production', 'staging'])
  await box.clock.set({ mode: 'frozen' })
  await box.state.replace({ workgroups: [] })
  await page.getByRole('checkbox', { name: 'the clock' }).check()
  await page.getByRole('button', { name: 'Reset…' }).click()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  t.strictSame(await names(), [])
  await page.getByRole('button', { name: 'Reset…' }).click()
  await dialog.getByRole('button', { name: 'Reset' }).click()
  await page.getByText('The sandbox was reset.').waitFor()
  t.strictSame(await names(), ['production', 'staging'])

  await page.getByLabel('From').selectOption('before')
  await page.getByRole('button', { name: 'Fork' }).click()
  await page.getByRole('button', { name: 'Open it' }).click()
  const key = page.getByLabel('API key of the sandbox')
  const isForked = () => until(async () => (await key.inputValue()).startsWith('fork_'))
  await isForked()
  t.notMatch(page.url(), /fork_/, 'a key is in no URL')
  await page.goto(`${page.url().split('#')[0]!}#/state`)
  await page.reload()
  await isForked()
  t.pass('it survives a reload')
  t.strictSame(findings.lines, [])
})

void t.test('the coverage shows what was exercised, and the graph which changes of states', { skip }, async (t) => {
  const { box, page, findings, call } = await openConsole(t, { path: '#/coverage' })
  t.equal(await page.locator('.edge.done').count(), 0)
  await call('POST', `${WORKGROUPS}/production/workspaces/fraud-writer/pause`)
  await box.clock.advance({ by: 'PT1M' })
  await page.locator('[data-edge="Active Pausing"].done').waitFor()
  await page.locator('[data-edge="Pausing Stopped"].done').waitFor()
  await page.locator('.exercised', { hasText: 'pauseWorkspace' }).waitFor()
  await page.getByRole('button', { name: /Refusals by state/ }).click()
  await page.getByText('workspace.refresh in Stopped').waitFor()
  await page.getByRole('button', { name: 'Reset coverage' }).click()
  await page.locator('.edge.done').first().waitFor({ state: 'detached' })
  t.equal((await box.coverage.read()).summary.operations.exercised, 0)
  t.strictSame(findings.lines, [])
})

void t.test('the console finds back to a server that was restarted, and reads everything anew', { skip }, async (t) => {
  const { mock, page, findings } = await openConsole(t)
  const port = Number(new URL(mock.url).port)
  await mock.close()
  await page.getByText('no connection').waitFor()
  await using again = await startMock({ port })
  await again.sandbox('demo').seed({ workgroups: [{ id: 'after', name: 'After', workspaces: [{ id: 'restarted' }] }] })
  await page.getByRole('link', { name: 'restarted' }).waitFor()
  t.equal(await page.getByText('fraud-writer').count(), 0)
  // The browser itself reports that there was no connection.
  t.strictSame(
    findings.lines.filter((line) => !/net::ERR_/.test(line)),
    []
  )
  await page.close()
})

void t.test('the page asks for what the server wants: a token, a known key, or nothing', { skip }, async (t) => {
  await using mock = await startMock({ controlToken: 's3cret', auth: 'strict', apiKeys: ['ci=right'] })
  const { page } = await openPage(t, mock.url)
  await page.goto(`${mock.url}/_mock`)
  const open = async (key: string, token: string) => {
    await page.getByLabel('API key of the sandbox').fill(key)
    await page.getByLabel('Control token').fill(token)
    await page.getByRole('button', { name: 'Open' }).click()
  }
  t.strictSame(await accessibilityProblems(page), [])
  await picture(page, 'connect')
  await open('right', 'wrong')
  await page
    .getByRole('alert')
    .getByText(/without the right token/)
    .waitFor()
  await open('wrong', 's3cret')
  await page
    .getByRole('alert')
    .getByText(/The credential is unknown/)
    .waitFor()
  await open('right', 's3cret')
  await page.getByText('live', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Leave' }).click()
  await page.getByLabel('Control token').waitFor()
  await page.close()

  await using off = await startMock({ auth: 'off' })
  const free = await openPage(t, off.url)
  await free.page.goto(`${off.url}/_mock/`)
  await free.page.getByText('This sandbox is empty.').waitFor()
  t.strictSame(free.findings.lines, [])
  await free.page.close()
})

void t.test('everything can be reached by keyboard alone', { skip }, async (t) => {
  const { box, page } = await openConsole(t)
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
  t.equal(await focused(), 'Skip to the content')
  await reach('fraud-writer')
  t.match(
    await page.evaluate('getComputedStyle(document.activeElement).outlineStyle'),
    'solid',
    'the focus can be seen'
  )
  await page.keyboard.press('Enter')
  await page.getByRole('complementary', { name: 'Workspace fraud-writer' }).waitFor()
  t.equal(await focused(), 'Close the workspace')
  await reach('Pause')
  await page.keyboard.press('Space')
  await page.locator('.panel .state-Pausing').first().waitFor()
  await page.keyboard.press('Escape')
  await page.locator('.panel').waitFor({ state: 'detached' })
  await page.keyboard.press('/')
  t.equal(await focused(), 'Filter the workspaces')
  await page.keyboard.type('reader')
  await page.locator('[data-workspace="fraud-writer"]').waitFor({ state: 'detached' })
  await page.evaluate('document.activeElement.blur()')
  await page.keyboard.press('j')
  t.equal(await focused(), 'fraud-reader')
  await page.keyboard.press('?')
  await page.getByRole('dialog', { name: 'Keys' }).waitFor()
  t.strictSame(await accessibilityProblems(page), [])
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
})

void t.test('workgroups can be folded, and name the rows below them', { skip }, async (t) => {
  const { box, page } = await openConsole(t)
  const fold = page.getByRole('button', { name: 'Workspaces of Production' })
  await fold.click()
  await page.locator('[data-workspace="fraud-writer"]').waitFor({ state: 'detached' })
  await page.getByLabel('Filter the workspaces').fill('writer')
  await page.locator('[data-workspace="fraud-writer"]').waitFor()
  t.equal(await fold.getAttribute('aria-expanded'), 'true', 'what is looked for is shown')
  await page.getByLabel('Filter the workspaces').fill('')
  const many = Array.from({ length: 60 }, (_, index) => ({ id: `w${index}`, database: 'd', is_rw: false }))
  await box.state.replace({ workgroups: [{ id: 'many', name: 'Many', databases: [{ id: 'd' }], workspaces: many }] })
  await page.locator('[data-workspace="w0"]').waitFor()
  t.equal(await page.locator('.pinned').count(), 0)
  await page.locator('.virtual').evaluate((list: { scrollTop: number }) => (list.scrollTop = 500))
  await page.locator('.pinned > div', { hasText: 'Many' }).waitFor()
})
