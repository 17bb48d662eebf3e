import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { pluck, until } from '../helper.js'
import { allow, checkPage, inBrowser, openConsole, PRODUCTION, REFUSED } from './tools.js'

inBrowser('moves of the clock, resets, restores and imports can be undone', async (t) => {
  const { box, page, call, button, dialog } = await openConsole(t, { path: '#/state' })
  const names = async () => (await box.state.read()).workgroups!.map(({ id }) => id)
  const undo = async () => {
    await button('Undo').click()
    await page.getByText('The sandbox is as it was before the last change.').waitFor()
  }
  await box.clock.set({ mode: 'frozen' })
  await button('Run').waitFor()
  const { now } = await box.clock.read()
  await button('Advance by 1 d').click()
  await button('Undo').waitFor()
  t.not((await box.clock.read()).now, now)
  await undo()
  t.equal((await box.clock.read()).now, now)
  t.match(await box.snapshot.list(), [{ name: 'before-last-change' }])

  await page.getByLabel('Name').fill('full')
  await button('Save').click()
  await button('Restore full').waitFor()
  await box.state.replace({ workgroups: [{ id: 'only' }] })
  await call('GET', PRODUCTION)
  await page.getByRole('checkbox', { name: 'Requests' }).check()
  await button('Reset').click()
  await page.getByText('The sandbox was reset.').waitFor()
  t.strictSame(await names(), ['production', 'staging'])
  await undo()
  t.strictSame(await names(), ['only'])

  await page.getByRole('checkbox', { name: 'Requests' }).uncheck()
  await button('Reset').click()
  await dialog.getByText('Undo does not bring these back').waitFor()
  await checkPage(t, page)
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  t.match(await box.requests.list(), { total: 1 })
  t.strictSame(await names(), ['only'])
  await button('Reset').click()
  await dialog.getByRole('button', { name: 'Reset' }).click()
  await page.getByText('The sandbox was reset.').waitFor()
  t.match(await box.requests.list(), { total: 0 })
  await undo()

  await button('Restore full').click()
  await page.getByText('The snapshot was restored.').waitFor()
  t.strictSame(await names(), ['production', 'staging'])
  await undo()
  t.strictSame(await names(), ['only'])

  await page.getByLabel('File').setInputFiles({
    name: 'two.json',
    mimeType: 'application/json',
    buffer: Buffer.from('{"workgroups": [{"id": "two"}]}')
  })
  await button('Import').click()
  await page.getByText('The document was imported.').waitFor()
  t.strictSame(await names(), ['two'])
  await undo()
  t.strictSame(await names(), ['only'])
  t.strictSame(pluck(await box.snapshot.list(), 'name'), ['before-last-change', 'full'], 'only one snapshot for undo')

  await page.getByRole('checkbox', { name: /baseline/ }).check()
  await button('Import').click()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await box.reset({ keep: ['journal'] })
  t.strictSame(await names(), ['production', 'staging'], 'the baseline is unchanged')
  await button('Restore before-last-change').click()
  await page.getByText('The snapshot was restored.').waitFor()
  t.equal(await button('Undo').count(), 0, 'undo would need the snapshot itself')
})

inBrowser('a file that has changed since it was chosen is not imported in silence', async (t) => {
  const { page, button } = await openConsole(t, { path: '#/state' })
  const file = join(t.testdir({ 'state.json': '{' }), 'state.json')
  await page.getByLabel('File').setInputFiles(file)
  await button('Import').click()
  await page.getByText('The file is not JSON.').waitFor()
  rmSync(file)
  await button('Import').click()
  await page.getByText('The file cannot be read.').waitFor()
})

inBrowser('a deleted snapshot leaves the list, even while events keep firing', async (t) => {
  const { box, page, call, button } = await openConsole(t, { path: '#/state' })
  await call('POST', `${PRODUCTION}/fraud-writer/backups/schedule`, { schedule: '* * * * *', max_backup_files: 2 })
  const names = ['a', 'b', 'c']
  for (const name of names) await box.snapshot.save(name)
  await button('Delete c').waitFor()
  await box.clock.set({ mode: 'real', rate: 600 })
  for (const name of names) {
    await button(`Delete ${name}`).click()
    await page.locator(`[data-row="${name}"]`).waitFor({ state: 'detached' })
  }
  t.strictSame(await box.snapshot.list(), [])
})

