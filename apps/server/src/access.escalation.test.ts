import { appRouter, openApiDocument, operationsOf } from '@coffer/api';
import type { ServiceScope } from '@coffer/domain';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { serviceRules } from '@coffer/domain';
import { Dice } from './testing/granting/dice.ts';
import {
  beyond,
  Holdings,
  letEverybodyIn,
  readWorld,
  turnsOf,
  union,
  type Asked,
} from './testing/granting/holdings.ts';
import { inputFor } from './testing/granting/input.ts';
import { askedWith } from './testing/granting/rules.ts';
import { makeGrantingWorld, namesOf, thingsOf, type Attacker, type GrantingWorld } from './testing/granting/world.ts';
import { Sample } from './testing/matrix-sample.ts';
import { testServer, type Answer, type TestServer } from './testing/test-server.ts';

/** `pnpm oracle` asks for more. */
const STEPS = Number(process.env['COFFER_SEARCH_STEPS'] ?? 500);
const SEED = Number(process.env['COFFER_SEARCH_SEED'] ?? Date.now() % 1_000_000);
const STEPS_IN_A_WORLD = 60;
const HOUR = 3_600_000;
const LONG = 300_000 + STEPS * 500;

/**
 * Every operation that changes anything either can change who may do what, and is called by the search, or cannot, and
 * stands here. A new one stands in neither, and fails the first test until it is placed.
 */
const GRANTING: readonly RegExp[] = [
  /^(organizationRoles|projectRoles|projectRolesV1)\./,
  /^(identityPrivileges|identityPrivilegesV1|userPrivileges)\./,
  /^serviceTokens\./,
  /^accessApprovals\./,
  /^projectEntry\.enter$/,
  /^(projectMembers|projectMembersV1)\.(add|update|remove|removeMany|leave)$/,
  /^(projectGroups|projectIdentities|projectOwnedIdentities)\./,
  /^identities\.(create|update|delete)$/,
  /^\w+Auth\.(attach|update|detach|createToken|createClientSecret|revokeClientSecret|renameToken|revokeToken)$/,
  /^organizationMembers\./,
  /^organizations\.update$/,
  /^groups\./,
  /^invitations\.(invite|resend)$/,
  /^projectTemplates\./,
  /^projects\.create$/,
];
const NOT_GRANTING: readonly (readonly [operations: RegExp, why: string])[] = [
  [/\.(search|count|getByUsername)$/, 'reads'],
  [/^access\.plan$/, 'changes nothing'],
  [/^instance(Management)?\./, 'is for super administrators'],
  [/^(sessions|signUp|recovery|accessTokens)\.|\.logIn$/, 'proves who somebody is'],
  [/^projectEntry\.ask$/, 'asks others'],
  [/^account\./, 'is about oneself, and no rule looks at it'],
  [/^invitations\.verify$/, 'takes what was offered: the offer is what the search looks at'],
  [/^organizations\.(create|delete)$/, 'makes or ends all there is'],
  [/^(projects|projectsV1)\.(?!create$)/, 'is about the project'],
  [/^incidentContacts\./, 'is an address'],
  [
    /^(environments|tags|folders|foldersV1|secrets|secretsV3|secretImports|secretImportsV1)\./,
    'is what rights are about',
  ],
  [/^(history|snapshotsV1)\./, 'is what rights are about'],
  [/^(dynamicSecrets|dynamicSecretLeases)\./, 'makes logins elsewhere, and lets nobody do more here'],
  [/^(integrations|integrationAuths)\./, 'sends values elsewhere, and lets nobody do more here'],
  [/^certificateAuthorities(V1)?\./, 'is what rights are about, and signs for names that no rule of ours looks at'],
  [/^webhooks\./, 'tells others that something changed'],
  [/^revocation\./, 'tells everybody what is revoked'],
  [
    /^(certificates|certificatesV1)\./,
    'is what rights are about: it names hosts and people elsewhere, and nobody here',
  ],
  [/^certificateTemplates\./, 'narrows what is issued, and lets nobody do more here'],
  [/^certificate(Policies|Profiles)\./, 'narrows what is issued, and lets nobody do more here'],
  [/^est\./, 'names hosts and devices elsewhere, and nobody here'],
  [/^certificateOrders\./, 'names hosts and people elsewhere, and nobody here'],
  [/^certificateSubscribers\./, 'names hosts and people elsewhere, and nobody here'],
  [/^certificateCollections\./, 'puts together what rights are about, and no rule looks at it'],
  [/^certificateAlerts(V1)?\./, 'tells others that certificates end, and lets nobody do more'],
  [/^secretApprovals\./, 'makes changes wait; whom it exempts is asked of who may edit policies, and rights stay'],
  [/^secretApprovalRequests\./, 'is done as the one who asked for it, with the rights of that one'],
];

