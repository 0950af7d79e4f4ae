import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compile, Gains } from '../../access/index.ts';
import type { Rule } from '../../kernel/index.ts';
import { naiveGains } from '../../testing/naive-rules.ts';
import { folderVisibility, requireNoGain, requireRemovable, type RulePlace } from './place-rules.ts';

const place = (secretPath: string, environment = 'dev'): RulePlace => ({ environment, secretPath });
const sees = (rules: Rule[], secretPath: string) => folderVisibility(compile(rules))(place(secretPath));
const isRefused = async (work: () => Promise<void>): Promise<boolean> => {
  try {
    await work();
    return false;
  } catch (error) {
    expect(error).toMatchObject({ kind: 'forbidden' });
    return true;
  }
};

describe('folderVisibility', () => {
  it('shows a folder to actors who may do anything there', () => {
    expect(sees([], '/')).toBe(false);
    expect(sees([{ subject: 'tags', action: 'read' }], '/')).toBe(false);
    expect(sees([{ subject: 'secret-folders', action: 'create' }], '/a')).toBe(true);
    expect(sees([{ subject: 'secrets', action: 'readValue', conditions: { secretPath: '/a' } }], '/a')).toBe(true);
    expect(sees([{ subject: 'secrets', action: 'readValue', conditions: { secretPath: '/a' } }], '/b')).toBe(false);
    expect(
      sees([{ subject: 'secrets', action: 'readValue', conditions: { secretPath: '/a', secretName: 'KEY' } }], '/a'),
    ).toBe(true);
    expect(sees([{ subject: 'dynamic-secrets', action: 'lease', conditions: { environment: 'prod' } }], '/a')).toBe(
      false,
    );
  });

  it('hides what a rule forbids to read, unless a later one allows it', () => {
    const secrets: Rule = { subject: 'secrets', action: 'readValue' };
    const hide: Rule = { subject: 'secret-folders', action: 'read', conditions: { secretPath: '/a' }, inverted: true };
    expect(sees([secrets, hide], '/a')).toBe(false);
    expect(sees([secrets, hide], '/b')).toBe(true);
    expect(sees([hide, { subject: 'secret-folders', action: 'read' }], '/a')).toBe(true);
  });

  it('does not hide a folder for one secret that is forbidden in it', () => {
    const rules: Rule[] = [
      { subject: 'secrets', action: 'readValue' },
      { subject: 'secrets', action: 'readValue', conditions: { secretName: 'KEY' }, inverted: true },
    ];
    expect(sees(rules, '/a')).toBe(true);
  });
});

describe('requireRemovable', () => {
  const check = (rules: Rule[], ...paths: string[]) =>
    isRefused(() =>
      requireRemovable(
        compile(rules),
        paths.map((path) => place(path)),
      ),
    );

  it('rejects if a rule forbids a deletion, also of a single secret', async () => {
    expect(await check([{ subject: 'secret-folders', action: 'delete' }], '/a', '/a/b')).toBe(false);
    const forbid = (subject: string, action: string, conditions: Rule['conditions']): Rule => ({
      subject,
      action,
      conditions,
      inverted: true,
    });
    expect(await check([forbid('secrets', 'delete', { secretPath: '/a/b' })], '/a', '/a/b')).toBe(true);
    expect(await check([forbid('secrets', 'delete', { secretPath: '/a/b' })], '/a', '/a/c')).toBe(false);
    expect(await check([forbid('secrets', 'delete', { secretName: 'KEY' })], '/a')).toBe(true);
    expect(await check([forbid('secret-imports', 'delete', { environment: 'dev' })], '/a')).toBe(true);
    expect(await check([forbid('secret-folders', 'delete', { environment: 'prod' })], '/a')).toBe(false);
    expect(await check([forbid('secrets', 'readValue', {})], '/a')).toBe(false);
  });

  it('uses the last rule that matches the place', async () => {
    const forbid: Rule = { subject: 'secrets', action: 'delete', inverted: true };
    expect(
      await check(
        [forbid, { subject: 'secrets', action: 'delete', conditions: { secretPath: { $glob: '/a/**' } } }],
        '/a/b',
      ),
    ).toBe(false);
    expect(
      await check([forbid, { subject: 'secrets', action: 'delete', conditions: { secretName: 'KEY' } }], '/a/b'),
    ).toBe(true);
  });
});

describe('requireNoGain', () => {
  const rule: fc.Arbitrary<Rule> = fc.record({
    subject: fc.constantFrom('secrets', 'secret-folders', 'secret-imports'),
    action: fc.subarray(['read', 'create', 'delete'], { minLength: 1 }),
    conditions: fc.option(
      fc.record(
        {
          environment: fc.constantFrom('dev', 'prod'),
          secretPath: fc.constantFrom<string | object>(
            '/a',
            '/b',
            { $glob: '/a/**' },
            { $glob: '/**' },
            { $in: ['/a', '/a/x'] },
          ),
        },
        { requiredKeys: [] },
      ),
      { nil: undefined },
    ),
    inverted: fc.boolean(),
  });
  const where = fc.record({
    environment: fc.constantFrom('dev', 'prod'),
    secretPath: fc.constantFrom('/a', '/b', '/a/x', '/c'),
  });
  const PERMISSIONS = ['secrets', 'secret-folders', 'secret-imports'].flatMap((subject) =>
    [...(subject === 'secrets' ? [] : ['read']), 'describeSecret', 'readValue', 'create', 'edit', 'delete'].map(
      (action) => ({
        scope: 'project' as const,
        subject,
        action,
        key: `${subject}:${action}`,
      }),
    ),
  );

  it('rejects exactly the moves that would give others what the caller may not do now', async () => {
    const rules = fc.array(rule, { maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(rules, rules, where, where, async (own, others, from, to) => {
        const gains = PERMISSIONS.some(({ subject, action }) =>
          naiveGains([own, others], own, [subject, action], { before: from, after: to }),
        );
        expect(
          await isRefused(() =>
            requireNoGain(new Gains([[own], [others]], [{ from: 0, ability: compile(own) }]), [{ from, to }]),
          ),
        ).toBe(gains);
      }),
      { numRuns: 3000 },
    );
  });

  it('counts rules on single secrets for the whole folder', async () => {
    const move = (rules: Rule[], from: string, to: string) =>
      isRefused(() =>
        requireNoGain(new Gains([[rules]], [{ from: 0, ability: compile(rules) }]), [
          { from: place(from), to: place(to) },
        ]),
      );
    const all: Rule = { subject: 'secrets', action: 'readValue' };
    expect(await move([{ ...all, conditions: { secretPath: '/a', secretName: 'KEY' } }], '/b', '/a')).toBe(true);
    expect(
      await move([all, { ...all, conditions: { secretPath: '/a', secretName: 'KEY' }, inverted: true }], '/a', '/b'),
    ).toBe(true);
    expect(await move([all], '/a', '/b')).toBe(false);
  });
});
