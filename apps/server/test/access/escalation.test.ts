import { appRouter, openApiDocument, operationsOf } from '@coffer/api';
import type { Rule } from '@coffer/domain';
import { makeIdentity, reportSearch, runs, SEARCH_SEED, searchTime } from '@coffer/domain/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Giving, makeAdditiveWorld, plantLostOrder, seenBy, unseen } from '../harness/granting/additive.ts';
import { Dice } from '../harness/granting/dice.ts';
import { beyond, Holdings, readWorld, type Asked } from '../harness/granting/holdings.ts';
import { inputFor } from '../harness/granting/input.ts';
import { plantShortRight, SHORT } from '../harness/granting/plant.ts';
import { askedWith, SECRET } from '../harness/granting/rules.ts';
import {
  controlledBy,
  escalations,
  instantsOf,
  look,
  shownBeyondCreator,
  takenBy,
  together,
  type Snapshot,
  type Step,
} from '../harness/granting/search.ts';
import {
  makeGrantingWorld,
  namesOf,
  thingsOf,
  type Attacker,
  type GrantingWorld,
  type MadeServiceToken,
} from '../harness/granting/world.ts';
import { waysToLift } from '../harness/granting/ways-to-lift.ts';
import { waysToTake } from '../harness/granting/ways-to-take.ts';
import { Sample } from '../harness/matrix-sample.ts';
import { testServer, type Answer, type TestServer } from '../harness/test-server.ts';

const STEPS = runs(80, 20_000);
const STEPS_IN_A_WORLD = 60;
const HOUR = 3_600_000;
const LONG = searchTime(550_000);

/**
 * Every operation with changes either can change rights, and is in the search, or cannot, and is listed here. A new one
 * fails the first test until it is in one of them.
 */
const GRANTING: readonly RegExp[] = [
  /^(organizationRoles|organizationRolesV1|projectRoles|projectRolesV1)\./,
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
  /^projects(V1)?\.update$/,
  // Rules look at the names of keys.
  /^kmsKeys\.(create|update|delete|cancelDeletion|import)$/,
];
const NOT_GRANTING: readonly (readonly [operations: RegExp, why: string])[] = [
  [/\.(search|count|getByUsername)$/, 'reads'],
  [/^(access\.plan|auditLog\.verify)$/, 'changes nothing'],
  [/^instance(Management)?\./, 'is for super administrators'],
  [/^(sessions|commandLine|signUp|recovery|accessTokens)\.|\.logIn$/, 'proves who somebody is'],
  [/^projectEntry\.ask$/, 'asks others'],
  [/^account\./, 'is about oneself, and no rule looks at it'],
  [/^apiKeys\./, 'makes and ends credentials of oneself, which act with the rights of that moment'],
  [/^invitations\.verify$/, 'takes what was offered: the offer is what the search looks at'],
  [/^organizations\.(create|delete)$/, 'makes or ends all there is'],
  [/^(projects|projectsV1)\.(?!create$|update$)/, 'is about the project'],
  [/^incidentContacts\./, 'is an address'],
  [
    /^ssh(Configs|Hosts|HostGroups|Authorities|Templates)\./,
    'lets people log in elsewhere, and do nothing more here: ssh/host/login-search.test.ts searches what it gives and takes',
  ],
  [/^trustedIps\./, 'takes calls from addresses away, and gives them back to those who have the rights'],
  [
    /^(environments|tags|folders|foldersV1|secrets|secretsV3|secretImports|secretImportsV1)\./,
    'is what rights are about',
  ],
  [/^(history|snapshotsV1)\./, 'is what rights are about'],
  [/^(dynamicSecrets|dynamicSecretLeases)\./, 'makes logins elsewhere, and lets nobody do more here'],
  [
    /^(appConnections|\w+Connections)\./,
    'is what rights are about: it reaches other systems, and lets nobody do more here',
  ],
  [/^(integrations|integrationAuths|secretSyncs|\w+Syncs)\./, 'sends values elsewhere, and lets nobody do more here'],
  [
    /^(secretRotations|\w+Rotations)\./,
    'is what rights are about: it writes new secrets, which takes the right to create them, and lets nobody do more here',
  ],
  [
    /^(certificateAuthorities(V1)?|\w+Authorities)\./,
    'is what rights are about, and signs for names that no rule of ours looks at',
  ],
  [/^webhooks\./, 'tells others that something changed'],
  [/^revocation\./, 'tells everybody what is revoked'],
  [
    /^(certificates|certificatesV1)\./,
    'is what rights are about: it names hosts and people elsewhere, and nobody here',
  ],
  [/^sshCertificates\./, 'is what rights and templates are about: ssh/certificate.test.ts'],
  [/^certificateTemplates\./, 'narrows what is issued, and lets nobody do more here'],
  [/^certificate(Policies|Profiles)\./, 'narrows what is issued, and lets nobody do more here'],
  [/^est\./, 'names hosts and devices elsewhere, and nobody here'],
  [/^certificateOrders\./, 'names hosts and people elsewhere, and nobody here'],
  [/^certificateSubscribers\./, 'names hosts and people elsewhere, and nobody here'],
  [/^certificateCollections\./, 'puts together what rights are about, and no rule looks at it'],
  [/^certificateAlerts(V1)?\./, 'tells others that certificates end, and lets nobody do more'],
  [/^kmsKeys\.(rotate|getImportKey|exportMany)$/, 'is what rights are about, and no key has another name by it'],
  [/^kms\./, 'is what rights are about, and its keys are none of ours'],
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
}, LONG);
afterAll(() => test.close());

