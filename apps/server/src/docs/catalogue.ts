import type { OpenApiDocument } from '@coffer/api';

type Item = NonNullable<NonNullable<OpenApiDocument['paths']>[string]>;
export type OperationObject = NonNullable<Item['get']>;
type Named = NonNullable<NonNullable<OpenApiDocument['components']>['schemas']>[string];
/** A schema, or a reference (`$ref`). */
export type Schema = Extract<Named, { examples?: unknown }>;
export interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema?: Schema;
}

/** One operation of the document, with its location. */
export interface Entry {
  readonly method: string;
  readonly path: string;
  readonly area: string;
  readonly operation: OperationObject & { readonly operationId: string };
}

/** All operations by area, each area in the order of its paths. */
export function catalogueOf(document: OpenApiDocument): Map<string, Entry[]> {
  const entries = Object.entries(document.paths ?? {}).flatMap(([path, item]) =>
    Object.entries(item as Record<string, Entry['operation']>).map(([method, operation]): Entry => {
      const area = operation.tags?.[0] ?? 'Other';
      return { method: method.toUpperCase(), path, area, operation };
    }),
  );
  const areas = Map.groupBy(entries, ({ area }) => area);
  return new Map(
    [...areas].toSorted(([a], [b]) => a.localeCompare(b)).map(([area, list]) => [area, list.toSorted(byPath)]),
  );
}

const byPath = (a: Entry, b: Entry) => a.path.localeCompare(b.path) || a.method.localeCompare(b.method);

/** How an area is called in an address: `Auth methods` → `auth-methods`. */
export const areaSlug = (area: string): string => area.toLowerCase().replace(/[^a-z0-9]+/g, '-');
