import { describe, expect, it } from 'vitest';
import { knownStatements, statement } from './sql.ts';

describe('a statement', () => {
  it('has one text for its name: a connection that prepared the one would refuse the other', () => {
    statement('test.one', 'select 1');
    expect(statement('test.one', 'select 1')).toEqual({ name: 'test.one', text: 'select 1' });
    expect(() => statement('test.one', 'select 2')).toThrow('The statement test.one has two texts');
    expect(knownStatements()).toContainEqual({ name: 'test.one', text: 'select 1' });
  });
});