let test: TestServer;
let samples: Sample[];
beforeAll(async () => {
  test = await testServer();
  const document = await openApiDocument(appRouter, { version: '0', serverUrl: 'http://localhost' });
  samples = operationsOf(appRouter)
    .filter(({ path, alias, procedure }) => procedure._def.type === 'mutation' && alias === 0 && isGranting(path))
    .map((operation) => new Sample(operation, document));
});
afterAll(() => test.close());

const isGranting = (path: string) => GRANTING.some((pattern) => pattern.test(path));

describe('every operation that changes anything', () => {
  it('is in the search, or said to grant nothing', () => {
    const mutations = operationsOf(appRouter).filter(({ procedure }) => procedure._def.type === 'mutation');
    expect(mutations.length).toBeGreaterThan(100);
    const misplaced = [...new Set(mutations.map(({ path }) => path))].filter(
      (path) => isGranting(path) === NOT_GRANTING.some(([pattern]) => pattern.test(path)),
    );
    expect(misplaced, 'put them into GRANTING, and teach testing/granting to call them, or into NOT_GRANTING').toEqual(
      [],
    );
  });
});

/** One step: somebody calls one of the operations. */
interface Step {
  readonly caller: Attacker;
  readonly sample: Sample;
  readonly input: Record<string, unknown>;
  readonly answer: Answer;
}

async function take(
  world: GrantingWorld,
  caller: Attacker,
  sample: Sample,
  dice: Dice,
  holdings: Holdings,
  except?: readonly string[],
): Promise<Step & { planned?: Answer }> {
  const now = test.coffer.now().getTime();
  const input = inputFor(sample, {
    dice,
    now,
    organizationId: world.organizationId,
    things: await thingsOf(test, world.organizationId, except),
    own: (projectId) => holdings.rules(caller.id, projectId, now),
  });
  const { url, body } = sample.request(input);
  const step = { caller, sample, input };
  const planned =
    except && sample.operation.meta.rest?.plannable ? { planned: await requirePlan(world, step) } : undefined;
  return { ...step, ...planned, answer: await caller.call(sample.operation.method, url, body) };
}

/** What the plan of a step said and what it should have; nothing where the operation has no plan. */
function plannedAndDone({ planned, answer }: Step & { planned?: Answer }) {
  const { status, body } = planned ?? { status: answer.status, body: answer.body };
  const said = [status, status === 200 && planned ? Object.keys(body) : { ...body, reqId: '' }];
  const done = [answer.status, answer.status === 200 && planned ? ['plan'] : { ...answer.body, reqId: '' }];
  return { said, done };
}

/** The plan of a step that is still to be taken; it changes nothing. */
async function requirePlan(world: GrantingWorld, step: Omit<Step, 'answer'>): Promise<Answer> {
  const { method } = step.sample.operation;
  const { url, body } = step.sample.request(step.input);
  const before = await readWorld(test.coffer, world.organizationId);
  const planned = await step.caller.call(method, url, { ...body, dryRun: true });
  expect(await readWorld(test.coffer, world.organizationId)).toEqual(before);
  return planned;
}

const callersOf = (callers: readonly Attacker[], { operation }: Sample): Attacker[] =>
  callers.filter(({ type }) => operation.meta.rest?.actors?.includes(type) ?? true);

interface Snapshot {
  readonly actual: Holdings;
  /** Were everybody let in who was invited, or is shut out. */
  readonly potential: Holdings;
}

