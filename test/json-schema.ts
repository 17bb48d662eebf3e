/** A JSON schema, as far as tests and generators of documents read it. */
export interface Schema {
  readonly $id?: string
  readonly $ref?: string
  readonly type?: string
  readonly format?: string
  readonly description?: string
  readonly const?: unknown
  readonly enum?: readonly string[]
  readonly anyOf?: readonly Schema[]
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly patternProperties?: Readonly<Record<string, Schema>>
  readonly additionalProperties?: unknown
  readonly required?: readonly string[] | undefined
  readonly minimum?: number
  readonly exclusiveMinimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly 'x-assumption'?: string
}