const isGranting = (path: string) => GRANTING.some((pattern) => pattern.test(path));

describe('every operation that changes anything', () => {
  it('is in the search, or declared as granting nothing', () => {
    const mutations = operationsOf(appRouter).filter(({ procedure }) => procedure._def.type === 'mutation');
    expect(mutations.length).toBeGreaterThan(100);
    const misplaced = [...new Set(mutations.map(({ path }) => path))].filter(
      (path) => isGranting(path) === NOT_GRANTING.some(([pattern]) => pattern.test(path)),
    );
    expect(misplaced, 'put them into GRANTING, and teach harness/granting to call them, or into NOT_GRANTING').toEqual(
      [],
    );
  });
});

interface Taken extends Step {
  readonly sample: Sample;
  readonly planned?: Answer;
}

async function take(
  world: GrantingWorld,
  caller: Attacker,
  sample: Sample,
  dice: Dice,
  holdings: Holdings,
  except?: readonly string[],
  isPlanned = except !== undefined,
): Promise<Taken> {
  const now = test.coffer.now().getTime();
  const input = inputFor(sample, {
    dice,
    now,
    organizationId: world.organizationId,
    // What ends between a plan and its step makes them differ.
    ranges: except ? [] : ['10s'],
    things: await thingsOf(test, world.organizationId, except),
    own: (projectId) => holdings.rules(caller.id, projectId, now),
  });
  const { url, body } = sample.request(input);
  const step = { caller, sample, input };
  const planned =
    isPlanned && sample.operation.meta.rest?.plannable ? { planned: await requirePlan(world, step) } : undefined;
  return { ...step, ...planned, answer: await caller.call(sample.operation.method, url, body) };
}

/** The plan of a step and the expected one; absent if the operation has no plan. */
function plannedAndDone({ planned, answer }: Taken) {
  const { status, body } = planned ?? { status: answer.status, body: answer.body };
  const said = [status, status === 200 && planned ? Object.keys(body) : { ...body, reqId: '' }];
  const done = [answer.status, answer.status === 200 && planned ? ['plan'] : { ...answer.body, reqId: '' }];
  return { said, done };
}

