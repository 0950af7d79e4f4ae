import type { oas31 } from 'zod-openapi';

type Schema = oas31.SchemaObject;
type Inner = Schema | oas31.ReferenceObject;

const DEPTH = 6;
const TEXTS: Readonly<Record<string, string>> = {
  'date-time': '2030-01-01T00:00:00.000Z',
  email: 'someone@example.com',
  uri: 'https://example.com',
  uuid: '00000000-0000-4000-8000-000000000000',
  ipv4: '192.0.2.1',
};

/** A value that matches a schema, as far as possible: the required fields, with their examples. */
export function exampleOf(schema: Inner, document: oas31.OpenAPIObject, name = 'text', depth = 0): unknown {
  const known = (schema.$ref ? document.components?.schemas?.[schema.$ref.split('/').at(-1) ?? ''] : schema) as
    | Schema
    | undefined;
  if (!known || depth > DEPTH) return null;
  const given = known.examples?.[0] ?? known.default ?? known.const ?? known.enum?.[0];
  if (given !== undefined) return given;
  const inner = (one: Inner, called = name) => exampleOf(one, document, called, depth + 1);
  const choice = (known.anyOf ?? known.oneOf)?.find((one) => !('type' in one && one.type === 'null'));
  if (choice) return inner(choice);
  if (known.allOf) return Object.assign({}, ...known.allOf.map((one) => inner(one)));
  switch ([known.type].flat()[0]) {
    case 'object':
      return Object.fromEntries(
        (known.required ?? []).map((field) => [field, inner(known.properties?.[field] ?? {}, field)]),
      );
    case 'array':
      return known.items ? [inner(known.items, name.replace(/s$/, ''))] : [];
    case 'string':
      return textOf(known, name);
    case 'integer':
    case 'number':
      return known.minimum ?? 0;
    case 'boolean':
      return true;
    default:
      return null;
  }
}

function textOf({ format, minLength = 0, maxLength = Infinity }: Schema, name: string): string {
  const text = TEXTS[format ?? ''] ?? (/^id$|Id$/.test(name) ? TEXTS['uuid'] : undefined) ?? name;
  return text.padEnd(minLength, '-').slice(0, maxLength);
}
