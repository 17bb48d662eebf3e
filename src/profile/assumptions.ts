import type { Claims, FactKey } from '../interface/assumption.js'
import type { AssumptionId } from '../interface/assumption-id.js'
import { BUILT_IN_CATALOGUE } from './catalogue.js'
import { BUILT_IN_QUOTAS, type Quota, type QuotaRule, QUOTAS } from './quotas.js'

/** The values of a field of replies. */
const valueOf = (schema: string, field: string): FactKey => ({ aspect: 'value', schema, field })

/** The lists of the catalogue, with the fields that show their defaults. */
export const CATALOGUE_CLAIMS: Claims = {
  'P-011': {
    says: `The platforms are ${inWords(BUILT_IN_CATALOGUE.platforms)}. Every region goes with every platform.`,
    about: [{ aspect: 'catalogue', subject: 'platforms' }, valueOf('Workgroup', 'platform')]
  },
  'P-012': {
    says: 'There are [these regions](generated/catalogue.md#regions), with a default.',
    about: [{ aspect: 'catalogue', subject: 'regions' }, valueOf('Workgroup', 'region')]
  },
  'P-013': {
    says: 'There are [these versions](generated/catalogue.md#versions) of the database software, with a default.',
    about: [{ aspect: 'catalogue', subject: 'versions' }, valueOf('Workspace', 'svc_version')]
  },
  'P-014': {
    says: 'There are [these workspace types](generated/catalogue.md#workspace-types), with sizes and a default.',
    about: [{ aspect: 'catalogue', subject: 'workspace_types' }, valueOf('Workspace', 'workspace_type')]
  },
  'P-015': {
    says: 'A deleted workspace that a [profile](profiles.md) keeps readable has `deleted_at`.',
    about: [
      { aspect: 'field', schema: 'Workspace', field: 'deleted_at' },
      { aspect: 'type', schema: 'Workspace', field: 'deleted_at' }
    ]
  }
}

/** Ids of the assumptions about quotas. */
export const QUOTA_IDS = {
  rw_workspaces: 'P-095',
  ro_workspaces: 'P-096',
  manual_backups: 'P-097',
  automatic_backups: 'P-098'
} as const satisfies Record<Quota, AssumptionId>

export const QUOTA_CLAIMS: Claims = Object.fromEntries(
  QUOTAS.map((quota) => {
    const { per, failed } = BUILT_IN_QUOTAS[quota] as QuotaRule
    const says = `The quota \`${quota}\` counts per ${per}, ${failed ? 'failed ones included' : 'without failed ones'}.`
    return [QUOTA_IDS[quota], { says, about: [{ aspect: 'quota', subject: quota }] }]
  })
)

function inWords(names: readonly string[]): string {
  const words = names.map((name) => `\`${name}\``)
  return `${words.slice(0, -1).join(', ')} and ${words.at(-1) ?? ''}`
}