/** The plan of a step that is still to be taken; it changes nothing. */
async function requirePlan(
  world: GrantingWorld,
  step: Pick<Taken, 'sample' | 'input'> & { caller: Attacker },
): Promise<Answer> {
  const { method } = step.sample.operation;
  const { url, body } = step.sample.request(step.input);
  const before = await readWorld(test.coffer, world.organizationId);
  const planned = await step.caller.call(method, url, { ...body, dryRun: true });
  expect(await readWorld(test.coffer, world.organizationId)).toEqual(before);
  return planned;
}

const callersOf = (callers: readonly Attacker[], { operation }: Sample): Attacker[] =>
  callers.filter(({ type }) => operation.meta.rest?.actors?.includes(type) ?? true);

const invited = new Map<string, string>();

async function learnInvited(world: GrantingWorld): Promise<void> {
  const { rows } = await test.coffer.pool.query<{ email: string; id: string }>(
    'select u.email, u.id from memberships m join users u on u.id = m.user_id where m.organization_id = $1 and m.project_id is null',
    [world.organizationId],
  );
  for (const { email, id } of rows) invited.set(email, id);
}

const madeToken = ({ caller, answer: { body } }: Taken): MadeServiceToken => ({
  creatorId: caller.id,
  projectId: body.serviceTokenData.projectId,
  scopes: body.serviceTokenData.scopes,
  call: test.as(body.serviceToken),
});

/** Reads with a service token, and looks whether its creator could have. */
async function useToken(token: MadeServiceToken, dice: Dice, snapshot: Snapshot, asked: Asked): Promise<unknown[]> {
  const scope = dice.one(token.scopes);
  const url = `/api/v4/secrets?projectId=${token.projectId}&environment=${scope.environment}&secretPath=/`;
  const answer = await token.call('GET', url);
  return shownBeyondCreator(token, scope, answer, snapshot, { asked, now: test.coffer.now().getTime() });
}

