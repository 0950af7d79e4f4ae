import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compile, projectSubjects } from '../../access/index.ts';
import { runs } from '../../testing/search.ts';
import type { AltName } from '../x509.ts';
import { CONDITION_FIELDS } from './asked.ts';
import { mayIssue } from './right.ts';

describe('rights to certificates', () => {
  it('have a condition for each attribute of a subject, and for nothing that no certificate has', () => {
    const others = ['commonName', 'altNames', 'serialNumber', 'friendlyName', 'status'];
    expect(projectSubjects.certificates.conditions.toSorted()).toEqual(
      [...others, ...Object.values(CONDITION_FIELDS)].toSorted(),
    );
  });

  it('allow no host that clients read in the common name, by every generated set of rules as a naive reading does', () => {
    const hosts = ['app.example.com', 'prod.example.com', '*.example.com'];
    const dns = hosts.map((value): AltName => ({ type: 'dns', value }));
    const others: AltName[] = [
      { type: 'ip', value: '10.9.9.9' },
      { type: 'email', value: 'ann@example.com' },
    ];
    const [ip, email] = ['10.9.9.9', 'ann@example.com'];
    const commonNames = [...hosts, ip, 'ann', 'Ann Smith', ''];
    const some = (texts: readonly string[]) => fc.option(fc.subarray([...texts]), { nil: undefined });
    const rule = fc.record({ altNames: some([...hosts, ip, email]), commonName: some(commonNames) });
    const certificate = fc.record({
      commonName: fc.constantFrom(...commonNames),
      names: fc.subarray([...dns, ...others], { minLength: 1 }),
    });
    const isIn = (texts: readonly string[] | undefined, text: string) => !texts || texts.includes(text);
    const search = fc.property(fc.array(rule, { maxLength: 3 }), certificate, (drawn, { commonName, names }) => {
      const rules = drawn.map((conditions) => ({
        subject: 'certificates',
        action: 'create',
        conditions: Object.fromEntries(
          Object.entries(conditions).flatMap(([field, $in]) => ($in ? [[field, { $in }]] : [])),
        ),
      }));
      const allowed = (by: typeof drawn, values: readonly string[]) =>
        values.every((value) => by.some((one) => isIn(one.commonName, commonName) && isIn(one.altNames, value)));
      const values = names.map(({ value }) => value);
      const has = (type: string) => names.some((name) => name.type === type);
      const isHost = !has('dns') && (hosts.includes(commonName) || (commonName === ip && !has('ip')));
      const naming = drawn.filter((one) => one.commonName !== undefined);
      const expected = allowed(drawn, values) && (!isHost || allowed(naming, values) || allowed(drawn, [commonName]));
      const facts = { commonName, names, subject: {}, friendlyName: '', status: 'active' };
      expect(mayIssue(compile(rules), undefined, facts)).toBe(expected);
    });
    fc.assert(search, { numRuns: runs(500, 20_000) });
  });
});