async function look({ organizationId }: GrantingWorld, asked: Asked): Promise<Snapshot> {
  const world = await readWorld(test.coffer, organizationId);
  return { actual: new Holdings(world, asked), potential: new Holdings(letEverybodyIn(world), asked) };
}

/** What somebody holds at a place now; everything, where it may enter every project. */
function heldBy({ actual }: Snapshot, actorId: string, projectId: string | null, asked: Asked, now: number): string {
  const everywhere = asked.inOrganization.findIndex(([subject]) => subject === 'organization-admin-console');
  const entersAll = actual.of(actorId, null, now)[everywhere] === '1';
  return projectId !== null && entersAll ? '1'.repeat(asked.inProject.length) : actual.of(actorId, projectId, now);
}

const questionsOf = (asked: Asked, projectId: string | null) =>
  projectId === null ? asked.inOrganization : asked.inProject;

/** What anybody got by a step that whoever took it did not hold before. */
function escalations(
  { caller, sample, answer, input }: Step,
  before: Snapshot,
  after: Snapshot,
  asked: Asked,
): unknown[] {
  const now = test.coffer.now().getTime();
  const times = [now, ...new Set([...turnsOf(before.actual.world, now), ...turnsOf(after.actual.world, now)])];
  const found: unknown[] = [];
  const note = (how: string, actorId: string, projectId: string | null, time: number, indexes: readonly number[]) => {
    if (indexes.length === 0) return;
    const got = indexes.slice(0, 5).map((index) => questionsOf(asked, projectId)[index]);
    found.push({ how, actorId, isSelf: actorId === caller.id, projectId, later: time - now, got });
  };
  const places = before.actual.places.filter((place) => after.actual.places.includes(place));
  for (const projectId of places) {
    const held = heldBy(before, caller.id, projectId, asked, now);
    for (const { id } of after.actual.world.actors) {
      for (const time of times) {
        for (const how of ['actual', 'potential'] as const) {
          const gained = beyond(after[how].of(id, projectId, time), before[how].of(id, projectId, time));
          note(
            `${how} rights`,
            id,
            projectId,
            time,
            gained.filter((index) => held[index] !== '1'),
          );
        }
        if (controls(sample, input, answer).has(id) && id !== caller.id)
          note('control', id, projectId, time, beyond(after.potential.of(id, projectId, time), held));
      }
    }
    if (sample.operation.path === 'serviceTokens.create' && answer.body.serviceTokenData.projectId === projectId) {
      const { id, scopes, permissions } = answer.body.serviceTokenData as {
        id: string;
        scopes: ServiceScope[];
        permissions: string[];
      };
      note(
        'service token',
        id,
        projectId,
        now,
        beyond(after.actual.ofRules(serviceRules({ scopes, permissions })), held),
      );
    }
  }
  return found;
}

/** Whom a caller can act as from here on. */
function controls({ operation }: Sample, input: Record<string, unknown>, { body }: Answer): Set<string> {
  const isCredential = /^\w+Auth\.(attach|update|createToken|createClientSecret)$/.test(operation.path);
  if (isCredential && typeof input['identityId'] === 'string') return new Set([input['identityId']]);
  if (!operation.path.startsWith('invitations.')) return new Set();
  const links = [body.completeInviteLinks ?? [], body.completeInviteLink ?? []].flat() as (
    | string
    | { email: string }
  )[];
  const emails = links.map((one) => (typeof one === 'string' ? new URL(one).searchParams.get('to')! : one.email));
  return new Set(emails.flatMap((email) => invited.get(email) ?? []));
}
const invited = new Map<string, string>();

async function learnInvited(world: GrantingWorld): Promise<void> {
  const { rows } = await test.coffer.pool.query<{ email: string; id: string }>(
    'select u.email, u.id from memberships m join users u on u.id = m.user_id where m.organization_id = $1 and m.project_id is null',
    [world.organizationId],
  );
  for (const { email, id } of rows) invited.set(email, id);
}

