import { describe, expect, it } from 'vitest';
import type { Rule } from '../../kernel/index.ts';
import { NamesBelow } from './wildcard.ts';

const rule = (commonName: unknown): Rule => ({
  subject: 'certificates',
  action: 'create',
  inverted: true,
  conditions: { commonName },
});
const below = (condition: unknown) => new NamesBelow([rule(condition)]).of('*.example.com');
const named = (...labels: string[]) => labels.map((label) => `${label}.example.com`);
const wide = `{${'a,'.repeat(98)}a}{${'b,'.repeat(379)}b}.example.com`;

describe('names below a wildcard', () => {
  it.each([
    ['admin.example.com', named('admin')],
    [{ $in: ['admin.example.com', 'root.example.com', 'admin.example.org'] }, named('admin', 'root')],
    [{ $glob: '{admin,root{1,2}}.*' }, named('admin', 'root1', 'root2')],
    [{ $glob: '{a.b,c}.*' }, named('a', 'c')],
    [{ $glob: '*admin*.example.com' }, named('admin', 'xadminx')],
    [{ $glob: '**' }, named('x')],
    [{ $glob: '[ab]dmin[!x]?.com' }, named('adminax')],
    [{ $glob: String.raw`adm\in.com` }, named('admin')],
    [{ $anyText: 'a{{*}}.com' }, named('a', 'ax')],
    [{ $and: [{ $glob: 'a.*' }, 'b.com'] }, named('a', 'b')],
    ['{a,b}.example.com', []],
    [{ $glob: '{a' }, []],
  ])('are those of %j', (condition, names) => {
    expect(below(condition)).toEqual(names);
  });

  it('are of wildcards alone', () => {
    expect(new NamesBelow([rule('admin.example.com')]).of('www.example.com')).toEqual([]);
  });

  it.each(['$eq', '$glob'])('are no more than a glob may match: braces in %s', (operator) => {
    expect(below({ [operator]: wide })).toEqual([]);
  });

  it('are rejected beyond the cost of one check: texts, globs, and resources', () => {
    const refused = expect.objectContaining({ code: 'permission.too_costly' });
    const of = (rules: readonly Rule[]) => () => new NamesBelow(rules);
    const texts = Array.from({ length: 1000 }, (_, n) => `a${n}.example.com`);
    expect(of(Array(90).fill(rule({ $in: texts })))).not.toThrow();
    expect(of(Array(110).fill(rule({ $in: texts })))).toThrow(refused);
    expect(of(Array(3000).fill(rule({ $glob: '{a,b}'.repeat(6) })))).toThrow(refused);
    const names = new NamesBelow([rule({ $in: texts })]);
    expect(() => Array.from({ length: 101 }, () => names.of('*.example.com'))).toThrow(refused);
  });
});
