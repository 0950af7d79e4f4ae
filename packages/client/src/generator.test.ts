import { describe, expect, it } from 'vitest';
import { contractOf } from '../scripts/contract.ts';
import { KnownObjects } from '../scripts/known-objects.ts';
import { NamedTypes } from '../scripts/named-types.ts';
import { comment, typeOf, type JsonSchema } from '../scripts/types.ts';

const at = { io: 'input', names: new Map([['#/$defs/a', 'Tree']]) } as const;
const text = { type: 'string' };
const nothing = { type: 'null' };

describe('typeOf', () => {
  it.each<[JsonSchema, string]>([
    [text, 'string'],
    [{ type: 'integer' }, 'number'],
    [{}, 'unknown'],
    [{ not: {} }, 'never'],
    [{ const: 5 }, '5'],
    [{ enum: ['a', "it's", 'say "b"', 'c\n'] }, `'a' | 'it\\'s' | 'say "b"' | 'c\\n'`],
    [{ type: ['string', 'null'] }, 'string | null'],
    [{ anyOf: [nothing, text, text, { type: 'number' }] }, 'string | number | null'],
    [{ anyOf: [text, {}] }, 'unknown'],
    [{ allOf: [{ anyOf: [text, nothing] }, text] }, '(string | null) & string'],
    [{ type: 'array', items: text }, 'string[]'],
    [{ type: 'array', items: { anyOf: [text, nothing] } }, '(string | null)[]'],
    [{ type: 'array', items: { anyOf: [text, text] } }, 'string[]'],
    [{ type: 'array', prefixItems: [text, nothing], items: text }, '[string, null, ...string[]]'],
    [{ $ref: '#/$defs/a' }, 'Tree'],
    [{ type: 'object', additionalProperties: text }, 'Record<string, string>'],
    [
      { type: 'object', propertyNames: { enum: ['a', 'b'] }, additionalProperties: text },
      `Partial<Record<'a' | 'b', string>>`,
    ],
    [{ type: 'object', properties: {}, additionalProperties: false }, 'Record<string, never>'],
    [{ type: 'object', properties: { a: text, 'b-c': text }, required: ['a'] }, `{ a: string; 'b-c'?: string }`],
    [
      { type: 'object', properties: { a: text }, required: ['a'], additionalProperties: {} },
      '{ a: string } & Record<string, unknown>',
    ],
  ])('writes %j as %s', (schema, type) => {
    expect(typeOf(schema, at)).toBe(type);
  });

  it('omits the text forms that only query strings need', () => {
    const flag = { anyOf: [{ type: 'boolean' }, { type: 'string', enum: ['true', 'false'] }] };
    const count = { anyOf: [{ type: 'number' }, { type: 'string', pattern: '^-?\\d{1,15}$' }] };
    expect([typeOf(flag, at), typeOf(count, at)]).toEqual(['boolean', 'number']);
    expect(typeOf({ anyOf: [{ type: 'number' }, text] }, at)).toBe('number | string');
  });

  it('documents the descriptions of fields, and the defaults of inputs', () => {
    const object = { type: 'object', properties: { a: { ...text, description: 'Ends a comment: */', default: 'x' } } };
    expect(typeOf(object, at)).toBe("{ /** Ends a comment: *\\/ (default: `'x'`) */ a?: string }");
    expect(typeOf(object, { ...at, io: 'output' })).toBe('{ /** Ends a comment: *\\/ */ a?: string }');
    const two = { type: 'object', properties: { ...object.properties, b: { ...text, description: 'x' } } };
    expect(typeOf(two, { ...at, io: 'output' })).toBe(
      '{\n  /** Ends a comment: *\\/ */ a?: string;\n  /** x */ b?: string;\n}',
    );
    const long = { type: 'object', properties: { a: { ...object, description: 'x'.repeat(120) } } };
    expect(typeOf(long, { ...at, io: 'output' })).toBe(
      `{\n  /** ${'x'.repeat(120)} */\n  a?: { /** Ends a comment: *\\/ */ a?: string };\n}`,
    );
  });

  it('makes outputs of any type optional', () => {
    const object = { type: 'object', properties: { a: {} }, required: ['a'] };
    expect(typeOf(object, at)).toBe('{ a: unknown }');
    expect(typeOf(object, { ...at, io: 'output' })).toBe('{ a?: unknown }');
  });

  it('writes an object type with all fields of a named one as that one and the rest', () => {
    const fields = { a: text, b: text, c: { type: 'number' } };
    const required = ['a', 'b', 'c'];
    const named = { type: 'object', named: 'ThreeFieldsOfAnObjectTypeSettings', properties: fields, required };
    const known = new KnownObjects();
    known.note({ type: 'array', items: named }, 'input');
    const declared: string[] = [];
    const withKnown = { ...at, known, declare: (name: string) => (declared.push(name), name) };
    const larger = { type: 'object', properties: { ...fields, d: text }, required };
    expect(typeOf(larger, withKnown)).toBe('{ a: string; b: string; c: number } & { d?: string }');
    const documented = { ...named, properties: { ...fields, a: { ...text, description: 'x' } } };
    known.note(documented, 'input');
    const other = { type: 'object', properties: { ...documented.properties, d: text }, required: [...required, 'd'] };
    expect(typeOf(other, withKnown)).toBe('ThreeFieldsOfAnObjectTypeSettings & { d: string }');
    expect(declared).toEqual(['ThreeFieldsOfAnObjectTypeSettings']);
    // Fields of another type, or optional ones, are others; nothing is a part of itself.
    expect(typeOf({ ...other, required: ['a'] }, withKnown)).not.toContain('&');
    expect(typeOf(documented, withKnown)).toBe('ThreeFieldsOfAnObjectTypeSettings');
    expect(typeOf(other, { ...withKnown, io: 'output' })).not.toContain('&');
  });

  it('refuses a reference to nothing', () => {
    expect(() => typeOf({ $ref: '#/$defs/b' }, at)).toThrow('no definition');
  });
});

