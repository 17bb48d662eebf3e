import type { Test } from 'tap'
import { parse } from 'yaml'
import { type Learned } from '../../../src/fidelity/openapi/learn.js'
import { writeProfile } from '../../../src/fidelity/openapi/write.js'
import { compileProfile } from '../../../src/profile/profile.js'
import { builtInWording } from '../../../src/resources/vocabulary.js'

/** Checks that what was learned can be written, read again, and is a profile. @returns the text */
export function checkForm(t: Test, learned: Learned): string {
  const written = writeProfile(learned)
  t.strictSame(parse(written), JSON.parse(JSON.stringify(learned.profile)), 'comments change nothing')
  t.equal(compileProfile(learned.profile, builtInWording).name, learned.profile.name, 'a server takes it')
  for (const renames of [...Object.values(learned.profile.names ?? {}), ...Object.values(learned.profile.states ?? {})])
    t.equal(new Set(Object.values(renames)).size, Object.keys(renames).length, 'names are one to one')
  t.strictSame(
    written.split('\n').filter((line) => line.length > 120 && line.startsWith('#')),
    [],
    'comments fit on the screen'
  )
  return written
}