describe('the search', () => {
  it('can run every operation that it calls, and plan those with plans', { timeout: LONG }, async () => {
    const dice = new Dice(SEARCH_SEED);
    const refusals: Record<string, unknown> = {};
    // Deletions come last.
    const ordered = samples.toSorted((a, b) => Number(isRemoval(a)) - Number(isRemoval(b)));
    const left = new Set(ordered);
    // What cannot be done in one world, because something was deleted by chance, is done in the next.
    for (let worlds = 0; worlds < 40 && left.size > 0; worlds++) {
      const world = await makeGrantingWorld(test, dice);
      // They leave themselves alone.
      const except = (await Promise.all(world.masters.map((master) => namesOf(test, master)))).flat();
      for (let tries = 0; tries < 15 && left.size > 0; tries++) {
        const { actual } = await look(test, world, askedWith([]));
        // Creations are repeated, so that there is always something to change and to delete. They were planned before.
        for (const sample of ordered.filter((one) => left.has(one) || isMaking(one))) {
          const caller = dice.one(callersOf(world.masters, sample));
          const isNew = left.has(sample);
          const step = await take(world, caller, sample, dice, actual, except, isNew);
          const { said, done } = plannedAndDone(step);
          expect([sample.operation.path, said]).toEqual([sample.operation.path, done]);
          if (step.answer.status === 200) left.delete(sample);
          else refusals[sample.operation.path] = { input: step.input, body: step.answer.body };
        }
      }
    }
    expect(Object.fromEntries([...left].map(({ operation }) => [operation.path, refusals[operation.path]]))).toEqual(
      {},
    );
  });

  it('finds takeovers without authority: each way, planted as if another actor had done it', async () => {
    const world = await makeGrantingWorld(test, new Dice(SEARCH_SEED));
    const asked = askedWith([]);
    const now = test.coffer.now().getTime();
    const [master] = world.masters as [Attacker];
    const attacker = await makeIdentity(test.coffer, { organizationId: world.organizationId });
    const ways = await waysToTake(test, world);
    const missed: string[] = [];
    let before = await look(test, world, asked);
    for (const [path, method, url, body] of ways) {
      const sample = samples.find(({ operation }) => operation.path === path)!;
      const answer = await master.call(method, url, body);
      expect([path, answer.status]).toEqual([path, 200]);
      const after = await look(test, world, asked);
      expect([path, takenBy({ caller: master, sample }, before, after, { asked, now })]).toEqual([path, []]);
      if (takenBy({ caller: attacker, sample }, before, after, { asked, now }).length === 0) missed.push(path);
      before = after;
    }
    expect(missed).toEqual([]);
  });

  it(`finds no escalation in ${STEPS} steps`, { timeout: LONG }, async () => {
    const dice = new Dice(SEARCH_SEED);
    const accepted = new Map<string, number>();
    for (let steps = 0; steps < STEPS;) {
      const world = await makeGrantingWorld(test, dice);
      const asked = askedWith((await thingsOf(test, world.organizationId)).get('identity')!.map(({ value }) => value));
      let before = await look(test, world, asked);
      const beginning = before;
      const attackers = world.attackers.map(({ id }) => id);
      /** Who acts for the attackers, and until when. */
      const coalition = new Map(attackers.map((id) => [id, Infinity]));
      const tokens = [...world.serviceTokens];
      const path: string[] = [];
      const nothing = { seed: SEARCH_SEED, path: [], found: [] };
      for (let i = 0; i < STEPS_IN_A_WORLD && steps < STEPS; i++, steps++) {
        if (dice.is(6)) test.advance(dice.one([15_000, 15_000, HOUR / 2]));
        const shown = dice.is(25) ? await useToken(dice.one(tokens), dice, before, asked) : [];
        expect({ seed: SEARCH_SEED, path: shown.length > 0 ? path : [], found: shown }).toEqual(nothing);
        // Each login method has the same operations as all the others.
        const sample = dice.one(dice.is(20) ? samples.filter(isOfLogin) : samples.filter((one) => !isOfLogin(one)));
        const caller = dice.one(callersOf(world.attackers, sample));
        const step = await take(world, caller, sample, dice, before.actual);
        expect(step.answer.status, JSON.stringify(step.answer.body)).toBeLessThan(500);
        if (step.answer.status !== 200) continue;
        const { operation } = sample;
        accepted.set(operation.path, (accepted.get(operation.path) ?? 0) + 1);
        path.push(`${caller.id} ${operation.path} ${JSON.stringify(step.input)}`);
        if (operation.path === 'serviceTokens.create') tokens.push(madeToken(step));
        const after = await look(test, world, asked);
        await learnInvited(world);
        const now = test.coffer.now().getTime();
        const controlled = await controlledBy(test, step, invited);
        const found = [
          ...escalations(step, before, after, { asked, now, controlled, exempt: world.exempt }),
          ...takenBy(step, before, after, { asked, now }),
        ];
        expect({ seed: SEARCH_SEED, path: found.length > 0 ? path : [], found }).toEqual(nothing);
        for (const [id, until] of controlled) coalition.set(id, Math.max(until, coalition.get(id) ?? -Infinity));
        for (const time of instantsOf(now, beginning, after)) {
          const acting = [...coalition].filter(([, until]) => time < until).map(([id]) => id);
          for (const place of beginning.actual.places) {
            const more = beyond(together(after, acting, place, time), together(beginning, attackers, place, time));
            expect({ seed: SEARCH_SEED, place, later: time - now, more, path: more.length > 0 ? path : [] }).toEqual({
              seed: SEARCH_SEED,
              place,
              later: time - now,
              more: [],
              path: [],
            });
          }
        }
        before = after;
      }
    }
    reportSearch({ seed: SEARCH_SEED, steps: STEPS, accepted: Object.fromEntries(accepted) });
    expect(accepted.size).toBeGreaterThan(Math.min(15, STEPS / 20));
  });
});

const ADDITIVE_STEPS = runs(10, 2_000);

