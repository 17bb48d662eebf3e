import { Ajv } from 'ajv'
import type { Test } from 'tap'
import { parse } from 'yaml'
import { type Learned } from '../../src/learn/learn.js'
import { writeProfile } from '../../src/learn/write.js'
import { OPERATION_IDS } from '../../src/lib/operation-ids.js'
import { compileProfile } from '../../src/profile/profile.js'

const text = { type: 'string', minLength: 1, maxLength: 256 }
const texts = { type: 'object', additionalProperties: text }
const closed = (properties: object, required: string[] = []) => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false
})
const list = (items: object) => ({ type: 'array', minItems: 1, items })

/** The form of those parts of a profile that the server does not read yet. */
const FORM = closed(
  {
    profile: { const: 1 },
    name: text,
    catalogue: { type: 'object' },
    states: closed({ workspace: texts, refresh: texts, backup: texts, restore_job: texts }),
    fields: {
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
    },
    omit: { type: 'object', additionalProperties: { ...list(text), uniqueItems: true } },
    names: closed({ fields: texts, schemas: texts, values: texts, prefixes: texts }),
    routes: list({
      oneOf: [
        closed(
          {
            method: { enum: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] },
            path: { type: 'string', pattern: '^(/([\\w.~-]+|\\{[A-Za-z]\\w*\\}))+/?$' },
            operation: { enum: [...OPERATION_IDS, 'changeSchedule'] },
            parameters: texts,
            result: { const: 'array' }
          },
          ['method', 'path', 'operation']
        ),
        closed({ operation: { enum: [...OPERATION_IDS, 'changeSchedule'] }, off: { const: true } }, [
          'operation',
          'off'
        ])
      ]
    }),
    stubs: list(
      closed(
        {
          method: { enum: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] },
          path: { type: 'string', pattern: '^(/([\\w.~-]+|\\{[A-Za-z]\\w*\\}))+/?$' },
          status: { type: 'integer', minimum: 200, maximum: 299 },
          body: {}
        },
        ['method', 'path', 'status']
      )
    )
  },
  ['profile', 'name']
)

const validate = new Ajv({ allErrors: true }).compile(FORM)

/** Checks that what was learned can be written, read again, and is a profile. @returns the text */
export function checkForm(t: Test, learned: Learned): string {
  const written = writeProfile(learned)
  t.strictSame(parse(written), JSON.parse(JSON.stringify(learned.profile)), 'comments change nothing')
  validate(learned.profile)
  t.strictSame(validate.errors ?? [], [], 'it has the form of a profile')
  const { profile, name, catalogue } = learned.profile
  t.equal(compileProfile({ profile, name, ...(catalogue && { catalogue }) }).name, name, 'its catalogue can be used')
  for (const renames of [...Object.values(learned.profile.names ?? {}), ...Object.values(learned.profile.states ?? {})])
    t.equal(new Set(Object.values(renames)).size, Object.keys(renames).length, 'names are one to one')
  t.strictSame(
    written.split('\n').filter((line) => line.length > 120 && line.startsWith('#')),
    [],
    'comments fit on the screen'
  )
  return written
}
