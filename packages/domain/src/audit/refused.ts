import { z } from 'zod';
import {
  defineEvent,
  DomainError,
  isForbiddenError,
  isId,
  REFUSALS,
  refusalBehind,
  refusalOf,
  type Actor,
  type Context,
} from '../kernel/index.ts';
import { INSTANCE_LOG } from './instance-log.ts';

const requestDenied = defineEvent('request.denied', 'denied-request', z.object(REFUSALS));
const tokenRefused = defineEvent('token.refused', 'refused-token', z.object(REFUSALS));
const unknownLoginFailed = defineEvent(
  'login.unknown_failed',
  'unknown-login-failed',
  z.object({ method: z.string(), ...REFUSALS }),
);
const codeRefused = defineEvent('code.refused', 'refused-code', z.object({ kind: z.string(), ...REFUSALS }));

/**
 * Credentials that are presented once, outside of a login: by the error code of the refusal, the kind in its event.
 * Refusals of logins and enrollments are recorded where they happen, because the identity is known there.
 */
export const REFUSED_CODES: ReadonlyMap<string, string> = new Map([
  ['instance.setup_code', 'set-up'],
  ['password_reset.invalid', 'password-reset'],
  ['invitation.invalid', 'invitation'],
  ['sign_up.invalid_code', 'sign-up'],
  ['auth.stale_session', 'session'],
  ['auth.several_sessions', 'session'],
  ['auth.metrics', 'metrics'],
  ['command_line.invalid_code', 'command-line'],
]);

/**
 * Refusals that are a 400, since the caller can do the same in another way: of a change policy, of a change request of somebody
 * else, of an approval of other access than was meant, and of a link that proves too little. A 400 with a refusal as its cause is one, too.
 */
const DENIED_CODES: ReadonlySet<string> = new Set([
  'secret_approval.needed',
  'secret_approval.not_approved',
  'secret_approval.committer',
  'secret_approval.source',
  'secret_approval.renamed',
  'access_approval.renamed',
  'invitation.mailbox_unproven',
]);

/** Records a refused code of a kind, on the log of the instance: nothing of the code, nor of whom it was shown for. */
function noteRefusedCode(ctx: Context, kind: string, detail: string): Promise<void> {
  return ctx.noteRefusal(
    refusalOf(codeRefused, { kind }, { organizationId: INSTANCE_LOG, subject: kind, detail }),
    ctx,
  );
}

/**
 * Records the refusal of a request: a 403, a 400 that is one (`DENIED_CODES`), or a 401 for an invalid token or code, also where a limit of refusals answers 429
 * instead. Called once per response, after the rollback of the request. Refusals without an organization are recorded in the instance's own log;
 * a valid credential that is refused before the call is of its owner (`caller`) has the organization of that owner.
 *
 * @param operation The documented path: without IDs, names, or other input of the caller.
 */
export async function noteRefusedRequest(ctx: Context, error: unknown, operation: string): Promise<void> {
  if (!(error instanceof DomainError)) return;
  const refusal = refusalBehind(error);
  const { kind, code, refused } = refusal;
  if (kind === 'unauthenticated' && code === 'auth.invalid_token')
    return ctx.noteRefusal(refusalOf(tokenRefused, {}, { organizationId: INSTANCE_LOG, detail: operation }), ctx);
  const refusedKind = kind === 'unauthenticated' ? REFUSED_CODES.get(code) : undefined;
  if (refusedKind !== undefined) return noteRefusedCode(ctx, refusedKind, operation);
  const isDenied = DENIED_CODES.has(code) || (kind === 'bad_request' && isForbiddenError(refusal.cause));
  if (kind !== 'forbidden' && !isDenied) return;
  const actor = refusal.caller ?? ctx.actor;
  const organizationId = actor.type === 'anonymous' ? undefined : actor.organizationId;
  const detail = [operation, refused?.permission ?? code].join(' ');
  const projectId = organizationId ? placeOf(actor, ctx, refusal) : undefined;
  await ctx.noteRefusal(
    refusalOf(requestDenied, {}, { organizationId: organizationId ?? INSTANCE_LOG, projectId, detail }),
    { actor, request: ctx.request, now: () => ctx.now() },
  );
}

/**
 * The project of a refused request: the one in the refusal, otherwise the last one in which permissions were checked. The
 * refusal of a permission of the organization has none, whatever was looked up before: callers who are refused for a thing of
 * a project as for nothing read no event of another place. A service token always has one project.
 */
function placeOf(actor: Actor, { asked }: Context, { refused }: DomainError): string | undefined {
  const inRefusal = refused?.projectId === null ? undefined : (refused?.projectId ?? asked.projectId);
  const projectId = inRefusal ?? (actor.type === 'service' ? actor.projectId : undefined);
  return projectId !== undefined && isId(projectId) ? projectId.toLowerCase() : undefined;
}

/**
 * Records a refused login of an unknown actor: no such client, identity or e-mail address. IDs are recorded as they
 * are; other text, which may be a password, only as a mark (`Keyring.mark`).
 */
export async function noteUnknownLogin(ctx: Context, method: string, given: string): Promise<void> {
  const detail = isId(given) ? given.toLowerCase() : `#${ctx.keys.mark(given)}`;
  await ctx.noteRefusal(
    refusalOf(unknownLoginFailed, { method }, { organizationId: INSTANCE_LOG, subject: method, detail }),
    ctx,
  );
}
