import { setImmediate } from 'node:timers/promises';
import { isSealedField } from '@coffer/domain';
import { z } from 'zod';
import type { CreateDocumentOptions, oas31, ZodOpenApiOperationObject, ZodOpenApiPathsObject } from 'zod-openapi';
import {
  ANYONE,
  inputFields,
  operationsOf,
  pathParameters,
  permissionsOf,
  type CallerKind,
  type Meta,
  type Needs,
  type Operation,
  type RouterLike,
} from './kernel/index.ts';
import { errors, hasEtag, responsesOf } from './openapi-errors.ts';
import { exampleOf } from './openapi-example.ts';
import { tagGroupsOf } from './openapi-groups.ts';
import { addPlans } from './openapi-plan.ts';

export type OpenApiDocument = oas31.OpenAPIObject;

export interface OpenApiInfo {
  readonly version: string;
  /** Where the API is reached, without a slash at the end. */
  readonly serverUrl: string;
}

/** Number of operations described per turn of the event loop. */
const SLICE = 25;

/**
 * The OpenAPI 3.1 document of a router's REST operations, including aliases. It takes a second of work and megabytes of
 * garbage: build it once, on demand, and keep its text.
 *
 * It is built with zod-openapi, like trpc-to-openapi's own generator, which supports neither bodies of DELETE nor
 * aliases, and rejects queries with lists.
 */
export async function openApiDocument(
  router: RouterLike,
  { version, serverUrl }: OpenApiInfo,
): Promise<OpenApiDocument> {
  const { createDocument } = await import('zod-openapi');
  const info = {
    title: 'Coffer',
    version,
    description: DESCRIPTION,
    license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
  };
  const operations = operationsOf(router);
  const paths: Record<string, oas31.PathItemObject> = {};
  const schemas: Record<string, oas31.SchemaObject | oas31.ReferenceObject> = { ...errors.schemas };
  for (let at = 0; at < operations.length; at += SLICE) {
    const slice = createDocument({ openapi: '3.1.0', info, paths: pathsOf(operations.slice(at, at + SLICE)) }, SCHEMAS);
    const named = withOwnNames(slice, `Schema${at / SLICE}_`);
    for (const [path, item] of Object.entries(named.paths ?? {})) Object.assign((paths[path] ??= {}), item);
    Object.assign(schemas, named.components?.schemas);
    await setImmediate();
  }
  const tags = [...new Set(operations.flatMap(tagsOf))].toSorted();
  const document: OpenApiDocument = {
    openapi: '3.1.0',
    info,
    servers: [{ url: serverUrl }],
    tags: tags.map((name) => ({ name })),
    'x-tagGroups': tagGroupsOf(tags),
    security: [{ bearer: [] }, { apiKey: [] }],
    paths,
    components: {
      schemas,
      responses: errors.responses,
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'The access token of a user or a machine identity' },
        apiKey: {
          type: 'apiKey',
          in: 'header',
          name: 'X-API-Key',
          description: 'An API key of a user, for one organization',
        },
      },
    },
  };
  addPlans(document, operations);
  addExamples(document);
  return document;
}

const DESCRIPTION =
  'Secrets, machine identities, certificates, SSH access and keys. Times are in ISO 8601, UTC. All errors have the same shape.';

function pathsOf(operations: readonly Operation[]): ZodOpenApiPathsObject {
  const paths: ZodOpenApiPathsObject = {};
  for (const operation of operations) {
    const item = (paths[operation.url] ??= {});
    item[operation.method.toLowerCase() as 'get'] = describe(operation);
  }
  return paths;
}

/** Schemas that hold themselves get names, which are the same in each slice. */
const withOwnNames = (slice: OpenApiDocument, prefix: string): OpenApiDocument =>
  JSON.parse(JSON.stringify(slice).replaceAll(/__schema(?=\d)/g, prefix)) as OpenApiDocument;

function describe(operation: Operation): ZodOpenApiOperationObject {
  const { path, alias, meta, procedure } = operation;
  const { summary, deprecated } = meta.openapi ?? {};
  const isTagged = hasEtag(operation);
  const output = procedure._def.output ?? z.unknown();
  return {
    operationId: path.replaceAll('.', '_') + (alias > 0 ? `_${alias + 1}` : ''),
    ...(summary && { summary }),
    description: explain(operation),
    tags: tagsOf(operation),
    ...(deprecated && { deprecated }),
    security: securityOf(meta),
    'x-coffer-permission':
      permissionsOf(meta.needs)
        .map(({ key }) => key)
        .join(' or ') ||
      (meta.needs ?? 'public'),
    'x-coffer-client': `${path}.${VERBS[procedure._def.type as keyof typeof VERBS]}`,
    ...requestOf(operation),
    responses: {
      200: {
        description: 'Success',
        ...(isTagged && { headers: { etag: { description: 'For `If-None-Match`', schema: { type: 'string' } } } }),
        content: meta.rest?.events
          ? { 'text/event-stream': { schema: meta.rest.events } }
          : meta.rest?.answers
            ? Object.fromEntries(meta.rest.answers.map((type) => [type, { schema: OCTETS }]))
            : { 'application/json': { schema: output } },
      },
      ...(isTagged && { 304: { description: 'Not modified since the `ETag` that was sent' } }),
      ...responsesOf(operation),
    },
  };
}

/** How the client calls a procedure: `coffer.secrets.create.mutate(…)`. */
const VERBS = { query: 'query', mutation: 'mutate', subscription: 'subscribe' } as const;

const OCTETS: oas31.SchemaObject = { type: 'string', format: 'binary' };

