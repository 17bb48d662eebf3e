import { copyFileSync, existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { goTo, inBrowser, openConsole, openView, picture, PRODUCTION, ROOT, SCREENSHOTS, WORKGROUPS } from './tools.js'

inBrowser('a backup can be restored, and the record of a request names its fault and its retry', async (t) => {
  const { box, page, call, button, row } = await openConsole(t)
  const panel = page.getByRole('complementary')

  // A known Wednesday, within the working day of the seed's schedule.
  await box.clock.set({ now: '2027-01-06T09:00:00Z' })
  await row('fraud-writer').getByRole('link').click()
  const nightly = panel.locator('[data-row]', { hasText: '2027-01-07 03:00:00' })
  t.equal(await nightly.count(), 0)
  await button('Freeze').click()
  await button('Advance by 1 d').click()
  await nightly.locator('.state-Succeeded').waitFor()
  await nightly.getByRole('button').click()
  await panel.locator('.state-Restoring').first().waitFor()
  await picture(page, 'walk-restoring')
  await button('Until idle').click()
  await panel.getByRole('list', { name: 'Restore jobs' }).locator('.state-Succeeded').nth(1).waitFor()
  t.match((await box.timeline('fraud-writer')).slice(-2), [{ to: 'Restoring' }, { from: 'Restoring', to: 'Active' }])

  await box.fault.add({ operation: 'resumeWorkspace', times: 1, effect: { status: 500 } })
  await call('POST', `${PRODUCTION}/supply-writer/resume`)
  const repeated = await call('POST', `${PRODUCTION}/supply-writer/resume`)
  await goTo(page, 'Requests')
  await page
    .locator('.row', { has: page.locator('.status-5xx') })
    .getByRole('link')
    .click()
  await panel.getByText('Injected fault').first().waitFor()
  await picture(page, 'walk-fault')
  await page.locator(`[data-request="${repeated.id}"]`).getByRole('link').click()
  await panel.getByText(repeated.id).first().waitFor()
  await panel.locator('.event-pending', { hasText: 'pending' }).waitFor()
  await button('Until idle').click()
  await panel.locator('.event-fired').waitFor()
  await page.waitForFunction("document.title === 'All requests – svc-mock'")
})

inBrowser('the pictures for the documents are taken', async (t) => {
  const { box, page, call, button } = await openConsole(t, {
    context: { viewport: { width: 1120, height: 470 }, reducedMotion: 'reduce' }
  })
  await box.clock.set({ mode: 'frozen', now: '2027-01-06T06:00:00Z' })
  const at = (path: string) => call('POST', `${WORKGROUPS}/${path}`)
  await box.transitions.replace([
    { transition: 'workspace.resume', after: 'PT50M' },
    { transition: 'workspace.pause', after: 'PT20M' },
    { transition: 'workspace.create', after: 'PT1H' }
  ])
  await at('production/workspaces/supply-writer/resume')
  await box.clock.advance({ by: 'PT40M' })
  await at('staging/workspaces/playground-idle/resume')
  await box.clock.advance({ by: 'PT30M' })
  await at('production/workspaces/fraud-writer/pause')
  await at('staging/workspaces/playground-broken/resume')
  await box.clock.advance({ by: 'PT10M' })
  await box.transitions.replace([])
  for (const view of ['overview', 'timeline']) {
    await openView(page, view)
    await page
      .locator(view === 'overview' ? '.state-Pausing' : '.plot .state-Pausing')
      .first()
      .waitFor()
    if (view === 'overview') await page.locator('progress').nth(3).waitFor()
    if (view === 'timeline') {
      for (let i = 0; i < 7; i++) await button('Zoom in').click()
      await button('Now').click()
    }
    await page.mouse.move(0, 0)
    await picture(page, `console-${view}`)
    const made = join(SCREENSHOTS, `console-${view}.png`)
    t.ok(statSync(made).size < 100_000, 'it is small')
    // Each run draws slightly differently, so the documents keep theirs until UPDATE_DOCS asks for new ones.
    const kept = join(ROOT, `docs/console-${view}.png`)
    if (process.env['UPDATE_DOCS'] === '1' || !existsSync(kept)) copyFileSync(made, kept)
  }
})
