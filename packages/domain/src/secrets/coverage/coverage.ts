import { isDeepStrictEqual } from 'node:util';
import {
  approvalPermissions,
  coversFolder,
  findPolicies,
  isExempt,
  requireMayDecidePolicies,
  strictestFirst,
  type ChangePolicy,
  type StoredPolicy,
} from '../../access/approval-policy/index.ts';
import { abilityIn, authorize, filterInTurns, findInTurns, passByRows } from '../../access/index.ts';
import { DomainError, oncePerTransaction, RightsChanged, type Context, type Transaction } from '../../kernel/index.ts';
import type { Scope } from '../commit/index.ts';
import { namedInRefusal, type RulePlace } from '../folder/index.ts';
import { captureOf, type CapturedChange, type Hit, type Spot } from './capture.ts';
import { RESERVED } from './reserved.ts';

/** Thrown if a caller writes to a folder that a change policy covers, outside of a request. */
export class ApprovalNeeded extends DomainError {
  /** `place`: absent where the caller must not know it. */
  constructor(place: RulePlace | undefined) {
    const covered = place ? `${place.secretPath} in ${place.environment}` : 'what this would change';
    super(
      'bad_request',
      'secret_approval.needed',
      `A change policy covers ${covered}, and this operation cannot request the required approvals`,
      place && { details: { environment: place.environment, secretPath: place.secretPath } },
    );
  }
}

/** Names the folder to callers who see it, and to Coffer itself, which requests the approvals. */
async function approvalNeeded(tx: Transaction, { projectId }: Scope, { environment, path }: Spot) {
  const place = { environment, secretPath: path };
  if (tx.actor.type === 'platform') return new ApprovalNeeded(place);
  return new ApprovalNeeded(namedInRefusal(await abilityIn(tx, projectId), place));
}

/** Names the folders of a policy to callers who may read policies and see these folders. */
async function approvalNeededBy(tx: Transaction, scope: Scope, { environment, secretPath }: StoredPolicy) {
  const { projectId } = scope;
  const isRead =
    tx.actor.type === 'platform' || (await abilityIn(tx, projectId)).can(approvalPermissions.read, { projectId });
  return isRead
    ? approvalNeeded(tx, scope, { environment: environment.slug, path: secretPath ?? '/' })
    : new ApprovalNeeded(undefined);
}

/** Does work under change policies, as all callers are, where Coffer itself does it. */
export async function enforcingPolicies<T>(ctx: Context, work: () => Promise<T>): Promise<T> {
  const { isUnderPolicies: before = false } = ctx;
  ctx.isUnderPolicies = true;
  try {
    return await work();
  } finally {
    ctx.isUnderPolicies = before;
  }
}

/** A folder of a replication counts as the one that it copies into. */
export function coveredPath(path: string): string {
  const end = path.lastIndexOf('/');
  return path.startsWith(RESERVED, end + 1) ? path.slice(0, end) || '/' : path;
}

/**
 * The policies of a project, looked up once in a transaction, and compared with the committed ones before its commit: one may have been
 * made, changed or ended while it worked. Those that the transaction ends itself are committed until then.
 */
const policiesIn = (tx: Transaction, { projectId }: Scope): Promise<ChangePolicy[]> =>
  oncePerTransaction(tx, `change policies ${projectId}`, async () => {
    const found = await findPolicies(tx, 'change', projectId);
    passByRows(tx, async (_, committed) => {
      const present = await findPolicies(committed, 'change', projectId);
      if (!isDeepStrictEqual(present, found)) throw new RightsChanged();
    });
    return found;
  });

/**
 * The change policies of a project that apply to the writes of a transaction: all that do not exempt its actor. They
 * apply to Coffer itself where it honours them, and where its writes are captured.
 */
async function policiesFor(tx: Transaction, scope: Scope): Promise<ChangePolicy[]> {
  const { actor, outbox, isUnderPolicies } = tx;
  if (actor.type === 'platform' && !isUnderPolicies && !captureOf(outbox)) return [];
  return (await policiesIn(tx, scope)).filter((policy) => !isExempt(policy, actor));
}

/** Whether writes of a transaction in a project must be checked or captured. */
export const isWatched = async (tx: Transaction, scope: Scope): Promise<boolean> =>
  captureOf(tx.outbox) !== undefined || (await policiesFor(tx, scope)).length > 0;

/**
 * Call it before an environment is deleted or gets another slug, which ends its policies or moves them to the new slug.
 * Such a change cannot be requested, so it is refused if any policy of the environment applies to the actor, whether or
 * not the covered folders have contents. An exempt actor would end a policy for others: this needs the permission to
 * delete policies, as does ending those for access requests.
 *
 * @throws ApprovalNeeded
 * @throws DomainError 403.
 */
export async function requireNoPolicyIn(tx: Transaction, scope: Scope, environment: string): Promise<void> {
  const isHere = (one: StoredPolicy) => one.environment.slug === environment;
  const policy = (await policiesFor(tx, scope)).find(isHere);
  if (policy) throw await approvalNeededBy(tx, scope, policy);
  const ending = [...(await policiesIn(tx, scope)), ...(await findPolicies(tx, 'access', scope.projectId))];
  if (ending.some(isHere)) await requireMayEndPolicies(tx, scope);
}

/** Checks the permanent right to delete the policies of a project. @throws DomainError 403. */
async function requireMayEndPolicies(tx: Transaction, { projectId }: Scope): Promise<void> {
  await authorize(tx, approvalPermissions.delete, { projectId });
  await requireMayDecidePolicies(tx, projectId, 'delete');
}