inBrowser('if no snapshot can be saved, the console says so and asks whether to continue', async (t) => {
  allow(REFUSED)
  const { box, page, button, dialog } = await openConsole(t, { options: { maxSnapshots: 1 } })
  await box.snapshot.save('mine')
  await box.clock.set({ mode: 'frozen' })
  await button('Run').waitFor()
  const { now } = await box.clock.read()
  await button('Advance by 1 h').click()
  await dialog.getByText(/before-last-change cannot be saved.*--max-snapshots/).waitFor()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await dialog.waitFor({ state: 'detached' })
  t.equal((await box.clock.read()).now, now)
  await button('Advance by 1 h').click()
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await page.getByText(/events run: /).waitFor()
  t.not((await box.clock.read()).now, now)
  t.equal(await button('Undo').count(), 0)
  t.match(await box.snapshot.list(), [{ name: 'mine' }])
})

inBrowser('an error of a field appears below the field', async (t) => {
  allow(REFUSED)
  const { box, page, call } = await openConsole(t, { path: '#/rules' })
  await box.clock.set({ mode: 'frozen', now: '2030-01-01T00:00:00Z' })
  await call('POST', `${PRODUCTION}/fraud-writer/pause`)
  const settings = page.getByRole('form', { name: 'Clock settings' })
  const time = settings.getByLabel('Now')
  await time.fill('2029-12-31T00:00:00Z')
  await settings.getByRole('button', { name: 'Set clock' }).click()
  await page.locator('.field', { hasText: /^Now Now must not be before 2030-01-01/ }).waitFor()
  t.equal(await time.getAttribute('aria-invalid'), 'true')
  t.equal(await time.getAttribute('aria-describedby'), await page.locator('.field .problem').getAttribute('id'))
  await checkPage(t, page)
  await time.fill('2030-01-02T00:00:00Z')
  await settings.getByRole('button', { name: 'Set clock' }).click()
  await page.locator('.now', { hasText: '2030-01-02 00:00:00 UTC' }).waitFor()
  t.equal(await page.locator('.field .problem').count(), 0)

  const rule = page.getByRole('form', { name: 'New transition rule' })
  await rule.getByLabel('After').fill('later')
  await rule.getByRole('button', { name: 'Add' }).click()
  await rule.locator('.problem', { hasText: /^After must be a duration/ }).waitFor()
  t.strictSame(await box.transitions.read(), [])
})

inBrowser('quotas are shown and set', async (t) => {
  const { box, page, call } = await openConsole(t, { path: '#/rules' })
  const form = page.getByRole('form', { name: 'Quotas' })
  const set = form.getByRole('button', { name: 'Set quotas' })
  await form.getByLabel('Read-write workspaces').fill('1')
  await form.getByLabel('Manual backups').fill('0')
  await set.click()
  await page.getByText('The quotas were set.').waitFor()
  t.strictSame(await box.quotas.read(), {
    rw_workspaces: 1,
    ro_workspaces: null,
    manual_backups: 0,
    automatic_backups: null
  })
  t.equal((await call('POST', PRODUCTION, {})).status, 403)
  await box.quotas.set({ automatic_backups: 7 })
  const others = form.getByLabel('Automatic backups')
  await until(async () => (await others.inputValue()) === '7')
  await form.getByLabel('Manual backups').fill('')
  await set.click()
  await until(async () => (await box.quotas.read()).manual_backups === null)
  t.match(await box.quotas.read(), { rw_workspaces: 1, automatic_backups: 7 })
})

inBrowser('presets fill the form of a fault, and faults can be removed', async (t) => {
  allow(REFUSED)
  const { box, page, call, button } = await openConsole(t, { path: '#/faults' })
  const form = page.getByRole('form', { name: 'New fault' })
  const row = (id: string) => page.locator(`[data-row="${id}"]`)
  await form.getByRole('combobox', { name: 'Operation' }).selectOption('pauseWorkspace')
  await button('Lost reply').click()
  await button('Inject').click()
  await row('fault-1').getByText('phase after-commit, effect (reply drop)').waitFor()
  await button('Rate limit').click()
  t.equal(await form.getByRole('combobox', { name: 'Operation' }).inputValue(), 'pauseWorkspace', 'it stays')
  await button('Inject').click()
  await row('fault-2').getByText('retry_after 5').waitFor()
  await button('Slow').click()
  await button('Inject').click()
  await row('fault-3').getByText('delay (min PT1S, max PT3S)').waitFor()
  t.match(await box.fault.list(), [
    { operation: 'pauseWorkspace', times: 1, phase: 'after-commit', effect: { reply: 'drop' } },
    { operation: 'pauseWorkspace', times: 3, effect: { status: 429, retry_after: 5 } },
    { operation: 'pauseWorkspace', effect: { delay: { min: 'PT1S', max: 'PT3S' } } }
  ])
  await t.rejects(call('POST', `${PRODUCTION}/fraud-writer/pause`))
  t.equal((await call('POST', `${PRODUCTION}/fraud-writer/pause`)).status, 429)
  await row('fault-2').getByText('1 of 3').waitFor()
  await button('Remove fault-1').click()
  await row('fault-1').waitFor({ state: 'detached' })
  await button('Remove all').click()
  await page.getByText('No faults.').waitFor()
  t.strictSame(await box.fault.list(), [])

  await form.getByRole('textbox', { name: 'Delay', exact: true }).fill('long')
  await button('Inject').click()
  await form.locator('.problem', { hasText: /^Delay must be a duration/ }).waitFor()
})

