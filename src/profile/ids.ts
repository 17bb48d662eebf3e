import { Type } from '@sinclair/typebox'
import { by, type Complain } from './form.js'
import { writerOf } from './id-forms.js'

export const IdsSchema = by(
  'By the built-in name of a field: the form of an id, also in requests.',
  Type.String({
    pattern: '^[A-Za-z0-9._~-]*\\{\\{(uuid|hex)\\}\\}[A-Za-z0-9._~-]*$',
    description: 'Such as `ws-{{hex}}`: letters, digits, `.`, `_`, `~` and `-` around `{{uuid}}` or `{{hex}}`.'
  })
)

/** The forms of ids in requests and replies. Internally, ids are UUIDs. */
export type Ids = ReturnType<typeof compileIds>

/** Whether a field can have ids of resources. */
export const isIdField = (field: string): boolean => /(?:^|_)id$|ID$/.test(field) && field !== 'RequestID'

const DIGITS = { uuid: '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}', hex: '[0-9a-f]{32}' } as const

/** @param forms valid by the schema */
export function compileIds(forms: Readonly<Record<string, string>>, complain: Complain) {
  const patterns: RegExp[] = []
  for (const [field, form] of Object.entries(forms)) {
    const [, before, kind, after] = /^(.*)\{\{(\w+)\}\}(.*)$/.exec(form)!
    if (!isIdField(field)) complain(`replies.ids.${field}`, 'is not the id of a resource')
    patterns.push(new RegExp(`^${literal(before!)}(${DIGITS[kind as keyof typeof DIGITS]})${literal(after!)}$`))
  }
  return {
    /** The id of a field in its form; undefined: unchanged. */
    toWire: writerOf(forms),
    hasForm: (field: string) => Object.hasOwn(forms, field),
    /** The id that a text represents in any of the forms. */
    fromWire: (text: string) => {
      for (const pattern of patterns) {
        const [, digits] = pattern.exec(text) ?? []
        if (digits !== undefined) return withDashes(digits)
      }
      return undefined
    }
  }
}

const literal = (text: string) => text.replaceAll('.', '\\.')

const withDashes = (digits: string) =>
  digits.replaceAll('-', '').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
