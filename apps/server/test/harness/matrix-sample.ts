import { exampleOf, inputFields, pathParameters, type OpenApiDocument, type Operation } from '@coffer/api';
import { thingOf, type Thing } from './matrix-world.ts';

/** Fields whose examples must match existing resources. */
export const FITTING: Readonly<Record<string, unknown>> = {
  environment: 'dev',
  environmentSlug: 'dev',
  sourceEnvironment: 'dev',
  destinationEnvironment: 'staging',
  secretPath: '/',
  sourceSecretPath: '/',
  destinationSecretPath: '/',
  path: '/',
  role: 'member',
  roles: [{ role: 'member', isTemporary: false }],
  permissions: [],
  scopes: [{ environment: 'dev', secretPath: '/**' }],
  import: { environment: 'prod', path: '/' },
  ocspRequest: 'MAA=',
  app: 'github',
  destination: 'github',
  rotationType: 'postgres-credentials',
};

/** The same where a path has another value. */
const fittingAt = (url: string, field: string): unknown =>
  field === 'destination' && url.includes('/cert-manager/syncs/') ? 'aws-certificate-manager' : FITTING[field];

/** Fields that are sent wherever they may be: without them nothing is named. */
const NAMING: ReadonlySet<string> = new Set(['environment']);

type Schema = Parameters<typeof exampleOf>[0] & { type?: unknown };

/** The input of one operation: an example of each required field and of each that names something. */
export class Sample {
  readonly operation: Operation;
  /** The fields that name resources. */
  readonly things: ReadonlyMap<string, Thing>;
  readonly #schemas: ReadonlyMap<string, Schema>;
  readonly #required: ReadonlySet<string>;
  readonly #document: OpenApiDocument;

  constructor(operation: Operation, document: OpenApiDocument) {
    const { url, method, procedure } = operation;
    const described = document.paths?.[url]?.[method.toLowerCase() as 'get'];
    const parameters = (described?.parameters ?? []) as {
      name: string;
      in: string;
      required?: boolean;
      schema: Schema;
    }[];
    const media = (described?.requestBody as { content?: Record<string, { schema?: Schema }> } | undefined)?.content?.[
      'application/json'
    ];
    const body = (media?.schema ?? {}) as { properties?: Record<string, Schema>; required?: string[] };
    this.operation = operation;
    this.#document = document;
    this.#schemas = new Map([
      ...parameters.filter((one) => one.in !== 'header').map(({ name, schema }) => [name, schema] as const),
      ...Object.entries(body.properties ?? {}),
    ]);
    this.#required = new Set([
      ...parameters.filter((one) => one.required).map(({ name }) => name),
      ...(body.required ?? []),
    ]);
    this.things = new Map(
      Object.keys(inputFields(procedure)).flatMap((field) => {
        const thing = thingOf(url, field);
        return thing ? [[field, thing] as const] : [];
      }),
    );
  }

  /** Path parameters that neither name a resource nor are free text. */
  unknownParameters(): string[] {
    return pathParameters(this.operation.url).filter((name) => !this.things.has(name) && !(name in FITTING));
  }

  get fields(): readonly string[] {
    return [...this.#schemas.keys()];
  }

  schemaOf(field: string): Schema {
    return this.#schemas.get(field)!;
  }

  /** An input with the given resources. */
  input(valueOf: (thing: Thing) => string): Record<string, unknown> {
    const input: Record<string, unknown> = {};
    for (const [field, schema] of this.#schemas) {
      const thing = this.things.get(field);
      if (thing) input[field] = schema.type === 'array' ? [valueOf(thing)] : valueOf(thing);
      else if (this.#required.has(field) || NAMING.has(field))
        input[field] = fittingAt(this.operation.url, field) ?? exampleOf(schema, this.#document, field);
    }
    return input;
  }

  /**
   * Changes of that input: each field that may be left out, and each value that one is limited to, also within the objects of a
   * field; and without each field that names something and may be left out.
   */
  variants(): Record<string, unknown>[] {
    return [...this.#schemas].flatMap(([field, schema]): Record<string, unknown>[] => {
      if (this.things.has(field)) return this.#required.has(field) ? [] : [{ [field]: undefined }];
      const fitting = fittingAt(this.operation.url, field);
      const values = fitting === undefined ? valuesOf(schema, this.#document, field) : [fitting];
      return values.map((value) => ({ [field]: value }));
    });
  }

  /** The same as a request. */
  request(input: Readonly<Record<string, unknown>>): { url: string; body: object | undefined } {
    const { method, url } = this.operation;
    const inPath = new Set(pathParameters(url));
    const rest = Object.entries(input).filter(([name, value]) => !inPath.has(name) && value !== undefined);
    const path = url.replace(/\{(.+?)\}/g, (_, name: string) => encodeURIComponent(String(input[name])));
    if (method !== 'GET') return { url: path, body: rest.length > 0 ? Object.fromEntries(rest) : undefined };
    const query = new URLSearchParams();
    for (const [name, value] of rest)
      for (const one of [value].flat()) query.append(name, typeof one === 'string' ? one : JSON.stringify(one));
    return { url: query.size > 0 ? `${path}?${query.toString()}` : path, body: undefined };
  }
}

interface Described {
  readonly $ref?: string;
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
}

/** Texts that may refer to others. */
const REFERRING: ReadonlySet<string> = new Set(['secretValue']);
const REFERENCE = '${OTHER}';

const valueOf = (schema: Schema, document: OpenApiDocument, name: string): unknown =>
  REFERRING.has(name) ? REFERENCE : exampleOf(schema, document, name);

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Values of a field: an example, all to which it is limited, and its objects with each field that may be left out. */
function valuesOf(given: Schema, document: OpenApiDocument, name: string): unknown[] {
  const reference = (given as Described).$ref?.split('/').at(-1);
  const schema = (reference ? document.components?.schemas?.[reference] : given) as Described | undefined;
  if (schema?.enum) return [...schema.enum];
  const example = valueOf(given, document, name);
  const { items, properties = {} } = schema ?? {};
  if (items && isObject(exampleOf(items, document, name)))
    return [example, ...valuesOf(items, document, name).map((item) => [item])];
  if (!isObject(example)) return [example];
  const more = Object.entries(properties).filter(([field]) => !(field in example) || REFERRING.has(field));
  return [example, ...more.map(([field, one]) => ({ ...example, [field]: valueOf(one, document, field) }))];
}
