import { describe, expect, it } from 'vitest';
import { asQuery, knownStatements, statement } from './sql.ts';

const find = statement('things.find', 'select 1 from unnest($1::text[]) where $2');
const listOf = (length: number) => Array.from({ length }, (_, index) => `name ${index}`);

describe('a statement', () => {
  it('is prepared under its name, and keeps its plan', () => {
    for (const values of [[], ['text', null, 5], [listOf(100), true], [Buffer.alloc(5_000), 'x'.repeat(5_000)]])
      expect(asQuery(find, values)).toEqual({ name: 'things.find', text: find.text, values });
  });

  it('is planned again where one of its values is a long list', () => {
    for (const values of [
      [listOf(101), true],
      ['text', [], listOf(5_000)],
    ])
      expect(asQuery(find, values)).toEqual({ text: find.text, values });
  });

  it('has one text for its name: a connection that prepared the one would refuse the other', () => {
    statement('test.one', 'select 1');
    expect(statement('test.one', 'select 1')).toEqual({ name: 'test.one', text: 'select 1' });
    expect(() => statement('test.one', 'select 2')).toThrow('The statement test.one has two texts');
    expect(knownStatements()).toContainEqual({ name: 'test.one', text: 'select 1' });
  });
});
