import { Type } from '@sinclair/typebox'
import { appliesTo, type Contract, RETRIES } from '../explore/contract.js'
import { PLAN_NAMES } from '../explore/plans.js'
import { schemaErrors } from '../interface/check.js'
import { describeErrors } from '../interface/describe-errors.js'
import { DocumentError, MOST_BY_HAND, readDocumentFile } from '../interface/document-file.js'
import { invalidBody } from '../interface/errors.js'
import { OPERATION_IDS, operationProblem } from '../interface/operation-ids.js'
import { enumeration } from '../interface/schemas.js'
import { closed } from '../lib/closed.js'
import { UsageError } from './usage.js'

const ContractSchema = closed({
  contract: Type.Literal(1, { description: 'Version of the format.' }),
  name: Type.Optional(Type.String({ maxLength: 256 })),
  rules: Type.Array(
    closed({
      operations: Type.Optional(
        Type.Array(Type.String(), {
          minItems: 1,
          maxItems: 100,
          description: 'operationIds, or beginnings followed by *.'
        })
      ),
      on: Type.Array(enumeration(PLAN_NAMES, 'A kind of plan.'), { minItems: 1, maxItems: 100 }),
      retry: enumeration(RETRIES, 'Whether the client must send the call again.')
    }),
    { minItems: 1, maxItems: 1000, description: 'The first rule for a call and a plan counts.' }
  )
})

/** Reads a contract in JSON or YAML. @throws {UsageError} listing all its errors */
export async function readContract(path: string): Promise<Contract> {
  const file = await readDocumentFile(path, { most: MOST_BY_HAND }).catch((error: unknown) => {
    throw error instanceof DocumentError ? new UsageError(`the contract ${path} ${error.message}`) : error
  })
  const { document } = file
  const malformed = schemaErrors(ContractSchema, document)
  const errors = malformed.length > 0 ? malformed : unknownIn(document as Contract)
  if (errors.length === 0) return document as Contract
  const problems = describeErrors(file, invalidBody(errors).details, { name: 'a contract', schema: ContractSchema })
  throw new UsageError(`the contract ${path} is not valid: ${problems}`)
}

type Errors = ReturnType<typeof schemaErrors>

/** Operations that do not exist. */
function unknownIn({ rules }: Contract): Errors {
  return rules.flatMap(({ operations = [] }, rule) =>
    operations.flatMap((name, index) =>
      OPERATION_IDS.some((id) => appliesTo({ operations: [name] }, id))
        ? []
        : [{ field: `rules.${rule}.operations.${index}`, reason: operationProblem(name.replace(/\*$/, ''))! }]
    )
  )
}
