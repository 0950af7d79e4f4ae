import { Plan } from '@coffer/domain';
import { z } from 'zod';
import type { oas31 } from 'zod-openapi';
import { DRY_RUN, type Operation } from './kernel/index.ts';

const PLAN = { $ref: '#/components/schemas/PlanAnswer' };

const parameter: oas31.ParameterObject = {
  name: DRY_RUN,
  in: 'query',
  description:
    'If true, nothing is changed and the response is the `plan`: who would gain or lose which rights. Also accepted in the body.',
  schema: { type: 'boolean', default: false },
};

/** Describes `dryRun` and its answer, at the operations that have plans. */
export function addPlans(document: oas31.OpenAPIObject, operations: readonly Operation[]): void {
  for (const { url, method, meta } of operations) {
    if (!meta.rest?.plannable) continue;
    const operation = document.paths?.[url]?.[method.toLowerCase() as 'post'];
    const media = (operation?.responses?.['200'] as oas31.ResponseObject | undefined)?.content?.['application/json'];
    if (!operation || !media?.schema) throw new Error(`${method} ${url} has no response to describe`);
    operation.parameters = [...(operation.parameters ?? []), parameter];
    media.schema = { anyOf: [media.schema, PLAN] };
  }
  Object.assign(((document.components ??= {}).schemas ??= {}), { PlanAnswer: answer() });
}

const answer = (): oas31.SchemaObject => ({
  ...(z.toJSONSchema(z.object({ plan: Plan }), {
    io: 'output',
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      if (zodSchema._zod.def.type === 'date') Object.assign(jsonSchema, { type: 'string', format: 'date-time' });
      delete jsonSchema.additionalProperties;
    },
  }) as oas31.SchemaObject),
  description: 'The response to `dryRun`',
});