/** Path, then query for a GET and body for all other methods, including DELETE. */
function requestOf({
  method,
  url,
  procedure,
  meta,
}: Operation): Pick<ZodOpenApiOperationObject, 'requestParams' | 'requestBody' | 'parameters'> {
  const inPath = new Set(pathParameters(url));
  const fields = Object.entries(inputFields(procedure));
  const object = (isWanted: (name: string) => boolean) =>
    z.object(Object.fromEntries(fields.filter(([name]) => isWanted(name))));
  const path = object((name) => inPath.has(name));
  const rest = object((name) => !inPath.has(name));
  const hasRest = Object.keys(rest.shape).length > 0;
  const media = ['application/json', ...(meta.rest?.form ? ['application/x-www-form-urlencoded'] : [])];
  return {
    requestParams: { ...(inPath.size > 0 && { path }), ...(method === 'GET' && hasRest && { query: rest }) },
    ...(meta.rest?.etag && {
      parameters: [
        {
          name: 'if-none-match',
          in: 'header',
          description: 'The `ETag` of an earlier response',
          schema: { type: 'string' },
        },
      ],
    }),
    ...(method !== 'GET' &&
      hasRest && {
        requestBody: {
          required: !rest.safeParse({}).success,
          content: {
            ...Object.fromEntries(media.map((type) => [type, { schema: rest }])),
            ...(meta.rest?.takes && { [meta.rest.takes.type]: { schema: OCTETS } }),
          },
        },
      }),
  };
}

function securityOf({ needs: what, rest: options }: Meta): Record<string, string[]>[] {
  if (what === 'public') return [];
  const takesApiKey = (options?.actors ?? ANYONE).includes('apiKey');
  return takesApiKey ? [{ bearer: [] }, { apiKey: [] }] : [{ bearer: [] }];
}

function explain({ alias, meta, url }: Operation): string {
  const { description, aliases = [], actors, strictlyLimited, limitsRefusals, takesCredential } = meta.rest ?? {};
  const isPublic = meta.needs === 'public';
  const others = [meta.openapi?.path ?? url, ...aliases].filter((other) => other !== url);
  return [
    description,
    needs(meta.needs ?? 'public', actors),
    strictlyLimited && `Strictly rate limited per ${isPublic ? 'address' : 'caller and address'}.`,
    limitsRefusals && 'Failed attempts are rate limited per address and subject; successful ones are not.',
    takesCredential && 'Rejected credentials are rate limited per address, together with rejected tokens.',
    alias > 0 && `The same as \`${others[0]}\`.`,
    alias === 0 && others.length > 0 && `Also at ${others.map((other) => `\`${other}\``).join(', ')}.`,
  ]
    .filter(Boolean)
    .join('\n\n');
}

function needs(what: Needs, actors: readonly CallerKind[] | undefined): string {
  if (what === 'public') return 'Needs no token.';
  const who = actors
    ? ` of ${actors
        .filter((actor) => actor !== 'apiKey')
        .map((actor) => (actor === 'identity' ? 'a machine identity' : `a ${actor}`))
        .join(' or ')}`
    : '';
  const without = actors?.includes('user') && !actors.includes('apiKey') ? ' Does not accept an API key.' : '';
  if (what === 'member') return `Needs a token${who}.${without}`;
  const rights = permissionsOf(what).map(
    ({ scope, action, subject }) => `the ${scope} permission \`${action}\` on \`${subject}\``,
  );
  return `Needs a token${who} with ${rights.join(', or ')}.${without}`;
}

/** Where no tags are given, the area that the procedure belongs to: `authMethods.…` and `authMethodsV1.…` → `Auth methods`. */
function tagsOf({ path, meta }: Operation): string[] {
  if (meta.openapi?.tags?.length) return meta.openapi.tags;
  const router = (path.split('.')[0] ?? path).replace(/(?:V\d|Legacy)$/, '');
  const area = router.replace(
    /([a-z0-9])([A-Z])/g,
    (_, before: string, after: string) => `${before} ${after.toLowerCase()}`,
  );
  return [area.charAt(0).toUpperCase() + area.slice(1)];
}

/** A schema without a JSON Schema form is documented as any value, instead of failing. */
const ANYTHING = { input: true, output: true } as const;

const SCHEMAS: CreateDocumentOptions = {
  allowEmptySchema: { custom: ANYTHING, transform: ANYTHING, pipe: ANYTHING, undefined: ANYTHING, void: ANYTHING },
  override({ zodSchema, jsonSchema, io }) {
    const { def } = zodSchema._zod;
    // The hint of OpenAPI's format registry to obscure what is entered.
    if (io === 'input' && isSealedField(zodSchema) && takesText(jsonSchema)) jsonSchema.format = 'password';
    if (def.type === 'date') jsonSchema.format = 'date-time';
    // zod omits defaults of text inputs, because they apply after parsing; for scalars the two are equal.
    if (def.type === 'default' && typeof def.defaultValue !== 'object')
      jsonSchema.default ??= def.defaultValue as string | number | boolean;
    // Responses may get further fields in later releases; clients must accept them.
    if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
  },
};

const takesText = ({ type, anyOf = [] }: { type?: unknown; anyOf?: readonly { type?: unknown }[] }): boolean =>
  [{ type }, ...anyOf].some((one) => one.type === 'string');

/** Bodies of requests that can be copied, and of answers to expect, made from the schemas and their examples. */
function addExamples(document: OpenApiDocument): void {
  for (const path of Object.values(document.paths ?? {})) {
    for (const operation of Object.values(path as Record<string, oas31.OperationObject>)) {
      const bodies = [operation.requestBody, operation.responses?.['200']] as Partial<oas31.RequestBodyObject>[];
      for (const media of bodies.flatMap((body) => Object.values(body?.content ?? {})))
        if (media.schema && (media.schema as oas31.SchemaObject).format !== 'binary')
          media.example ??= exampleOf(media.schema, document);
    }
  }
}
