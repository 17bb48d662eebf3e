import { type TObject, type TProperties, Type } from '@sinclair/typebox'
import type { Shape } from '../interface/schemas.js'
import { by, type Complain, whole } from './form.js'
import { compilePlainText, compileTemplate, type Known, type Template, type Values } from './template.js'

export const HeadersSchema = Type.Optional(
  by('Further headers, by name. Placeholders in them are encoded as in a URL.', Type.String())
)

export const replyFields = {
  status: whole(200, 599, 'HTTP status.'),
  headers: HeadersSchema,
  body: Type.Optional(
    Type.Unknown({ description: 'A text is sent unchanged, any other value as JSON. No body if absent.' })
  )
} satisfies TProperties

/** A reply that a profile specifies in full. */
export interface ProfileReply {
  readonly status: number
  /** By name in lower case. */
  readonly headers: ReadonlyMap<string, (values: Values) => string>
  /** undefined: no body. */
  readonly body: Template | undefined
}

type ReplyEntry = Shape<TObject<typeof replyFields>>

/** Headers that the server sets, or that control the connection. */
const NOT_SETTABLE: readonly string[] = [
  'connection',
  'content-length',
  'date',
  'keep-alive',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'x-mock-stub',
  'x-request-id'
]

const BODILESS: readonly number[] = [204, 205, 304]
export const isBodiless = (status: number): boolean => BODILESS.includes(status)

export function compileReply(entry: ReplyEntry, field: string, known: Known, complain: Complain): ProfileReply {
  const { status, headers, body } = entry
  if (body !== undefined && isBodiless(status)) complain(`${field}.body`, `cannot go with status ${status}`)
  return {
    status,
    headers: compileHeaders(headers, field, known, complain),
    body: body === undefined ? undefined : compileTemplate(body, `${field}.body`, known, complain)
  }
}

export function compileHeaders(
  headers: ReplyEntry['headers'] = {},
  field: string,
  known: Known,
  complain: Complain
): ProfileReply['headers'] {
  const compiled = new Map<string, (values: Values) => string>()
  for (const [name, value] of Object.entries(headers)) {
    const path = `${field}.headers.${name}`
    const lower = name.toLowerCase()
    if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name)) complain(path, 'is not the name of a header')
    else if (NOT_SETTABLE.includes(lower)) complain(path, 'is set by the server')
    else if (compiled.has(lower))
      complain(path, 'is present twice, because upper and lower case are the same in names of headers')
    else if (!/^[\t\x20-\x7e]*$/.test(value)) complain(path, 'must be visible ASCII characters')
    else compiled.set(lower, compilePlainText(value, path, known, complain, encodeURIComponent))
  }
  return compiled
}
