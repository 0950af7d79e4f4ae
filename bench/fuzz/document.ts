import { operationsOf, appRouter, pathParameters } from '@coffer/api';

export type Schema = {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly examples?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
};

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly schema: Schema;
}

interface Described {
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
  readonly responses: Readonly<Record<string, Response>>;
  readonly security?: readonly unknown[];
}

interface Response {
  readonly $ref?: string;
  readonly content?: Readonly<Record<string, { readonly schema: Schema }>>;
}

export interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly responses: Readonly<Record<string, Response>>;
  };
}

/** A field of an operation's input, wherever it is sent. */
export interface Field {
  readonly name: string;
  readonly schema: Schema;
  readonly isRequired: boolean;
}

export interface Operation {
  readonly method: string;
  readonly url: string;
  /** Its tRPC name. */
  readonly procedure: string;
  readonly isMutation: boolean;
  readonly fields: readonly Field[];
  readonly inPath: ReadonlySet<string>;
  readonly described: Described;
  readonly isPublic: boolean;
}

/** The operations that a server documents, with the names by which typed clients call them. */
export function operationsIn(document: Document): Operation[] {
  return operationsOf(appRouter).map(({ method, url, path, procedure }) => {
    const described = document.paths[url]?.[method.toLowerCase()];
    if (!described) throw new Error(`The OpenAPI document has no ${method} ${url}`);
    const body = described.requestBody?.content['application/json']?.schema;
    const required = new Set(body?.required);
    return {
      method,
      url,
      procedure: path,
      isMutation: procedure._def.type === 'mutation',
      fields: [
        ...(described.parameters ?? [])
          .filter((one) => one.in !== 'header')
          .map(({ name, schema, required: isRequired = false }) => ({ name, schema, isRequired })),
        ...Object.entries(body?.properties ?? {}).map(([name, schema]) => ({
          name,
          schema,
          isRequired: required.has(name),
        })),
      ],
      inPath: new Set(pathParameters(url)),
      described,
      isPublic: described.security?.length === 0,
    };
  });
}
