import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DomainError, newId, type Ability, type Actor, type Permission } from '../kernel/index.ts';
import { request, rule } from '../testing/arbitrary-rules.ts';
import { filledIn, pattern, text } from '../testing/arbitrary-texts.ts';
import { accessWorld, BEGINNING, HOUR, HOURS, worldRequest, type AccessWorld } from '../testing/arbitrary-world.ts';
import { testCoffer, type TestCoffer } from '../testing/index.ts';
import { NaiveAccess, nameOf } from '../testing/naive-access.ts';
import { naiveCan, naiveGlob } from '../testing/naive-rules.ts';
import { inTitle, reportSearch, runs, searchTime } from '../testing/search.ts';
import { storeWorld } from '../testing/store-world.ts';
import { compile } from './ability.ts';
import { globOf } from './condition.ts';
import { factsOf } from './facts.ts';
import { grantsWithin } from './grants.ts';
import { rulesAt } from './rules-at.ts';

const LONG = searchTime(300_000);
const RUNS = runs(900, 20_000);
/** Faults in long globs are rare to meet. */
const GLOB_RUNS = runs(5_000, 100_000);
const asked = (subject: string, action: string): Permission => ({ scope: 'project', subject, action, key: '' });

describe('rules', () => {
  it(`decide ${inTitle(RUNS * 5)} generated requests as their plain reading does`, { timeout: LONG }, () => {
    let allowed = 0;
    let total = 0;
    const subjects = fc.constantFrom(['secrets'], ['secrets', 'dynamic-secrets'], ['identity', 'tags']);
    const questions = subjects.chain((some) =>
      fc.record({
        rules: fc.array(rule(some), { maxLength: 6 }),
        requests: fc.array(request(some), { minLength: 5, maxLength: 5 }),
      }),
    );
    fc.assert(
      fc.property(questions, ({ rules, requests }) => {
        const ability = compile(rules);
        for (const { subject, action, fields } of requests) {
          const answer = ability.can(asked(subject, action), fields);
          expect(answer).toBe(naiveCan(rules, subject, action, fields));
          total++;
          if (answer) allowed++;
        }
      }),
      { numRuns: RUNS },
    );
    expect(total).toBe(RUNS * 5);
    // Both results must be frequent enough for the comparison to mean something.
    expect(allowed / total).toBeGreaterThan(0.1);
    expect(allowed / total).toBeLessThan(0.9);
  });
});

describe('globs', () => {
  it(`match ${inTitle(GLOB_RUNS * 6)} generated texts as their plain reading does`, { timeout: LONG }, () => {
    let matched = 0;
    fc.assert(
      fc.property(pattern(), fc.array(text(), { minLength: 3, maxLength: 3 }), (glob, texts) => {
        for (const one of texts.flatMap((filling) => [filling, filledIn(glob, filling)])) {
          const answer = globOf(glob)?.matches(one) ?? false;
          expect({ glob, one, answer }).toEqual({ glob, one, answer: naiveGlob(glob, one) });
          if (answer) matched++;
        }
      }),
      { numRuns: GLOB_RUNS },
    );
    expect(matched).toBeGreaterThan(GLOB_RUNS);
  });

  // States of a pattern are stored in words of 32 bits: test every position at their boundaries.
  it('match equally after any number of characters, and any previous text', { timeout: LONG }, () => {
    let matched = 0;
    fc.assert(
      fc.property(pattern(), text(), fc.nat(40), (glob, filling, length) => {
        const start = `?${'x'.repeat(length)}`;
        const texts = [filling, filledIn(glob, filling)].map((one) => start + one);
        for (const one of [...texts, ...texts.toReversed()]) {
          const answer = globOf(start + glob)?.matches(one) ?? false;
          expect({ glob, one, answer }).toEqual({ glob, one, answer: naiveGlob(start + glob, one) });
          if (answer) matched++;
        }
      }),
      { numRuns: GLOB_RUNS / 4 },
    );
    expect(matched).toBeGreaterThan(GLOB_RUNS / 8);
  });
});

const CASES = runs(15_000, 2_000_000);