describe('the search for what further rights take', () => {
  it(`finds nothing in ${ADDITIVE_STEPS} grants of thousands of rules`, { timeout: LONG }, async () => {
    const dice = new Dice(SEARCH_SEED);
    let accepted = 0;
    for (let steps = 0; steps < ADDITIVE_STEPS || accepted < 3;) {
      const world = await makeAdditiveWorld(test);
      const giving = await Giving.in(world, dice);
      const before = await seenBy(world);
      for (let i = 0; i < 30 && (steps < ADDITIVE_STEPS || accepted < 3); i++, steps++) {
        const { status, body } = await giving.step();
        expect(status, JSON.stringify(body)).toBeLessThan(500);
        if (status === 200) accepted++;
        const taken = status === 200 ? unseen(before, await seenBy(world)) : [];
        expect({ seed: SEARCH_SEED, step: steps, taken }).toEqual({ seed: SEARCH_SEED, step: steps, taken: [] });
      }
    }
  });

  it('finds what many rules take, if they count as given before', { timeout: LONG }, async () => {
    const world = await makeAdditiveWorld(test);
    const before = await seenBy(world);
    expect(unseen(before, await seenBy(world))).toEqual([]);
    await plantLostOrder(test, world);
    expect(unseen(before, await seenBy(world))).not.toEqual([]);
  });
});

