import type { ServiceScope } from '@coffer/domain';
import { serviceRules } from '@coffer/domain';
import type { Sample } from '../matrix-sample.ts';
import type { Answer, TestServer } from '../test-server.ts';
import { beyond, both, Holdings, letEverybodyIn, readWorld, turnsOf, union, type Asked } from './holdings.ts';
import { SECRET } from './rules.ts';
import { namings, readNames, type Names } from './namings.ts';
import { keyGains, readKeys, type Keys } from './keys.ts';
import { takings } from './takings.ts';
import type { Attacker, GrantingWorld, MadeServiceToken } from './world.ts';

/**
 * What the search looks for: a right that an actor has at some instant, now or later, by an operation of another one
 * who did not hold it at that instant.
 */

/** One step: an actor calls one of the operations. */
export interface Step {
  readonly caller: Pick<Attacker, 'id'>;
  readonly sample: { readonly operation: Pick<Sample['operation'], 'path'> };
  readonly input: Record<string, unknown>;
  readonly answer: Answer;
}

export interface Snapshot {
  readonly actual: Holdings;
  /** Were everybody let in who was invited, or is shut out. */
  readonly potential: Holdings;
  readonly names: Names;
  readonly keys: Keys;
}

export async function look(
  { coffer }: TestServer,
  { organizationId }: Pick<GrantingWorld, 'organizationId'>,
  asked: Asked,
): Promise<Snapshot> {
  const world = await readWorld(coffer, organizationId);
  const names = await readNames(coffer, organizationId);
  const keys = await readKeys(coffer, organizationId);
  return { actual: new Holdings(world, asked), potential: new Holdings(letEverybodyIn(world), asked), names, keys };
}

/** The rights of an actor at a place and time; everything if it may enter every project then. */
function heldBy({ actual }: Snapshot, actorId: string, projectId: string | null, asked: Asked, time: number): string {
  const everywhere = asked.inOrganization.findIndex(([subject]) => subject === 'organization-admin-console');
  const entersAll = actual.of(actorId, null, time)[everywhere] === '1';
  return projectId !== null && entersAll ? '1'.repeat(asked.inProject.length) : actual.of(actorId, projectId, time);
}

const questionsOf = (asked: Asked, projectId: string | null) =>
  projectId === null ? asked.inOrganization : asked.inProject;

/** What a step removed from others without authority over them, including names by which others grant rights. */
export function takenBy(
  { caller, sample }: Pick<Step, 'caller' | 'sample'>,
  before: Snapshot,
  after: Snapshot,
  { asked, now }: { asked: Asked; now: number },
): unknown[] {
  const held = (projectId: string | null) => heldBy(before, caller.id, projectId, asked, now);
  const step = { callerId: caller.id, operation: sample.operation.path, now, held };
  const lacks = (projectId: string | null, missing: readonly number[]) =>
    missing.map((index) => questionsOf(asked, projectId)[index]);
  return [
    ...takings(step, before, after).map(({ missing, ...taking }) => ({
      ...taking,
      how: `taken: ${taking.how} rights`,
      lacks: lacks(taking.projectId, missing),
    })),
    ...namings(before, after, { asked, now, held }).map(({ missing, ...naming }) => ({
      ...naming,
      lacks: lacks(naming.projectId, missing),
    })),
  ];
}

/** The instants at which anything may be different from before: now, and whenever something begins or ends. */
export const instantsOf = (now: number, ...snapshots: readonly Snapshot[]): number[] => [
  ...new Set([now, ...snapshots.flatMap(({ actual }) => turnsOf(actual.world, now))]),
];

/** Whom a step lets its caller act as from here on, and until when. */
export type Controlled = ReadonlyMap<string, number>;

/** The data for checking a step. */
interface Searched {
  readonly asked: Asked;
  readonly now: number;
  readonly controlled: Controlled;
  readonly exempt: GrantingWorld['exempt'];
}

const isWrite = ([subject, action]: Asked['inProject'][number]) =>
  subject === 'secrets' && (action === 'create' || action === 'edit');
const isPolicyEdit = ([subject, action]: Asked['inProject'][number]) =>
  subject === 'secret-approval' && action === 'edit';

/**
 * Rights that an actor gained by a step whose caller did not hold them before, or not for as long. A machine that is
 * exempt from a change policy can get the right to write only from callers who may edit the policy.
 */
