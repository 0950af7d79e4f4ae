import { describe, expect, it } from 'vitest';
import { shapeOf, type JsonSchema, type ShapeOf } from './schema.ts';
import { changesOf, keepingSecrets, narrowed, sentOfObject, startOf, type Entered } from './value.ts';
import { labelOf, optionLabel } from './words.ts';

const objectOf = (schema: JsonSchema) => shapeOf(schema) as ShapeOf<'object'>;
const startOfForm = (shape: ShapeOf<'object'>, given?: object) => startOf(shape, given) as Entered;

const Connection = objectOf({
  type: 'object',
  properties: {
    name: { type: 'string', minLength: 1 },
    method: { type: 'string', enum: ['key', 'role'] },
    credentials: {
      anyOf: [
        {
          type: 'object',
          title: 'key',
          properties: { secret: { type: 'string', format: 'password' } },
          required: ['secret'],
        },
        {
          type: 'object',
          title: 'role',
          properties: { role: { type: 'string' }, port: { type: 'integer', default: 443, minimum: 1 } },
          required: ['role'],
        },
      ],
    },
    description: { anyOf: [{ type: 'string' }, { type: 'null' }] },
    gatewayId: { type: 'null' },
    tags: { type: 'array', items: { type: 'string' } },
  },
  required: ['name', 'method', 'credentials'],
});

describe('the fields of a schema', () => {
  it('has a masked field for a secret, and a union that follows the choice beside it', () => {
    const credentials = Connection.members.find(({ name }) => name === 'credentials')?.shape;
    expect(credentials).toMatchObject({ kind: 'union', by: undefined, follows: 'method' });
    expect(credentials).toMatchObject({
      variants: [
        { name: 'key', shape: { members: [{ name: 'secret', shape: { kind: 'text', isSecret: true } }] } },
        {},
      ],
    });
  });

  it('knows the variants of a union by their constants', () => {
    const union = shapeOf({
      oneOf: [
        { type: 'object', title: 'By URL', properties: { type: { const: 'url' }, url: { type: 'string' } } },
        { type: 'object', properties: { type: { const: 'manual' } } },
      ],
    });
    expect(union).toMatchObject({
      kind: 'union',
      by: 'type',
      variants: [{ name: 'url', title: 'By URL' }, { name: 'manual' }],
    });
    expect(startOf(union)).toEqual({ type: 'url', url: '' });
    expect(startOf(union, { type: 'manual' })).toEqual({ type: 'manual' });
  });

  it('takes a text or nothing, a text or the empty one, and null in a list of types as one field', () => {
    expect(shapeOf({ anyOf: [{ type: 'string' }, { type: 'null' }] })).toMatchObject({
      kind: 'text',
      isNullable: true,
    });
    expect(shapeOf({ anyOf: [{ const: '', type: 'string' }, { type: 'string' }] })).toMatchObject({ kind: 'text' });
    expect(shapeOf({ type: ['boolean', 'null'] })).toMatchObject({ kind: 'flag', isNullable: true });
  });
});

describe('what is sent', () => {
  it('leaves out what was not entered, and what can have one value only', () => {
    const start = startOfForm(Connection);
    expect(
      sentOfObject(Connection, { ...start, name: 'a', method: 'role', credentials: { role: 'r', port: 8443 } }),
    ).toEqual({
      name: 'a',
      method: 'role',
      credentials: { role: 'r', port: 8443 },
    });
  });

  it('begins with defaults, and with what is offered only', () => {
    const offered = narrowed(Connection, { method: ['role'] });
    const start = startOfForm(offered);
    expect(start).toMatchObject({ method: 'role', credentials: { role: '', port: 443 } });
    expect(sentOfObject(offered, { ...start, name: 'a' })).toMatchObject({ method: 'role' });
  });

  it('has an empty text where another one would be assumed, and null where only that is nothing', () => {
    const shape = objectOf({
      type: 'object',
      properties: {
        scope: { type: 'string', default: 'all' },
        note: { anyOf: [{ type: 'string' }, { type: 'null' }] },
        names: { type: 'string' },
      },
      required: ['note', 'names'],
    });
    expect(sentOfObject(shape, { scope: '', note: '', names: '' })).toEqual({ scope: '', note: null, names: '' });
  });

  it('has maps as they are, and lists without empty items', () => {
    const shape = objectOf({
      type: 'object',
      properties: {
        claims: { type: 'object', additionalProperties: { type: 'string' } },
        roles: { type: 'array', minItems: 1, items: { type: 'string' } },
      },
      required: ['roles', 'claims'],
    });
    expect(startOf(shape)).toEqual({ claims: [], roles: [''] });
    expect(startOf(shape, { claims: { sub: 'me' } })).toMatchObject({ claims: [['sub', 'me']] });
    expect(
      sentOfObject(shape, {
        claims: [
          ['sub', 'me'],
          ['', 'x'],
        ],
        roles: ['a', ''],
      }),
    ).toEqual({
      claims: { sub: 'me' },
      roles: ['a'],
    });
  });
});

describe('an update', () => {
  const shape = keepingSecrets(Connection);
  const current = { name: 'a', method: 'key', credentials: {}, description: 'old', tags: ['x'] };
  const before = sentOfObject(shape, startOfForm(shape, current));

  it('sends nothing of what is the same, and no secret that was not entered', () => {
    expect(changesOf(before, sentOfObject(shape, startOfForm(shape, current)))).toEqual({});
  });

  it('sends what differs, and null for what was removed', () => {
    const entered = { ...startOfForm(shape, current), description: '', credentials: { secret: 's3' } };
    expect(changesOf(before, sentOfObject(shape, entered), ['credentials'])).toEqual({
      description: null,
      credentials: { secret: 's3' },
    });
  });
});

describe('labels', () => {
  it.each([
    ['sslRejectUnauthorized', 'SSL reject unauthorized'],
    ['access-key', 'Access key'],
    ['defaultTTL', 'Default TTL'],
    ['accessKeyId', 'Access key ID'],
    ['policyArns', 'Policy ARNs'],
    ['isForced', 'Forced'],
  ])('of %s is %s', (name, label) => expect(labelOf(name)).toBe(label));

  it('leave values alone that are no words', () => {
    expect(optionLabel('overwrite-destination')).toBe('Overwrite destination');
    expect(optionLabel('mysql2')).toBe('mysql2');
  });
});
