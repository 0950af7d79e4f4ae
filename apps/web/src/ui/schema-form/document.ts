import { queryOptions } from '@tanstack/react-query';
import type { JsonSchema, ShapeOf } from './schema.ts';
import { shapeOf } from './schema.ts';
import { texts } from './texts.ts';

interface Operation {
  readonly operationId?: string;
  readonly requestBody?: { readonly content?: Readonly<Record<string, { readonly schema?: JsonSchema }>> };
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

/**
 * What the operations take, by their names: `postgresConnections_create`. The document is large: it is loaded when a form is
 * first opened, and only this is kept of it.
 */
export const inputSchemas = queryOptions({
  queryKey: ['openapi'],
  queryFn: async ({ signal }): Promise<ReadonlyMap<string, JsonSchema>> => {
    const response = await fetch('/api/docs/json', { signal });
    if (!response.ok) throw new Error(texts.descriptionOfApiAnswered(response.status));
    return schemasIn((await response.json()) as Document);
  },
  staleTime: Infinity,
  gcTime: Infinity,
  retry: 1,
  structuralSharing: false,
});

function schemasIn({ paths }: Document): ReadonlyMap<string, JsonSchema> {
  const found = new Map<string, JsonSchema>();
  for (const { operationId, requestBody } of Object.values(paths).flatMap((methods) => Object.values(methods))) {
    const schema = requestBody?.content?.['application/json']?.schema;
    if (operationId && schema) found.set(operationId, schema);
  }
  return found;
}

/** How the input of a procedure is entered; `undefined` for one that takes nothing. */
export function shapeOfInput(
  schemas: ReadonlyMap<string, JsonSchema>,
  area: string,
  procedure: string,
): ShapeOf<'object'> | undefined {
  const schema = schemas.get(`${area}_${procedure}`);
  const shape = schema && shapeOf(schema);
  return shape?.kind === 'object' ? shape : undefined;
}