/** A folder or secret that gets another place, where readers of the former one follow by references and imports. */
export interface Departure {
  readonly from: Spot;
  readonly to: Spot;
}

/**
 * Call it before contents get another place. Where that is outside of a policy that covers the former place, everybody
 * could then change without approvals what its readers get. `watch` asks actors to whom the policy applies for
 * approvals; an exempt actor needs the permission to delete policies, as for deleting the environment. Policies for
 * access requests (`ending`) exempt nobody and cannot be asked, so all actors need it.
 *
 * @throws DomainError 403.
 */
export async function requireMayLeave(
  tx: Transaction,
  scope: Scope,
  departures: readonly Departure[],
  ending: readonly StoredPolicy[] = [],
): Promise<void> {
  if (tx.actor.type === 'platform' || departures.length === 0) return;
  const applying = new Set(await policiesFor(tx, scope));
  const exempting = (await policiesIn(tx, scope)).filter((policy) => !applying.has(policy));
  const pairs = pairsOf([...exempting, ...ending], () => departures);
  const left = await findInTurns(pairs, ([policy, { from, to }]) => covers(policy, from) && !covers(policy, to));
  if (left) await requireMayEndPolicies(tx, scope);
}

/** Each policy with each of some things. */
function* pairsOf<Policy extends StoredPolicy, T>(
  policies: readonly Policy[],
  thingsOf: (policy: Policy) => readonly T[],
): Iterable<readonly [Policy, T]> {
  for (const policy of policies) for (const thing of thingsOf(policy)) yield [policy, thing];
}

const covers = (policy: StoredPolicy, { environment, path }: Spot): boolean =>
  policy.environment.slug === environment && coversFolder(policy, coveredPath(path));

/**
 * Call it before a project gets another slug: readers by the former slug would no longer read what the policies cover.
 * Such a change cannot be requested, so it is refused if any change policy of the project applies to the actor.
 *
 * @throws ApprovalNeeded
 */
export async function requireNoPolicyInProject(tx: Transaction, scope: Scope): Promise<void> {
  const [policy] = await policiesFor(tx, scope);
  if (policy) throw await approvalNeededBy(tx, scope, policy);
}

/**
 * Call it before each change of a secret, folder or import: refuses it if a policy covers it that applies to its actor,
 * or captures it. `spots` are all folders that the changes touch.
 *
 * @throws ApprovalNeeded
 */
export async function watch(
  tx: Transaction,
  { organizationId, projectId }: Scope,
  changes: readonly CapturedChange[],
  spots: Iterable<Spot>,
): Promise<void> {
  const scope = { organizationId, projectId };
  const policies = await policiesFor(tx, scope);
  const hits = policies.length === 0 ? [] : await hitsOf(policies, spots);
  const capture = captureOf(tx.outbox);
  if (capture) capture.add(scope, changes, hits);
  else if (hits[0]) throw await approvalNeeded(tx, scope, hits[0].spot);
}

/**
 * Call it before readers of a folder get something else in place of its contents, without a change of the folder. Such a
 * change cannot be requested, so it is rejected if a change policy covers the folder and applies to the actor. An exempt
 * actor would enable others to change what they get: this needs the permission to delete policies.
 *
 * @throws ApprovalNeeded
 * @throws DomainError 403.
 */
export async function requireNoPolicyAt(tx: Transaction, scope: Scope, spot: Spot): Promise<void> {
  const [hit] = await hitsOf(await policiesFor(tx, scope), [spot]);
  if (hit) throw await approvalNeeded(tx, scope, hit.spot);
  if (tx.actor.type !== 'platform' && (await hitsOf(await policiesIn(tx, scope), [spot])).length > 0)
    await requireMayEndPolicies(tx, scope);
}

/**
 * The same before a folder is no longer published to its readers at all. Whoever may edit the policies that cover it
 * permanently, and so lift them, needs no approval.
 *
 * @throws ApprovalNeeded
 * @throws DomainError 403, also for a temporary right to edit policies.
 */
export async function requireMayEndPublication(tx: Transaction, scope: Scope, spot: Spot): Promise<void> {
  const { projectId } = scope;
  if ((await hitsOf(await policiesIn(tx, scope), [spot])).length === 0) return;
  const mayEdit = (await abilityIn(tx, projectId)).can(approvalPermissions.edit, { projectId });
  await (mayEdit ? requireMayDecidePolicies(tx, projectId, 'edit') : requireNoPolicyAt(tx, scope, spot));
}

/** The IDs of the change policies that cover a folder, whomever they exempt. */
export async function policiesCovering(tx: Transaction, scope: Scope, spot: Spot): Promise<ReadonlySet<string>> {
  return new Set((await hitsOf(await policiesIn(tx, scope), [spot])).map(({ policy }) => policy.id));
}

/** Every folder that is covered, with each of the policies that cover it: they apply together. */
async function hitsOf(policies: readonly ChangePolicy[], spots: Iterable<Spot>): Promise<Hit[]> {
  const unique = new Map<string, Spot>();
  for (const { environment, path } of spots) {
    const covered = coveredPath(path);
    unique.set(`${environment}:${covered}`, { environment, path: covered });
  }
  const places = [...unique.values()];
  const byEnvironment = Map.groupBy(places, ({ environment }) => environment);
  const pairs = pairsOf(policies, ({ environment }) => byEnvironment.get(environment.slug) ?? []);
  const covering = await filterInTurns(pairs, ([policy, { path }]) => coversFolder(policy, path));
  const bySpot = Map.groupBy(covering, ([, spot]) => spot);
  return places.flatMap((spot) =>
    strictestFirst((bySpot.get(spot) ?? []).map(([policy]) => policy)).map((policy) => ({ spot, policy })),
  );
}
