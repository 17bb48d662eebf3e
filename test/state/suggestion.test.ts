import t from 'tap'
import { suggestionFor } from '../../src/state/suggestion.js'

void t.test('a misspelt field is traced to the one that is known at its place', async (t) => {
  const workgroups = Array.from({ length: 12 }, () => ({ workspaces: [{}] }))
  for (const [path, meant] of [
    ['workgrups', 'workgroups'],
    ['workgroups.0.nmae', 'name'],
    ['workgroups.11.workspaces.0.staus', 'status'],
    ['faults.0.effect.delay.mni', 'min']
  ] as const)
    t.equal(suggestionFor({ workgroups, faults: [{ effect: { delay: {} } }] }, path.split('.')), meant, path)
})

void t.test('a misspelt value is traced to one of those that its field may have', async (t) => {
  t.equal(suggestionFor({ clock: { mode: 'frozn' } }, ['clock', 'mode']), 'frozen')
  t.equal(suggestionFor({ org: { name: 'frozn' } }, ['org', 'name']), undefined, 'any text is a name')
  t.equal(suggestionFor({ clock: { mode: 5 } }, ['clock', 'mode']), undefined)
})

void t.test('there is no suggestion for what is absent, or inside something unknown or of another type', async (t) => {
  for (const [document, path] of [
    [{ wrkgroups: [] }, 'wrkgroups.0'],
    [{ workgroups: [{}] }, 'workgroups.0.name'],
    [{ workgroups: null }, 'workgroups.0'],
    [{ workgroups: 'text' }, 'workgroups.0.name'],
    [{ clock: 'frozn' }, 'clock.mode'],
    [undefined, 'workgroups'],
    ['text', 'workgroups']
  ] as const)
    t.equal(suggestionFor(document, path.split('.')), undefined, path)
})
