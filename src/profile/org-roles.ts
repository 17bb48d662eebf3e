/** Role names of org users with their display names. All are assumed. */
export const ORG_ROLES = {
  'org-admin': 'Org admin',
  'billing-admin': 'Billing admin',
  'billing-viewer': 'Billing viewer',
  'workgroup-admin': 'Workgroup admin',
  'workspace-admin': 'Workspace admin',
  'workspace-member': 'Workspace member'
} as const
export type OrgRoleName = keyof typeof ORG_ROLES
export const ORG_ROLE_NAMES = Object.keys(ORG_ROLES) as OrgRoleName[]