it('writes comments that cannot end early', () => {
  expect(comment([], '  ')).toBe('');
  expect(comment(['one', '', 'two'], '  ')).toBe('  /**\n   * one\n   *\n   * two\n   */\n');
});

describe('contractOf', () => {
  type Procedure = Parameters<typeof contractOf>[0][number][1];
  const procedure = (type: string) => ({ _def: { type } }) as unknown as Procedure;

  it('has each procedure where the router has it, with a file for each group', () => {
    const contract = contractOf([
      ['status', procedure('query')],
      ['a.b.create', procedure('mutation')],
      ['a.list', procedure('query')],
      ['a.watch', procedure('subscription')],
      ['twoWords.list', procedure('query')],
    ]);
    expect([...contract.keys()]).toEqual(['a', 'two-words', 'shared', 'index']);
    expect(contract.get('a')).toContain(
      'export interface AApi {\n  b: {\n    create: Mutation<NoInput, unknown>;\n  };\n  list: Query<NoInput, unknown>;\n  watch: Subscription<NoInput, unknown>;\n}\n',
    );
    expect(contract.get('index')).toContain(
      'export interface Api {\n  status: Query<NoInput, unknown>;\n  a: AApi;\n  twoWords: TwoWordsApi;\n}\n',
    );
    expect(contract.get('index')).toContain("import type { TwoWordsApi } from './two-words.ts';\n");
  });

  it('writes a named type once: where it is used, or, for several uses, in the common file', () => {
    const types = new NamedTypes();
    const names = [
      types.declare('Only', '{ a: Both }', 'output', 'one'),
      types.declare('Both', '{ b: string }', 'output', 'one'),
      types.declare('Both', '{ b: string }', 'input', 'two'),
      types.declare('Both', '{ b?: string }', 'input', 'two'),
      types.declare('Both', '{ c: string }', 'output', 'two'),
    ];
    expect(names).toEqual(['Only', 'Both', 'Both', 'BothInput', 'Both2']);
    const inFile = (file: string) => types.in(file).map(({ name }) => name);
    expect([inFile('one'), inFile('two'), inFile('shared')]).toEqual([['Only'], ['Both2', 'BothInput'], ['Both']]);
    expect(types.foreignTo('one', "type Only = { a: Both }; /** Both2 */ 'BothInput'")).toEqual(['Both']);
  });

  it.each([
    ['secrets.query', 'query', 'a meaning of its own'],
    ['then', 'query', 'a meaning of its own'],
    ['a.subscribe', 'query', 'a meaning of its own'],
    ['secrets.watch', 'fragment', 'has no fragments'],
  ])('refuses %s, a %s', (path, type, why) => {
    expect(() => contractOf([[path, procedure(type)]])).toThrow(why);
  });
});
