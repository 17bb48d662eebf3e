import type { ProfileDocument } from './schemas.js'

/** All replies that show a workspace, except that of an update. */
const NOT_UPDATED = {
  only: [
    'listWorkgroups',
    'getWorkgroup',
    'updateWorkgroup',
    'getDatabase',
    'updateDatabase',
    'createWorkspace',
    'getWorkspace'
  ]
}

/** Profiles that options can name. */
export const SHIPPED_PROFILES: Readonly<
  Record<string, { readonly about: string; readonly document: ProfileDocument }>
> = {
  conventional: {
    about: 'As built in: replies as observed, but refusals are 404 and 400.',
    document: { profile: 1, name: 'conventional' }
  },
  observed: {
    about: 'As observed: refusals are 500, and a workspace has fields that the interface does not declare.',
    document: {
      profile: 1,
      name: 'observed',
      fields: {
        Workspace: {
          database_name: { from: 'database.name' },
          err_message: { const: '' },
          replicas: { const: 1 },
          cloud_provider_name: { const: 'AWS-ap-south-1' },
          cloud_provider_short_id: { const: 'svc-2600000100' },
          maintenance_window_time_zone: { const: 'Asia/Kolkata' },
          maintenance_window_day_of_week: { const: 0 },
          maintenance_window_hour_of_day: { const: 20 },
          desired_svc_version: { const: 'auto' },
          update_strategy: { const: 'update_strategy_never' },
          auto_upgrade_state: { const: 'none' }
        }
      },
      shown: { Workspace: { cloud_provider_name: NOT_UPDATED, cloud_provider_short_id: NOT_UPDATED } },
      gateway: {
        unknown_path: { status: 403, body: { message: 'Missing Authentication Token' } },
        key_as_bearer: {
          status: 401,
          body: {
            RequestID: '{{request_id}}',
            Error: true,
            Message: 'Could not authenticate the token from the header',
            ErrorDetails: [{ Type: 'Unauthorized', FieldName: '', Reason: '' }],
            Result: null
          }
        }
      },
      // Only two refusals were observed; the others are assumed to be similar.
      errors: {
        notFound: {
          status: 500,
          type: 'Internal-Error',
          bare: true,
          operations: { getWorkspace: { message: 'Failed to get workspace' } }
        },
        notAllowed: {
          status: 500,
          type: 'Internal-Error',
          bare: true,
          operations: { resumeWorkspace: { message: 'Failed to resume workspace: {{message}}' } }
        }
      }
    }
  }
}
