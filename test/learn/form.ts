import { Ajv } from 'ajv'
import type { Test } from 'tap'
import { parse } from 'yaml'
import { builtInWording } from '../../src/http/vocabulary.js'
import { type Learned } from '../../src/learn/learn.js'
import { writeProfile } from '../../src/learn/write.js'
import { compileProfile } from '../../src/profile/profile.js'

const text = { type: 'string', minLength: 1, maxLength: 256 }
const closed = (properties: object, required: string[] = []) => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false
})
const list = (items: object) => ({ type: 'array', minItems: 1, items })

/** The form of the part of a profile that the server does not read yet. */
const FIELDS = {
  type: 'object',
  additionalProperties: {
    type: 'object',
    additionalProperties: {
      oneOf: [
        closed(
          {
            type: { enum: ['string', 'integer', 'number', 'boolean', 'array', 'object'] },
            enum: list({}),
            default: {},
            set_by: list(text)
          },
          ['type', 'default']
        ),
        closed({ from: text }, ['from'])
      ]
    }
  }
}

const validate = new Ajv({ allErrors: true }).compile(FIELDS)

/** Checks that what was learned can be written, read again, and is a profile. @returns the text */
export function checkForm(t: Test, learned: Learned): string {
  const written = writeProfile(learned)
  t.strictSame(parse(written), JSON.parse(JSON.stringify(learned.profile)), 'comments change nothing')
  const { fields, ...rest } = learned.profile
  if (fields !== undefined) validate(fields)
  t.strictSame(validate.errors ?? [], [], 'its fields have the form of a profile')
  t.equal(compileProfile(rest, builtInWording).name, rest.name, 'a server takes it')
  for (const renames of [...Object.values(learned.profile.names ?? {}), ...Object.values(learned.profile.states ?? {})])
    t.equal(new Set(Object.values(renames)).size, Object.keys(renames).length, 'names are one to one')
  t.strictSame(
    written.split('\n').filter((line) => line.length > 120 && line.startsWith('#')),
    [],
    'comments fit on the screen'
  )
  return written
}
