import t from 'tap'
import { closeBrowser, openConsole, picture, skip } from './tools.js'

t.teardown(closeBrowser)

const GROUPS = 20
const EACH = 500

/** From now on, the longest time between two frames of the page is noted: so long it did not answer. */
const WATCH_FRAMES = `(() => {
  let last = performance.now()
  window.longestPause = 0
  const frame = (now) => {
    window.longestPause = Math.max(window.longestPause, now - last)
    last = now
    requestAnimationFrame(frame)
  }
  requestAnimationFrame(frame)
})()`

void t.test('ten thousand workspaces do not freeze the page', { skip }, async (t) => {
  const { box, page, findings, call } = await openConsole(t, { key: 'many', options: { maxResources: 30_000 } })
  await page.evaluate(WATCH_FRAMES)
  const longestPause = async () =>
    Math.round(
      await page.evaluate<number>(
        '(() => { const { longestPause } = window; window.longestPause = 0; return longestPause })()'
      )
    )
  const seconds = async (action: () => Promise<unknown>) => {
    const begin = performance.now()
    await action()
    return ((performance.now() - begin) / 1000).toFixed(2)
  }
  await box.seed({
    clock: { mode: 'frozen', now: '2027-01-01T00:00:00Z' },
    workgroups: Array.from({ length: GROUPS }, (_, group) => ({
      id: `g${group}`,
      name: `Group ${group}`,
      workspaces: Array.from({ length: EACH }, (_, i) => ({
        id: `w${group}-${i}`,
        status: i % 2 === 0 ? ('Active' as const) : ('Resuming' as const)
      }))
    }))
  })
  await page.locator('[data-workspace="w0-0"]').waitFor()
  await page
    .getByText(`${(GROUPS * EACH) / 2}`)
    .first()
    .waitFor()
  await longestPause()

  const loaded = await seconds(async () => {
    await page.reload()
    await page.locator('[data-workspace="w0-0"]').waitFor()
  })
  await page.evaluate(WATCH_FRAMES)
  const rows = await page.locator('[data-workspace]').count()
  t.ok(rows < 60, `only what can be seen is there: ${rows} rows`)

  const told = await seconds(async () => {
    await call('POST', '/controller/v4/v2/workgroups/g0/workspaces/w0-0/pause')
    await page.locator('[data-workspace="w0-0"] .state-Stopping').waitFor()
  })
  const oneChange = await longestPause()
  t.ok(oneChange < 1000, `one change: no answer for ${oneChange} ms`)

  await page.getByLabel('Filter the workspaces').fill('w19-499')
  await page.locator('[data-workspace="w19-499"]').waitFor()
  await page.getByLabel('Filter the workspaces').fill('')
  await page.locator('[data-workspace="w0-0"]').waitFor()
  await page.evaluate("document.querySelector('[role=table]').scrollTo(0, 1e9)")
  await page.locator('[data-workspace="w19-499"]').waitFor()
  const scrolled = await longestPause()
  t.ok(scrolled < 1500, `filtering and scrolling: no answer for ${scrolled} ms`)

  const all = await seconds(async () => {
    await box.clock.advance({ by: 'PT1M' })
    await page.locator('[data-workspace="w19-499"] .state-Active').waitFor()
  })
  const allChanges = await longestPause()
  t.ok(allChanges < 3000, `five thousand changes at once: no answer for ${allChanges} ms`)
  await page.goto(`${page.url().split('#')[0]!}#/timeline`)
  await page.locator('.plot').first().waitFor()
  const timeline = await longestPause()
  t.ok(timeline < 3000, `the timeline: no answer for ${timeline} ms`)
  await picture(page, 'many-timeline')
  t.strictSame(findings.lines, [])
  t.comment(
    `loaded in ${loaded} s; one change shown in ${told} s, 5000 in ${all} s; longest pauses: ${oneChange}, ` +
      `${scrolled}, ${allChanges}, ${timeline} ms`
  )
})