describe('the rights of every actor', () => {
  let test: TestCoffer;
  let clock = BEGINNING;
  beforeAll(async () => {
    test = await testCoffer({ now: () => new Date(clock) });
  });
  afterAll(() => test.close());

  const actorOf = ({ organizationId, actors }: AccessWorld, actorId: string): Actor => {
    const { id, type } = actors.find((one) => one.id === actorId)!;
    return type === 'user'
      ? { type, id, name: id, email: null, username: id, sessionId: newId(), isSuperAdmin: false, organizationId }
      : {
          type,
          id,
          name: nameOf(id),
          organizationId,
          tokenId: newId(),
          authMethod: 'token-auth',
          isSuperAdmin: false,
        };
  };
  const abilityOf = async (actor: Actor, organizationId: string, projectId: string | null) => {
    const ctx = test.coffer.contextFor(actor);
    try {
      return await ctx.ability(ctx, projectId === null ? { organizationId } : { organizationId, projectId });
    } catch (error) {
      if (error instanceof DomainError && error.kind === 'not_found') return undefined;
      throw error;
    }
  };

  const times = fc
    .uniqueArray(fc.tuple(fc.integer({ min: -1, max: HOURS }), fc.constantFrom(-1, 0, 1, HOUR / 2)), {
      minLength: 6,
      maxLength: 6,
    })
    .map((some) => some.map(([hour, beside]) => BEGINNING + hour * HOUR + beside).toSorted((a, b) => a - b));
  const questions = fc.record({
    world: accessWorld(),
    times,
    inOrganization: fc.array(worldRequest(null), { minLength: 24, maxLength: 24 }),
    inProject: fc.array(worldRequest(''), { minLength: 24, maxLength: 24 }),
  });

  it(`are, in ${inTitle(CASES)} cases, those of a naive reading of all grants`, { timeout: LONG }, async () => {
    let [cases, allowed, strangers, changes] = [0, 0, 0, 0];
    const check = async ({
      world,
      times: instants,
      inOrganization,
      inProject,
    }: Awaited<ReturnType<typeof questions.generate>>['value']) => {
      await storeWorld(test.coffer, world);
      const { organizationId, projectIds, actors } = world;
      const naive = new NaiveAccess(world);
      clock = instants[0]!;
      const platform = test.coffer.contextFor({ type: 'platform', organizationId });
      const { grants } = await grantsWithin(platform, organizationId, { isEverything: true });
      const facts = await factsOf(
        platform,
        organizationId,
        actors.map(({ id }) => id),
      );
      for (const { id } of actors) {
        const actor = actorOf(world, id);
        for (const projectId of [null, ...projectIds]) {
          const requests = projectId === null ? inOrganization : inProject;
          let last: boolean[] = [];
          const wrong: object[] = [];
          for (const time of instants) {
            clock = time;
            const ability: Ability | undefined = await abilityOf(actor, organizationId, projectId);
            expect({ id, projectId, time, isMember: ability !== undefined }).toEqual({
              id,
              projectId,
              time,
              isMember: naive.isMember(id, projectId),
            });
            const own = grants.get(projectId)?.get(id) ?? [];
            expect(rulesAt(own, time, facts.get(id)).rules).toEqual(ability?.rules ?? []);
            if (!ability) {
              strangers++;
              continue;
            }
            const answers = requests.map(({ subject, action, fields }) => {
              const scope = projectId === null ? 'organization' : 'project';
              const answer = ability.can({ scope, subject, action, key: '' }, fields);
              const expected = naive.may(id, projectId, time, [subject, action, fields]);
              if (answer !== expected) wrong.push({ id, projectId, time, subject, action, fields, answer, expected });
              return answer;
            });
            cases += answers.length;
            allowed += answers.filter(Boolean).length;
            changes += answers.filter((answer, index) => last.length > 0 && answer !== last[index]).length;
            last = answers;
          }
        }
      }
      test.coffer.invalidate([`access:${organizationId}`]);
    };
    while (cases < CASES) await fc.assert(fc.asyncProperty(questions, check), { numRuns: 10, endOnFailure: true });
    // Every case must be frequent enough for the comparison to mean something.
    expect(allowed / cases).toBeGreaterThan(0.1);
    expect(allowed / cases).toBeLessThan(0.9);
    expect(strangers).toBeGreaterThan(100);
    expect(changes).toBeGreaterThan(cases / 200);
    reportSearch({ cases, allowed, strangers, changes });
  });
});