describe('the search, in a world with a planted fault,', () => {
  it('finds rights that outlast those of the grantor', { timeout: LONG }, async () => {
    const world = await makeGrantingWorld(test, new Dice(1));
    const asked = askedWith([]);
    const { holder, other, machine } = await plantShortRight(test, world);
    const before = await look(test, world, asked);
    const now = test.coffer.now().getTime();
    const found = async (path: string, body: object = {}, input: Record<string, unknown> = {}) => {
      const step: Step = {
        caller: holder,
        sample: { operation: { path } },
        input,
        answer: { status: 200, body, headers: {} },
      };
      const controlled = await controlledBy(test, step, invited);
      const after = await look(test, world, asked);
      return escalations(step, before, after, { asked, now, controlled, exempt: world.exempt });
    };
    const token = (expiresAt: string | null) => ({
      serviceTokenData: {
        id: 'token',
        projectId: world.projectIds[0],
        scopes: [{ environment: 'dev', secretPath: '/**' }],
        permissions: ['readValue'],
        expiresAt,
      },
    });
    const later = (ms: number) => new Date(now + ms).toISOString();
    expect(await found('serviceTokens.create', token(null))).not.toEqual([]);
    expect(await found('serviceTokens.create', token(later(SHORT + 1)))).not.toEqual([]);
    expect(await found('serviceTokens.create', token(later(SHORT / 2)))).toEqual([]);

    const secret = (ttl: number) => ({ clientSecretData: { clientSecretTTL: ttl } });
    const credential = (ttl: number, of: string) =>
      found('universalAuth.createClientSecret', secret(ttl), { identityId: of });
    expect(await credential(0, machine)).not.toEqual([]);
    expect(await credential(SHORT / 1000, machine)).not.toEqual([]);
    expect(await credential(0, holder.id)).toEqual([]);

    const plant = async (change: string, actorId: string, back: string) => {
      await test.coffer.pool.query(change, [actorId]);
      const result = await found('identityPrivileges.update');
      await test.coffer.pool.query(back, [actorId]);
      return result;
    };
    const where = 'from memberships m where m.id = membership_id and m.actor_id = $1';
    const end = (by: string) =>
      `update additional_privileges p set temporary_access_end_time = temporary_access_end_time + interval '${by}' ${where} and is_temporary`;
    const permanent = (is: boolean) =>
      `update additional_privileges p set is_temporary = ${!is} ${where} and slug = 'short'`;
    expect(await plant(permanent(true), holder.id, permanent(false))).not.toEqual([]);
    expect(await plant(end('1 second'), holder.id, end('-1 second'))).not.toEqual([]);
    expect(await plant(end('1 second'), other, end('-1 second'))).not.toEqual([]);
    expect(await plant(end('-1 second'), other, end('1 second'))).toEqual([]);
  });

  it('finds a key that is opened to others by another name', async () => {
    const world = await makeGrantingWorld(test, new Dice(5));
    const { organizationId, exempt } = world;
    const [projectId] = world.projectIds as [string];
    const rulesOf = (action: string[], keyName: string) => [{ subject: 'cmek', action, conditions: { keyName } }];
    const make = (rules: Rule[]) => makeIdentity(test.coffer, { organizationId, projectId, rules });
    const attacker = await make([{ subject: 'cmek', action: ['read', 'create', 'edit', 'delete'] }]);
    await make(rulesOf(['decrypt'], 'opened'));
    const asked = askedWith([]);
    const now = test.coffer.now().getTime();
    const before = await look(test, world, asked);
    const [keyId] = [...before.keys].find(([, { name }]) => name === 'key-plain')!;
    const [master] = world.masters as [Attacker];
    const url = `/api/v1/kms/keys/${keyId}`;
    expect((await test.as(attacker.token)('PATCH', url, { name: 'opened' })).status).toBe(403);
    const answer = await master.call('PATCH', url, { name: 'opened' });
    expect(answer.status).toBe(200);
    const after = await look(test, world, asked);
    const found = (caller: Step['caller']) => {
      const step = { caller, sample: { operation: { path: 'kmsKeys.update' } }, input: {}, answer };
      return escalations(step, before, after, { asked, now, controlled: new Map(), exempt });
    };
    expect(found(master)).toEqual([]);
    expect(JSON.stringify(found(attacker))).toContain('rights to a key');
  });

  it('finds a lifted denial of writes of an exempt machine by a caller who may not edit policies, in each way', async () => {
    const world = await makeGrantingWorld(test, new Dice(4));
    const asked = askedWith([]);
    const now = test.coffer.now().getTime();
    const [master] = world.masters as [Attacker];
    const rules = [{ subject: 'secrets', action: ['create', 'edit'] }];
    const [projectId] = world.projectIds as [string];
    const attacker = await makeIdentity(test.coffer, { organizationId: world.organizationId, projectId, rules });
    const missed: string[] = [];
    const { exempt, ways } = await waysToLift(test, world);
    let before = await look(test, world, asked);
    for (const [path, method, url, body] of ways) {
      const answer = await master.call(method, url, body);
      expect([path, answer.status]).toEqual([path, 200]);
      const after = await look(test, world, asked);
      const found = (caller: Step['caller']) => {
        const step = { caller, sample: { operation: { path } }, input: {}, answer };
        return escalations(step, before, after, { asked, now, controlled: new Map(), exempt });
      };
      expect([path, found(master)]).toEqual([path, []]);
      if (!JSON.stringify(found(attacker)).includes('writes past a change policy')) missed.push(path);
      before = after;
    }
    expect(missed).toEqual([]);
  });

  it('finds a service token that reads what its creator may not read any more', async () => {
    const world = await makeGrantingWorld(test, new Dice(2));
    const asked = askedWith([]);
    const snapshot = await look(test, world, asked);
    const shown = { secrets: [{ secretKey: SECRET, secretValueHidden: false }] };
    const scope = { environment: 'prod' };
    const now = test.coffer.now().getTime();
    const found = (creatorId: string, body: object, status = 200) =>
      shownBeyondCreator(
        { creatorId, projectId: world.projectIds[0]! },
        scope,
        { status, body, headers: {} },
        snapshot,
        { asked, now },
      );
    const nobody = '00000000-0000-4000-8000-000000000000';
    expect(found(nobody, shown)).not.toEqual([]);
    expect([found(nobody, { secrets: [] }), found(nobody, {}, 401)]).toEqual([[], []]);
    expect(found(world.serviceTokens[0]!.creatorId, shown)).toEqual([]);
    expect(await useToken(world.serviceTokens[0]!, new Dice(3), snapshot, asked)).toEqual([]);
  });
});

const isOfLogin = ({ operation }: Sample) => /^\w+Auth\./.test(operation.path);
const isMaking = ({ operation }: Sample) => operation.method === 'POST' && operation.path !== 'projects.create';
const isRemoval = ({ operation }: Sample) => operation.method === 'DELETE' || /revoke|detach/i.test(operation.path);
