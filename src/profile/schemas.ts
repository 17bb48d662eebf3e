import { Type } from '@sinclair/typebox'
import type { Shape } from '../interface/schemas.js'
import { strict } from '../lib/strict.js'
import type { Catalogue } from './catalogue.js'
import { CatalogueSchema } from './catalogue-document.js'
import { DurationsSchema } from './durations-document.js'
import { type EdgeDocument, edgeParts } from './edge.js'
import { FieldsSchema } from './fields.js'
import { text } from './form.js'
import { NamesSchema } from './names.js'
import { OmitSchema, ShownSchema } from './omit.js'
import { type Quota, type QuotaRule, QuotasSchema } from './quotas.js'
import { RequestsSchema } from './requests.js'
import { StatesSchema } from './states.js'

/** The version of the form of profiles. */
export const FORM = 1

export const ProfileSchema = strict(
  {
    profile: Type.Literal(FORM, { description: 'Version of the form.' }),
    name: Type.Optional(text('Name of the profile; that of its file if absent.')),
    catalogue: Type.Optional(CatalogueSchema),
    durations: Type.Optional(DurationsSchema),
    quotas: Type.Optional(QuotasSchema),
    states: Type.Optional(StatesSchema),
    fields: Type.Optional(FieldsSchema),
    names: Type.Optional(NamesSchema),
    omit: Type.Optional(OmitSchema),
    shown: Type.Optional(ShownSchema),
    requests: Type.Optional(RequestsSchema),
    ...edgeParts
  },
  { description: 'Assumptions about the service that differ from the built-in ones.' }
)
export type ProfileDocument = Shape<typeof ProfileSchema>

/** A complete profile. Only parts that are off are absent. */
export interface ProfileInForce
  extends
    EdgeDocument,
    Pick<ProfileDocument, 'fields' | 'requests'>,
    Required<Omit<ProfileDocument, 'fields' | 'requests' | keyof EdgeDocument>> {
  readonly catalogue: Catalogue
  readonly durations: Required<NonNullable<ProfileDocument['durations']>>
  readonly quotas: Readonly<Record<Quota, QuotaRule>> & Required<Pick<NonNullable<ProfileDocument['quotas']>, 'plans'>>
}
