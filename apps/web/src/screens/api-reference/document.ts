import { queryOptions } from '@tanstack/react-query';
import type { JsonSchema } from '../../ui/schema-form/schema.ts';
import { texts } from './texts.ts';

/** A schema of the document, or a reference to one that has a name. */
export interface Schema extends Omit<JsonSchema, 'items' | 'properties' | 'additionalProperties' | 'anyOf' | 'oneOf'> {
  readonly $ref?: string;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema | boolean;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
}

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly description?: string;
  readonly schema?: Schema;
}

type Content = Readonly<Record<string, { readonly schema?: Schema; readonly example?: unknown }>>;

interface Response {
  readonly $ref?: string;
  readonly description?: string;
  readonly content?: Content;
}

/** An operation as the document has it. */
interface Described {
  readonly operationId: string;
  readonly summary?: string;
  readonly description?: string;
  readonly deprecated?: boolean;
  readonly tags?: readonly string[];
  readonly security?: readonly object[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly required?: boolean; readonly content: Content };
  readonly responses: Readonly<Record<string, Response>>;
  /** Its name in the client: `secrets.create.mutate`. */
  readonly 'x-coffer-client': string;
}

export interface Operation extends Described {
  readonly method: string;
  readonly path: string;
  readonly area: string;
  /** What the search looks at, in lower case. */
  readonly words: string;
}

interface Document {
  readonly info: { readonly version: string; readonly description: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
  readonly 'x-tagGroups': readonly { readonly name: string; readonly tags: readonly string[] }[];
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    /** The errors that many operations have. */
    readonly responses: Readonly<Record<string, Response>>;
  };
}

/** The operations of one area, in the order of their paths. */
interface Area {
  readonly name: string;
  readonly operations: readonly Operation[];
}

export interface Reference {
  readonly version: string;
  readonly lead: string;
  /** By what they are used for. */
  readonly groups: readonly { readonly name: string; readonly areas: readonly Area[] }[];
  readonly operations: ReadonlyMap<string, Operation>;
  readonly schemas: Readonly<Record<string, Schema>>;
  readonly responses: Readonly<Record<string, Response>>;
}

/** The OpenAPI document, ready to be read. It is large: it is kept while somebody reads it. */
export const reference = queryOptions({
  queryKey: ['api-reference'],
  queryFn: async ({ signal }): Promise<Reference> => {
    const response = await fetch('/api/docs/json', { signal });
    if (!response.ok) throw new Error(texts.descriptionOfApiAnswered(response.status));
    return referenceOf((await response.json()) as Document);
  },
  staleTime: Infinity,
  structuralSharing: false,
});

function referenceOf(document: Document): Reference {
  const all = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) => operationOf(path, method.toUpperCase(), described)),
  );
  const areas = Map.groupBy(all, ({ area }) => area);
  return {
    version: document.info.version,
    lead: document.info.description,
    groups: document['x-tagGroups'].map(({ name, tags }) => ({
      name,
      areas: tags.map((tag) => ({ name: tag, operations: (areas.get(tag) ?? []).toSorted(byPath) })),
    })),
    operations: new Map(all.map((one) => [one.operationId, one])),
    ...document.components,
  };
}

function operationOf(path: string, method: string, described: Described): Operation {
  const [area = texts.other] = described.tags ?? [];
  const { summary = '', operationId, 'x-coffer-client': call } = described;
  return {
    ...described,
    path,
    method,
    area,
    words: `${method} ${path} ${summary} ${operationId} ${call} ${area}`.toLowerCase(),
  };
}

/** What is deprecated comes last. */
const byPath = (a: Operation, b: Operation) =>
  Number(a.deprecated ?? false) - Number(b.deprecated ?? false) ||
  a.path.localeCompare(b.path) ||
  a.method.localeCompare(b.method);

/** The operations that have all words. */
export function search({ operations }: Reference, text: string): Operation[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return [...operations.values()].filter((one) => words.every((word) => one.words.includes(word))).toSorted(byPath);
}

/** What it takes as JSON, with an example. */
export const bodyOf = ({ requestBody }: Described) => requestBody?.content['application/json'];

/** What it answers as JSON. */
export const answerOf = ({ responses }: Described) => responses['200']?.content?.['application/json']?.schema;

/** What else it answers: the status, and when. */
export const othersOf = ({ responses: all }: Described, { responses }: Pick<Reference, 'responses'>) =>
  Object.entries(all)
    .filter(([status]) => status !== '200')
    .map(([status, { $ref = '', description = responses[$ref.split('/').at(-1)!]?.description ?? '' }]) => ({
      status,
      description,
    }));

export const needsToken = ({ security }: Described): boolean => security?.length !== 0;
