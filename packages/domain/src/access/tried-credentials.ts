import { z } from 'zod';
import { hashOf } from '../crypto/index.ts';
import { isRemote } from '../family/index.ts';
import {
  callerKeyOf,
  defineEvent,
  DomainError,
  refusalOf,
  REFUSALS,
  requireStillPermitted,
  type Context,
} from '../kernel/index.ts';
import { serverOf } from '../outbound/index.ts';
import { Attempt, notingThrottled, type AttemptPolicies } from './throttle.ts';

/**
 * A caller has ten refusals at a target, and fifty at all targets; each further one doubles the delay. All callers of the
 * organization have a hundred at a target.
 */
const POLICIES = {
  client: { threshold: 10, delaySeconds: 2, maxDelaySeconds: 900, resetSeconds: 7_200 },
  strangers: { threshold: 100, delaySeconds: 2, maxDelaySeconds: 300, resetSeconds: 7_200 },
  spraying: { of: 'remote', threshold: 50, delaySeconds: 2, maxDelaySeconds: 900, resetSeconds: 7_200 },
} as const satisfies AttemptPolicies;

const credentialsRefused = defineEvent(
  'remote.credentials_refused',
  'refused-remote-credentials',
  z.object({
    what: z.string().describe('The app, provider or type whose credentials were given'),
    target: z.string().describe('The system that has refused them'),
    ...REFUSALS,
  }),
);

/** Credentials that a caller gives, and the system that is to accept them. */
export interface TriedCredentials {
  readonly organizationId: string;
  readonly projectId?: string | null | undefined;
  /** The published name of the app, provider or type. */
  readonly what: string;
  /** The system, without credentials: its host, account or URL. */
  readonly target: string;
}

/** The other system has answered, and not accepted them. One that serves no one now has not looked at them. */
export const isRefusal = (error: unknown): boolean =>
  isRemote(error, 'rejected', 'ambiguous', 'malformed') ||
  (error instanceof DomainError && OF_DIRECTORIES.has(error.code));

/** What a directory answers has codes of its own. */
const OF_DIRECTORIES: ReadonlySet<string> = new Set(['ldap.refused', 'ldap.failed', 'ldap_auth.account']);

/** One for all spellings of a server, and all databases there. */
export const subjectOf = ({ organizationId, what, target }: TriedCredentials): string =>
  `remote:${organizationId}:${hashOf(`${what} ${serverOf(target)}`).toString('base64url')}`;

export async function noteRefused(ctx: Context, tried: TriedCredentials, error: unknown): Promise<void> {
  const { organizationId, what, target } = tried;
  const place = { organizationId, projectId: tried.projectId ?? undefined };
  const detail = error instanceof DomainError ? error.code : undefined;
  await ctx.noteRefusal(refusalOf(credentialsRefused, { what, target }, { ...place, detail }), ctx);
}

/**
 * Tries credentials of the caller at another system: every operation that shows whether that system accepts them runs its
 * calls in this. Refusals are recorded, and throttled by caller and target as those of logins are; what is accepted resets
 * no count, since a caller may have an account there. Comes before the transaction.
 *
 * @throws DomainError 429 while the caller has to wait; 401, 403, 404 as `requireStillPermitted`; whatever the work throws.
 */
export async function tryCredentials<T>(ctx: Context, tried: TriedCredentials, work: () => Promise<T>): Promise<T> {
  const subject = subjectOf(tried);
  const caller = `caller:${callerKeyOf(ctx.actor, ctx.request)}`;
  const attempt = new Attempt(ctx, subject, { known: caller, unknown: caller }, POLICIES);
  const note = (error: unknown) => noteRefused(ctx, tried, error);
  const inTurn = async () => {
    await attempt.requireAllowed();
    const result = await work().catch(async (error: unknown) => {
      if (isRefusal(error)) {
        await attempt.countFailure();
        await note(error);
      }
      throw error;
    });
    await requireStillPermitted(ctx);
    return result;
  };
  return notingThrottled(() => ctx.attempts.run(`${subject}|${caller}`, inTurn), note);
}
