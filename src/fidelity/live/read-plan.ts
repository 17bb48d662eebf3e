import { schemaErrors } from '../../interface/check.js'
import { DocumentError, MOST_BY_HAND, parseDocument } from '../../interface/document-file.js'
import { planProblem, unknownOperation } from './check-plan.js'
import { type Plan, PlanSchema } from './plan.js'
import { PlanError } from './plan-error.js'

/**
 * Reads a plan in YAML or JSON.
 * @throws {PlanError} if it is none
 */
export async function readPlan(text: string): Promise<Plan> {
  const { document, placeOf } = await parseDocument(text, { most: MOST_BY_HAND }).catch((error: unknown) => {
    throw error instanceof DocumentError ? new PlanError(error.message, { cause: error }) : error
  })
  const refuse = (message: string, path: readonly string[]) => {
    throw new PlanError(`${message} (${placeOf(path)!})`)
  }
  const unknown = unknownOperation(document)
  if (unknown !== undefined) refuse(unknown.message, unknown.path)
  const [error] = schemaErrors(PlanSchema, document)
  if (error !== undefined) refuse(`${error.field} ${error.reason}`, error.field.split('.'))
  const problem = planProblem(document as Plan)
  if (problem !== undefined) refuse(problem.message, problem.path)
  return document as Plan
}
