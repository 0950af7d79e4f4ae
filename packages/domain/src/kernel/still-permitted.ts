import type { Actor } from './actor.ts';
import type { Context } from './context.ts';
import { DomainError } from './errors.ts';

/**
 * Repeats every check of rights that this call has passed, and the check of its token. Call it after waiting for another system,
 * before the result is stored. The answer needs no call: `answerProcedure` of `@coffer/api` checks it, also after waits for
 * the database, and compares rights before it repeats checks.
 *
 * @throws DomainError 401, 403, 404 if the token or a right has ended.
 */
export async function requireStillPermitted(ctx: Context): Promise<void> {
  await ctx.requireStillCalling();
  await requireRightsAgain(ctx);
}

/**
 * As `requireStillPermitted`, without the token. In a transaction it uses the connection of that.
 *
 * @param committed See `CheckOfRows`.
 * @throws DomainError 403, 404; as `requireRowsAgain`.
 */
export const requireRightsAgain = (ctx: Context, committed = ctx): Promise<void> =>
  repeating(ctx, async ({ passed, passedByRows }) => {
    for (const again of passed) await again(ctx);
    for (const again of passedByRows) await again(ctx, committed);
  });

/** The same for the checks that equal rules do not answer. @throws DomainError 403, 404; 503 where rights of others have changed. */
export const requireRowsAgain = (ctx: Context, committed = ctx): Promise<void> =>
  repeating(ctx, async ({ passedByRows }) => {
    for (const again of passedByRows) await again(ctx, committed);
  });

type Passed = Pick<Context, 'passed' | 'passedByRows'>;

async function repeating({ passed, passedByRows }: Passed, repeat: (asked: Passed) => Promise<void>): Promise<void> {
  const asked = { passed: [...passed], passedByRows: [...passedByRows] };
  try {
    await repeat(asked);
  } finally {
    // Each check has added itself again.
    passed.length = asked.passed.length;
    passedByRows.length = asked.passedByRows.length;
  }
}

/** Rights have changed since the work used them: calls and jobs do the work again by the present ones, if they can. */
export class RightsChanged extends DomainError {
  /** The caller as it is now, if that has changed. */
  readonly present: Actor | undefined;

  constructor(present?: Actor) {
    const message = 'Rights have changed while the request was processed; try again';
    super('unavailable', 'access.rights_changed', message, { retryAfter: 1 });
    this.present = present;
  }
}
