import type { Context } from '../kernel/index.ts';
import { Attempt, countFailure, notingThrottled, type AttemptPolicies } from './throttle.ts';
import { isRefusal, noteRefused, subjectOf, type TriedCredentials } from './tried-credentials.ts';

/** A password that is stored without being tried: its use shows later, to whoever begins that, whether it is right. */
export interface StoredPassword extends TriedCredentials {
  /** What has it: the ID of a row. */
  readonly holderId: string;
  readonly account: string;
  readonly password: string;
}

/**
 * An organization has ten passwords refused at a target, and a hundred at all targets; each further one doubles the delay. A host has
 * any number of names.
 */
const POLICIES = {
  client: { threshold: 10, delaySeconds: 2, maxDelaySeconds: 900, resetSeconds: 7_200 },
  spraying: { of: 'stored', threshold: 100, delaySeconds: 2, maxDelaySeconds: 300, resetSeconds: 7_200 },
} as const satisfies AttemptPolicies;

/** Counts, and delays nobody. */
const COUNT = { threshold: 1_000_000_000, delaySeconds: 1, resetSeconds: 7_200 };

/** Identifies a password in its place. Nobody who reads the database can try passwords by it. */
const markOf = (ctx: Context, { holderId, target, account, password }: StoredPassword): string =>
  ctx.keys.mark(JSON.stringify([holderId, target, account, password]));

/** Of a password that was accepted in its place (a known client), or of all others of an organization at a target. */
function attemptOf(ctx: Context, stored: TriedCredentials, mark?: string): Attempt {
  const unknown = `organization:${stored.organizationId}`;
  return new Attempt(ctx, `stored-${subjectOf(stored)}`, { known: mark ?? unknown, unknown }, POLICIES);
}

/** Before another password is stored. @throws DomainError 429 after many refused ones of the organization at the target. */
export const requireTriesLeft = (ctx: Context, stored: TriedCredentials): Promise<void> =>
  notingThrottled(
    () => attemptOf(ctx, stored).requireAllowed(),
    (refusal) => noteRefused(ctx, stored, refusal),
  );

/** Whether both are the same password for the same account and target. */
export const isSamePassword = (ctx: Context, one: StoredPassword, other: StoredPassword): boolean =>
  markOf(ctx, one) === markOf(ctx, other);

/**
 * Uses a stored password at another system; `work` calls `accepted` once that has accepted it. One that was accepted in its place is
 * neither delayed nor counted. Others take turns, those of one organization at a target, and each that is refused counts once,
 * however often it is used.
 *
 * @throws DomainError 429 while others have to wait, or too many of them do; whatever the work throws.
 */
export async function useStored<T>(
  ctx: Context,
  stored: StoredPassword,
  work: (accepted: () => Promise<void>) => Promise<T>,
): Promise<T> {
  const mark = markOf(ctx, stored);
  const attempt = attemptOf(ctx, stored, mark);
  await attempt.requireAllowed();
  const use = async () => {
    let isAccepted = false;
    try {
      return await work(async () => {
        isAccepted = true;
        await attempt.remember(ctx);
      });
    } catch (error) {
      // What comes after that says nothing of the password.
      if (!isAccepted && isRefusal(error)) {
        await noteRefused(ctx, stored, error);
        const isFirst = !attempt.isKnown && (await countFailure(ctx, `${subjectOf(stored)}|${mark}`, COUNT)) === 1;
        if (isFirst) await attempt.countFailure();
      }
      throw error;
    }
  };
  if (attempt.isKnown) return use();
  // One that was accepted while this one waited has nobody wait any longer.
  const used = await attempt.inTurn(async () => (attempt.isKnown ? undefined : { result: await use() }));
  return used ? used.result : use();
}
