import type { PathParameter } from '../operation.js'

// The parameters of paths, with ids of the demo data as examples: that of what most operations work on, or another one.

export const parameter = (description: string, example: string): PathParameter => ({ description, examples: [example] })

export const ofWorkgroup = (id = 'demo') => ({ workgroupID: parameter('Id of the workgroup.', id) })

/** For paths that do not name its workgroup. */
export const ofWorkspaceAlone = (id = 'main') => ({ workspaceID: parameter('Id of the workspace.', id) })

export const ofWorkspace = (id?: string) => ({ ...ofWorkgroup(), ...ofWorkspaceAlone(id) })

export const ofDatabase = (id = 'shop') => ({ ...ofWorkgroup(), databaseID: parameter('Id of the database.', id) })
