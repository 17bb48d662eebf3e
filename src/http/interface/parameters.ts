import type { PathParameter } from '../operation.js'

// Path parameters, with ids of the demo data as examples.

export const parameter = (description: string, example: string): PathParameter => ({ description, examples: [example] })

export const ofWorkgroup = (id = 'demo') => ({ workgroupID: parameter('Id of the workgroup.', id) })

/** For paths without the workgroup. */
export const ofWorkspaceAlone = (id = 'main') => ({ workspaceID: parameter('Id of the workspace.', id) })

export const ofWorkspace = (id?: string) => ({ ...ofWorkgroup(), ...ofWorkspaceAlone(id) })

export const ofDatabase = (id = 'shop') => ({ ...ofWorkgroup(), databaseID: parameter('Id of the database.', id) })