describe('the search', () => {
  it('can carry out every operation that it calls, and plan those that have plans', { timeout: LONG }, async () => {
    const dice = new Dice(SEED);
    const refusals: Record<string, unknown> = {};
    const world = await makeGrantingWorld(test, dice);
    // They leave themselves alone.
    const except = (await Promise.all(world.masters.map((master) => namesOf(test, master)))).flat();
    // What removes things comes last.
    const ordered = samples.toSorted((a, b) => Number(isRemoval(a)) - Number(isRemoval(b)));
    const left = new Set(ordered);
    for (let tries = 0; tries < 25 && left.size > 0; tries++) {
      const { actual } = await look(world, askedWith([]));
      // What makes things is done again, so that there is always something to change and to remove.
      for (const sample of ordered.filter((one) => left.has(one) || isMaking(one))) {
        const step = await take(world, dice.one(callersOf(world.masters, sample)), sample, dice, actual, except);
        const { said, done } = plannedAndDone(step);
        expect([sample.operation.path, said]).toEqual([sample.operation.path, done]);
        if (step.answer.status === 200) left.delete(sample);
        else refusals[sample.operation.path] = { input: step.input, body: step.answer.body };
      }
    }
    expect(Object.fromEntries([...left].map(({ operation }) => [operation.path, refusals[operation.path]]))).toEqual(
      {},
    );
  });

  it(`finds no escalation in ${STEPS} steps`, { timeout: LONG }, async () => {
    const dice = new Dice(SEED);
    const accepted = new Map<string, number>();
    for (let steps = 0; steps < STEPS;) {
      const world = await makeGrantingWorld(test, dice);
      const asked = askedWith((await thingsOf(test, world.organizationId)).get('identity')!.map(({ value }) => value));
      let before = await look(world, asked);
      const coalition = new Set(world.attackers.map(({ id }) => id));
      const together = ({ actual }: Snapshot, projectId: string | null, time: number) =>
        union([...coalition].map((id) => actual.of(id, projectId, time)));
      const first = new Map(
        before.actual.places.map((place) => [place, together(before, place, test.coffer.now().getTime())]),
      );
      const path: string[] = [];
      for (let i = 0; i < STEPS_IN_A_WORLD && steps < STEPS; i++, steps++) {
        if (dice.is(2)) test.advance(HOUR / 2);
        // Each login method has the same operations as all the others.
        const sample = dice.one(dice.is(20) ? samples.filter(isOfLogin) : samples.filter((one) => !isOfLogin(one)));
        const caller = dice.one(callersOf(world.attackers, sample));
        const step = await take(world, caller, sample, dice, before.actual);
        expect(step.answer.status, JSON.stringify(step.answer.body)).toBeLessThan(500);
        if (step.answer.status !== 200) continue;
        const { operation } = sample;
        accepted.set(operation.path, (accepted.get(operation.path) ?? 0) + 1);
        path.push(`${caller.id} ${operation.path} ${JSON.stringify(step.input)}`);
        const after = await look(world, asked);
        await learnInvited(world);
        const found = escalations(step, before, after, asked);
        expect({ seed: SEED, path: found.length > 0 ? path : [], found }).toEqual({ seed: SEED, path: [], found: [] });
        for (const id of controls(sample, step.input, step.answer)) coalition.add(id);
        const now = test.coffer.now().getTime();
        for (const [place, held] of first)
          expect({ seed: SEED, place, more: beyond(together(after, place, now), held) }).toEqual({
            seed: SEED,
            place,
            more: [],
          });
        before = after;
      }
    }
    if (process.env['COFFER_SEARCH_STEPS'])
      process.stdout.write(`${JSON.stringify({ seed: SEED, steps: STEPS, accepted: Object.fromEntries(accepted) })}\n`);
    expect(accepted.size).toBeGreaterThan(Math.min(15, STEPS / 20));
  });
});

const isOfLogin = ({ operation }: Sample) => /^\w+Auth\./.test(operation.path);
const isMaking = ({ operation }: Sample) => operation.method === 'POST' && operation.path !== 'projects.create';
const isRemoval = ({ operation }: Sample) => operation.method === 'DELETE' || /revoke|detach/i.test(operation.path);
