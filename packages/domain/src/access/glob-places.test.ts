import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const SOURCES = join(import.meta.dirname, '..');

/**
 * What evaluates globs of callers, and what bounds it. A new place belongs here, with a bound: the size of the globs
 * (`sizeOfGlob`) times the texts, charged to an `EvaluationCost` or done in turns.
 */
const PLACES: Readonly<Record<string, string>> = {
  'access/condition.ts': 'compiles them all, and charges whoever asks',
  'access/ability.ts': 'rules of one actor: `rule-limit.ts`, `evaluation-cost.ts`',
  'access/gains.ts': 'rules of all holders: each with a limit, read in turns',
  'access/template.ts': 'patterns of one rule: `countRead` in `rule.ts`',
  'access/approval-policy/pick.ts': 'at most 200 policies of a project, in turns',
  'access/approval-policy/policy.ts': 'one pattern of a request',
  'access/service-token/service-token.ts': 'scopes of one request, of a limited size',
  'approvals/meaning.ts': 'patterns of a request: one cost',
  'identities/auth-method/methods/aws-auth/caller.ts': 'one list of 4,096 characters, after the proof',
  'identities/auth-method/proof/claims.ts': 'of a limited size together, after the proof',
  'pki/certificate/asked.ts': 'each rule of one actor, at the cost of its ability',
  'secrets/folder/place-rules.ts': 'rules that `Gains` has found, at its cost',
  'secrets/watch/events.ts': 'ten patterns of 512 characters, in turns',
  'secrets/watch/folder-pattern.ts': 'one pattern of a request',
  'secrets/webhook/collect.ts': 'at most 200 webhooks of a project, in turns',
  'secrets/webhook/rotation-failed.ts': 'at most 200 webhooks of a project, and one path',
};

/** What compiles rules to an ability with a limit of its own. Each place makes a few of them for a question, and not one for each rule. */
const ABILITIES: Readonly<Record<string, string>> = {
  'access/grants.ts': 'one of an actor at a place',
  'access/held-forever.ts': 'one of each period between ends of grants, and one of a service token',
  'access/members-with-mail.ts': 'one of each member, for an e-mail',
  'access/period.ts': 'one of each period, for one question',
  'secrets/folder/place-rules.ts': 'a few of an ability',
};

describe('rules', () => {
  it('are compiled at a cost of their own only for a whole actor', () => {
    const compiles = globSync('**/*.ts', { cwd: SOURCES, exclude: ['**/testing/**'] })
      .filter((path) => !path.endsWith('.test.ts') && path !== 'access/ability.ts')
      .filter((path) => {
        const text = readFileSync(join(SOURCES, path), 'utf8');
        return /(?<![.\w])compile\(/.test(text) && /\bcompile\b[^;]*from '[^']*\/(?:ability|index)\.ts'/.test(text);
      });
    expect(compiles.toSorted()).toEqual(Object.keys(ABILITIES).toSorted());
  });
});

describe('globs', () => {
  it('are compiled in one place, and evaluated where something bounds it', () => {
    const sources = globSync('**/*.ts', { cwd: SOURCES, exclude: ['**/testing/**'] }).filter(
      (path) => !path.endsWith('.test.ts'),
    );
    expect(sources.length).toBeGreaterThan(500);
    const where = (call: RegExp) =>
      sources.filter((path) => call.test(readFileSync(join(SOURCES, path), 'utf8'))).toSorted();
    expect(where(/\bnew Glob\(/)).toEqual(['access/condition.ts']);
    expect(where(/\b(?:globOf|readGlob|isGlob|matchConditions)\b\(|map\(readGlob\)/)).toEqual(
      Object.keys(PLACES).toSorted(),
    );
  });
});