inBrowser('an error that only the body shows is a failure', async (t) => {
  const { box, page, button } = await openConsole(t)
  await box.fault.add({ operation: 'pauseWorkspace', effect: { status: 200, reason: 'Not today.' } })
  await button('Pause fraud-writer').click()
  await page.getByText('Not today.').waitFor()
  t.equal(await page.locator('.notice.error').count(), 1)
})

inBrowser('a verification says which calls match, or why none do', async (t) => {
  allow(REFUSED)
  const { box, page, call, record } = await openConsole(t, { path: '#/verification' })
  const form = page.getByRole('form', { name: 'Verification' })
  const answer = page.getByRole('region', { name: 'Result' })
  const verify = form.getByRole('button', { name: 'Verify' })
  const { id } = await call('PUT', `${PRODUCTION}/fraud-writer`, { workspace_type_name: 'SVC-2' })
  await verify.click()
  await form.locator('.problem', { hasText: /^Operation must be present/ }).waitFor()
  await form.getByRole('combobox', { name: 'Operation' }).selectOption('updateWorkspace')
  await form.getByText('Where', { exact: true }).first().click()
  await form.getByLabel('Workspace id').fill('fraud-writer')
  await form.getByLabel('Body').fill('{"workspace_type_name": "SVC-1"}')
  await verify.click()
  await answer.getByText('body.workspace_type_name is "SVC-2", not "SVC-1"').waitFor()
  await form.getByLabel('Body').fill('{"workspace_type_name"')
  await verify.click()
  await form.locator('.problem', { hasText: 'Body must be JSON' }).waitFor()
  await form.getByLabel('Body').fill('{"workspace_type_name": "SVC-2"}')
  await form.getByText('Times', { exact: true }).first().click()
  await form.getByLabel('Exactly').fill('1')
  await verify.click()
  await answer.getByText('Calls found: 1.').waitFor()
  await checkPage(t, page)
  await page.getByText('As JSON, for your tests').click()
  t.match(JSON.parse((await page.getByRole('region', { name: 'Verification as JSON' }).textContent())!), {
    operation: 'updateWorkspace',
    times: { exactly: 1 }
  })
  t.match(await answer.getByTitle(id).innerText(), /^\d\d:\d\d/)
  await box.requests.clear()
  await answer.getByText('no longer in the journal').waitFor()
  await answer.getByTitle(id).click()
  await record.waitFor()
})

inBrowser('the report lists bad habits of the client with their requests, and what it left behind', async (t) => {
  const { box, page, call } = await openConsole(t, { path: '#/report' })
  await box.clock.set({ mode: 'frozen' })
  await page.getByText('No request in the journal would cause trouble').waitFor()
  const left = page.getByRole('list', { name: 'Left behind' }).getByRole('listitem')
  await left.filter({ hasText: 'Running workspaces' }).getByRole('link', { name: 'fraud-writer' }).waitFor()
  for (let i = 0; i < 3; i++) await call('GET', `${PRODUCTION}/nobody`)
  const finding = page.getByRole('list', { name: 'Findings' }).locator(':scope > li', { hasText: 'Error ignored' })
  await finding.getByRole('heading', { name: 'Error ignored' }).waitFor()
  await finding.getByRole('link').nth(2).waitFor()
  t.equal(await finding.getByRole('link').count(), 3)
  for (let i = 0; i < 8; i++) {
    if (i === 4) await box.clock.advance({ by: 'PT1M' })
    await call('GET', `${PRODUCTION}/fraud-writer`)
  }
  const polling = page.getByRole('list', { name: 'Findings' }).locator(':scope > li', { hasText: 'Polling too fast' })
  await polling.getByRole('link').nth(7).waitFor()
  t.equal(await polling.getByText('was called 4 times').count(), 1, 'equal findings are one')
  await checkPage(t, page)
})
