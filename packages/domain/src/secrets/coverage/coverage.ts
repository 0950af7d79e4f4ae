import { findPolicies, policyAt, type ApprovalPolicy } from '../../access/approval-policy/index.ts';
import { DomainError, type Actor, type Outbox, type Transaction } from '../../kernel/index.ts';
import type { Scope } from '../commit/index.ts';
import { captureOf, type CapturedChange, type Hit, type Spot } from './capture.ts';

/** Thrown where somebody who is under change policies writes to a folder that one covers, and nothing was asked yet. */
export class ApprovalNeeded extends DomainError {
  constructor({ environment, path }: Spot) {
    super(
      'bad_request',
      'secret_approval.needed',
      `A change policy covers ${path} in ${environment}, and this operation cannot ask for the approvals that it needs`,
      { details: { environment, secretPath: path } },
    );
  }
}

/** What Coffer itself does, while it is under policies as people are. */
const underPolicies = new WeakSet<Actor>();

/** People are under change policies; machine identities and service tokens are not. */
const isUnderPolicies = (actor: Actor): boolean => actor.type === 'user' || underPolicies.has(actor);

/** Does work under change policies where Coffer itself does it. */
export async function honouringPolicies<T>(actor: Actor, work: () => Promise<T>): Promise<T> {
  if (actor.type !== 'platform' || underPolicies.has(actor)) return work();
  underPolicies.add(actor);
  try {
    return await work();
  } finally {
    underPolicies.delete(actor);
  }
}

/** Folders of this prefix are made by replication; nobody else makes, sees or changes them. */
export const RESERVED = '__reserve_replication_';

/** A folder that replication made counts as the one that it copies into. */
export function coveredPath(path: string): string {
  const end = path.lastIndexOf('/');
  return path.startsWith(RESERVED, end + 1) ? path.slice(0, end) || '/' : path;
}

const known = new WeakMap<Outbox, Map<string, Promise<ApprovalPolicy[]>>>();

/** The policies of a project, looked up once in a transaction. */
function policiesIn(tx: Transaction, { projectId }: Scope): Promise<ApprovalPolicy[]> {
  const byProject = known.get(tx.outbox) ?? new Map<string, Promise<ApprovalPolicy[]>>();
  known.set(tx.outbox, byProject);
  const policies = byProject.get(projectId) ?? findPolicies(tx, 'change', projectId);
  byProject.set(projectId, policies);
  return policies;
}

/** Whether what a transaction writes matters to anybody here. */
export const isWatched = (tx: Transaction): boolean => captureOf(tx.outbox) !== undefined || isUnderPolicies(tx.actor);

/**
 * Comes before each change of a secret, folder or import: refuses it where it is covered and its actor is under policies,
 * or notes it where that is what is done. `spots` are all folders that the changes touch.
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
  const policies = await policiesIn(tx, scope);
  const hits = policies.length === 0 ? [] : hitsOf(policies, spots);
  const capture = captureOf(tx.outbox);
  if (capture) capture.add(scope, changes, hits);
  else if (hits[0]) throw new ApprovalNeeded(hits[0].spot);
}

function hitsOf(policies: readonly ApprovalPolicy[], spots: Iterable<Spot>): Hit[] {
  const byEnvironment = Map.groupBy(policies, ({ environment }) => environment.slug);
  const unique = new Map<string, Spot>();
  for (const { environment, path } of spots) {
    const covered = coveredPath(path);
    unique.set(`${environment}:${covered}`, { environment, path: covered });
  }
  return [...unique.values()].flatMap((spot) => {
    const policy = policyAt(byEnvironment.get(spot.environment) ?? [], spot.path);
    return policy ? { spot, policy } : [];
  });
}
