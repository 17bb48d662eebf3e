import { inBrowser, openConsole, openView, picture } from './tools.js'

const GROUPS = 20
const EACH = 500

inBrowser('ten thousand workspaces do not freeze the page', async (t) => {
  const { box, page, call, row } = await openConsole(t, { key: 'many', options: { maxResources: 30_000 } })
  const session = await page.context().newCDPSession(page)
  // Counts only the thread of the page, not other load of the machine.
  await session.send('Performance.enable', { timeDomain: 'threadTicks' })
  let last = 0
  /** Milliseconds of computing since the last call: the longest time without an answer. */
  const computed = async () => {
    const { metrics } = await session.send('Performance.getMetrics')
    const before = last
    last = metrics.find(({ name }) => name === 'TaskDuration')!.value * 1000
    return Math.round(last - before)
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
  await row('w0-0').waitFor()
  await page
    .getByText(`${(GROUPS * EACH) / 2}`)
    .first()
    .waitFor()
  await page.reload()
  await row('w0-0').waitFor()
  await computed()
  const rows = await page.locator('[data-workspace]').count()
  t.ok(rows < 60, `only visible rows exist: ${rows}`)

  await call('POST', '/controller/v4/v2/workgroups/g0/workspaces/w0-0/pause')
  await row('w0-0').locator('.state-Pausing').waitFor()
  const oneChange = await computed()
  t.ok(oneChange < 1000, `one change: computed for ${oneChange} ms`)

  await page.getByLabel('Filter the workspaces').fill('w19-499')
  await row('w19-499').waitFor()
  await page.getByLabel('Filter the workspaces').fill('')
  await row('w0-0').waitFor()
  await page.evaluate("document.querySelector('[role=table]').scrollTo(0, 1e9)")
  await row('w19-499').waitFor()
  const scrolled = await computed()
  t.ok(scrolled < 1500, `filtering and scrolling: computed for ${scrolled} ms`)

  await box.clock.advance({ by: 'PT1M' })
  await row('w19-499').locator('.state-Active').waitFor()
  const allChanges = await computed()
  t.ok(allChanges < 3000, `five thousand changes at once: computed for ${allChanges} ms`)
  await openView(page, 'timeline')
  await page.locator('.plot').first().waitFor()
  const timeline = await computed()
  t.ok(timeline < 3000, `the timeline: computed for ${timeline} ms`)
  await picture(page, 'many-timeline')
  t.comment(`computed for ${oneChange}, ${scrolled}, ${allChanges} and ${timeline} ms`)
})