export function escalations(
  { caller, sample, answer }: Step,
  before: Snapshot,
  after: Snapshot,
  { asked, now, controlled, exempt }: Searched,
): unknown[] {
  const found = keyGains(caller.id, before, after, now);
  const note = (how: string, actorId: string, projectId: string | null, time: number, indexes: readonly number[]) => {
    if (indexes.length === 0) return;
    const got = indexes.slice(0, 5).map((index) => questionsOf(asked, projectId)[index]);
    found.push({ how, actorId, isSelf: actorId === caller.id, projectId, later: time - now, got });
  };
  const places = before.actual.places.filter((place) => after.actual.places.includes(place));
  for (const projectId of places) {
    const heldNow = heldBy(before, caller.id, projectId, asked, now);
    for (const time of instantsOf(now, before, after)) {
      const held = both(heldNow, heldBy(before, caller.id, projectId, asked, time));
      for (const { id } of after.actual.world.actors) {
        for (const how of ['actual', 'potential'] as const) {
          const gained = beyond(after[how].of(id, projectId, time), before[how].of(id, projectId, time));
          note(
            `${how} rights`,
            id,
            projectId,
            time,
            gained.filter((index) => held[index] !== '1'),
          );
          const mayExempt = held[asked.inProject.findIndex(isPolicyEdit)] === '1';
          if (how === 'actual' && projectId === exempt.projectId && exempt.identityIds.includes(id) && !mayExempt)
            note(
              'writes past a change policy',
              id,
              projectId,
              time,
              gained.filter((index) => isWrite(asked.inProject[index]!)),
            );
        }
        if (id !== caller.id && time < (controlled.get(id) ?? -Infinity))
          note('control', id, projectId, time, beyond(after.potential.of(id, projectId, time), held));
      }
      const token = sample.operation.path === 'serviceTokens.create' && answer.body.serviceTokenData;
      if (token && token.projectId === projectId && time < (token.expiresAt ? Date.parse(token.expiresAt) : Infinity))
        note('service token', token.id, projectId, time, beyond(after.actual.ofRules(serviceRules(token)), held));
    }
  }
  return found;
}

/** What some hold together at a place at a time. */
export const together = (
  { actual }: Snapshot,
  ids: readonly string[],
  projectId: string | null,
  time: number,
): string => union(ids.map((id) => actual.of(id, projectId, time)));

const LIFE = `select max(case when m.access_token_period > 0 or m.access_token_max_ttl = 0 then 1e15
  else m.access_token_max_ttl * 1000 end)::float8 as life from identity_auth_methods m where m.identity_id = $1 and m.kind = $2`;

/** Maximum lifetime of access tokens of a login method with all renewals; milliseconds. */
async function lifeOf({ coffer }: TestServer, identityId: string, kind: string): Promise<number> {
  const { rows } = await coffer.pool.query<{ life: number | null }>(LIFE, [identityId, kind]);
  return rows[0]?.life ?? Infinity;
}

/** The actors as whom a caller can act after a response. `invited` finds users by their addresses. */
export async function controlledBy(
  test: TestServer,
  { sample: { operation }, input, answer: { body } }: Step,
  invited: ReadonlyMap<string, string>,
): Promise<Map<string, number>> {
  const now = test.coffer.now().getTime();
  const [, what] = /^\w+Auth\.(attach|update|createToken|createClientSecret)$/.exec(operation.path) ?? [];
  const identityId = input['identityId'];
  if (what !== undefined && typeof identityId === 'string') {
    if (what === 'createToken') return new Map([[identityId, now + (await lifeOf(test, identityId, 'token-auth'))]]);
    if (what !== 'createClientSecret') return new Map([[identityId, Infinity]]);
    const ttl = body.clientSecretData.clientSecretTTL * 1000;
    const life = await lifeOf(test, identityId, 'universal-auth');
    return new Map([[identityId, ttl === 0 ? Infinity : now + ttl + life]]);
  }
  if (!operation.path.startsWith('invitations.')) return new Map();
  const links = [body.completeInviteLinks ?? [], body.completeInviteLink ?? []].flat() as (
    | string
    | { email: string }
  )[];
  const emails = links.map((one) => (typeof one === 'string' ? new URL(one).searchParams.get('to')! : one.email));
  return new Map(emails.flatMap((email) => (invited.has(email) ? [[invited.get(email)!, Infinity] as const] : [])));
}

/** What a service token returned that its creator may not see now. */
export function shownBeyondCreator(
  { creatorId, projectId }: Pick<MadeServiceToken, 'creatorId' | 'projectId'>,
  { environment }: Pick<ServiceScope, 'environment'>,
  { status, body }: Answer,
  { actual }: Snapshot,
  { asked, now }: { asked: Asked; now: number },
): unknown[] {
  if (status !== 200) return [];
  const index = asked.inProject.findIndex(
    ([subject, action, fields]) =>
      subject === 'secrets' &&
      action === 'readValue' &&
      fields?.['environment'] === environment &&
      fields['secretPath'] === '/' &&
      fields['secretName'] === SECRET,
  );
  const shown = body.secrets as { secretKey: string; secretValueHidden: boolean }[];
  const isShown = shown.some(({ secretKey, secretValueHidden }) => secretKey === SECRET && !secretValueHidden);
  return isShown && actual.of(creatorId, projectId, now)[index] !== '1'
    ? [{ how: 'use of a service token', creatorId, projectId, environment }]
    : [];
}
