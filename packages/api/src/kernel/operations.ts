import type { z } from 'zod';
import type { Meta } from './meta.ts';

export type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';

/** The parts of a tRPC procedure that the adapters need. */
export interface ProcedureLike {
  (options: object): Promise<unknown>;
  readonly _def: {
    readonly type: string;
    readonly meta?: Meta;
    readonly inputs?: readonly z.ZodType[];
    readonly output?: z.ZodType;
    readonly middlewares: readonly { readonly _type?: string }[];
    /** The function that does the work. */
    readonly resolver: (options: object) => Promise<unknown>;
  };
}

/** A router whose procedures can be listed. */
export interface RouterLike {
  readonly _def: { readonly procedures: object };
}

/** One REST path of a procedure. */
export interface Operation {
  /** The procedure's name: `tags.create`. */
  readonly path: string;
  readonly method: Method;
  /** With its parameters in braces: `/api/v1/tags/{tagId}`. */
  readonly url: string;
  /** 0 for the procedure's own path, 1 for its first alias, … */
  readonly alias: number;
  readonly procedure: ProcedureLike;
  readonly meta: Meta;
}

export const proceduresOf = (router: RouterLike): [path: string, procedure: ProcedureLike][] =>
  Object.entries(router._def.procedures as Record<string, ProcedureLike>);

/** Every REST operation of a router: one for each procedure with metadata, and one for each of its aliases. */
export function operationsOf(router: RouterLike): Operation[] {
  return proceduresOf(router).flatMap(([path, procedure]) => {
    const { meta } = procedure._def;
    if (!meta?.openapi || meta.openapi.enabled === false) return [];
    const { method } = meta.openapi;
    const urls = [meta.openapi.path, ...(meta.rest?.aliases ?? [])];
    return urls.map((url, alias) => ({ path, method, url, alias, procedure, meta }));
  });
}

/** The names of the parameters in a path. */
export const pathParameters = (url: string): string[] =>
  Array.from(url.matchAll(/\{(.+?)\}/g), ([, name]) => name ?? '');

/** The input fields of an operation, by name: its input is an object, possibly refined or transformed. */
export function inputFields({ _def: { inputs = [] } }: ProcedureLike): Readonly<Record<string, z.ZodType>> {
  return Object.assign({}, ...inputs.map((schema) => objectOf(schema)?.shape ?? {})) as Record<string, z.ZodType>;
}

interface ObjectLike {
  readonly shape: Readonly<Record<string, z.ZodType>>;
}

/** The object at the heart of a schema: `z.object().transform()` is a pipe whose input it is. */
function objectOf(schema: z.ZodType): ObjectLike | undefined {
  const { def } = schema as unknown as {
    def: { type: string; in?: z.ZodType; out?: z.ZodType; innerType?: z.ZodType };
  };
  switch (def.type) {
    case 'object':
      return schema as unknown as ObjectLike;
    case 'pipe':
      return (def.in && objectOf(def.in)) ?? (def.out && objectOf(def.out));
    case 'optional':
    case 'default':
    case 'prefault':
    case 'readonly':
    case 'nullable':
      return def.innerType && objectOf(def.innerType);
    default:
      return undefined;
  }
}
