import { z } from 'zod';
import { INSTANCE_LOG } from '../../audit/index.ts';
import {
  badRequest,
  defineEvent,
  Email,
  explainConstraint,
  inTransaction,
  newId,
  notFound,
  record,
  type Context,
  type Transaction,
} from '../../kernel/index.ts';
import { requireMailServer } from '../../mail/index.ts';
import { foundOrganization, OrganizationName } from '../../organizations/organization/index.ts';
import { hashNewPassword } from '../../users/password/index.ts';
import { openSession, type OpenedSession } from '../../users/session/index.ts';
import {
  addUser,
  completeUser,
  FirstName,
  LastName,
  NewPassword,
  toUser,
  unstoredUser,
  UserEntity,
  type User,
} from '../../users/user/index.ts';
import { accountOf, requireAdmission, type KnownAccount } from './admission.ts';
import { sendSignUpCode } from './mail.ts';
import {
  refusedProof,
  requireProof,
  signUpCodes,
  takeCode,
  takeProof,
  type AskSignUp,
  type VerifySignUp,
} from './proof.ts';

explainConstraint('users_email_unique', 'This e-mail address already has an account, or an invitation to complete one');
explainConstraint(
  'users_username_unique',
  'This e-mail address already has an account, or an invitation to complete one',
);

export const SignUp = z.object({
  email: Email,
  password: NewPassword,
  firstName: FirstName,
  lastName: LastName.optional(),
  organizationName: OrganizationName.optional().describe('Creates an organization that the new user administers'),
  token: z
    .string()
    .trim()
    .max(255)
    .optional()
    .describe('From the verified code, unless it is sent as Authorization: Bearer'),
});
export type SignUp = z.output<typeof SignUp>;

export const userSignedUp = defineEvent(
  'user.signed_up',
  'create-user',
  z.object({ userId: z.string(), username: z.string() }),
);

export const signUpVerified = defineEvent('user.sign_up_verified', 'verify-sign-up', z.object({ email: z.string() }));
export const signUpLinkIssued = defineEvent(
  'user.sign_up_link_issued',
  'issue-sign-up-link',
  z.object({ email: z.string() }),
);

/**
 * Sends a code to an address, with which its owner creates or completes an account: the response is the same for every
 * address.
 *
 * @throws DomainError 400 `mail.not_configured` if this server sends no e-mail.
 */
export function askSignUp(ctx: Context, { email }: AskSignUp): Promise<void> {
  requireMailServer(
    ctx,
    'ask an administrator for an invitation, or the operator of this server for a link for an invited user: `npm run coffer -- users sign-up-link <email>`',
  );
  return sendSignUpCode(ctx, email);
}

/**
 * Creates a link for an invited user, to be handed over by the operator, who vouches for the mailbox.
 *
 * @throws DomainError 404 if this address is not invited, or has an account already.
 */
export function issueSignUpLink(ctx: Context, { email }: AskSignUp): Promise<string> {
  return inTransaction(ctx, async (tx) => {
    const account = await accountOf(tx, email);
    if (!account?.isInvited || account.isAccepted) throw notFound('invitation', { email });
    const code = await signUpCodes.make(tx, { id: newId(), owner: email, askedAt: tx.now() });
    record(tx, signUpLinkIssued, { email }, { organizationId: INSTANCE_LOG });
    return signUpCodes.link(tx, { email, code });
  });
}

/**
 * Exchanges a mailed code for the token that completes the account.
 *
 * @returns The account before that: an incomplete one, or one that is not stored yet.
 * @throws DomainError 401 for a code that is unknown, expired, used, superseded or for another address.
 */
export function verifySignUp(ctx: Context, input: VerifySignUp): Promise<{ user: User; token: string }> {
  return inTransaction(ctx, async (tx) => {
    const token = await takeCode(tx, input);
    const account = await accountOf(tx, input.email);
    if (account?.isAccepted) throw refusedProof();
    const user = account ? await tx.em.findOneOrFail(UserEntity, { id: account.id }) : unstoredUser(tx, input.email);
    record(tx, signUpVerified, { email: input.email }, { organizationId: INSTANCE_LOG });
    return { user: toUser(user), token };
  });
}

interface SignedUp {
  readonly user: User;
  readonly session: OpenedSession;
  readonly organizationId: string | null;
}

/**
 * Creates an account for a user with a verified mailbox, if the instance allows the address or an organization invited
 * it: invitations are accepted afterwards, each by its own link. Without verification only if addresses of any domain
 * may sign up and no e-mail can be sent.
 *
 * @throws DomainError 403 if sign-up is closed or the domain is not allowed, 400 without a required verification and
 * for an existing address, 401 for an invalid verification.
 */
export function signUp(ctx: Context, input: SignUp): Promise<SignedUp> {
  return input.token === undefined ? signUpUnproven(ctx, input) : completeProven(ctx, input, input.token);
}

async function signUpUnproven(ctx: Context, input: SignUp): Promise<SignedUp> {
  const { email } = input;
  const { isByDomain } = await requireAdmission(ctx, email);
  const { emailConfigured } = ctx.settings;
  if (isByDomain || emailConfigured)
    throw badRequest(
      'sign_up.unproven',
      emailConfigured
        ? 'Verify the address first: POST /api/v3/signup/email/signup sends a code to it, POST /api/v3/signup/email/verify exchanges the code for the token of this operation'
        : 'Addresses must be verified on this instance, and this server sends no e-mail: ask an administrator for an invitation',
    );
  const passwordHash = await hashNewPassword(ctx, input, { isStranger: true });
  return inTransaction(ctx, (tx) => enter(tx, input, { account: undefined, isEmailVerified: false, passwordHash }));
}

async function completeProven(ctx: Context, input: SignUp, token: string): Promise<SignedUp> {
  await requireProof(ctx, input.email, token);
  const passwordHash = await hashNewPassword(ctx, input);
  return inTransaction(ctx, async (tx) => {
    await takeProof(tx, input.email, token);
    const account = await accountOf(tx, input.email);
    // Completed in another way since the code was shown.
    if (account?.isAccepted) throw refusedProof();
    if (!account?.isInvited) await requireAdmission(tx, input.email);
    return enter(tx, input, { account, isEmailVerified: true, passwordHash });
  });
}

interface Standing {
  /** The incomplete account of an address; a new one if there is none. */
  readonly account: KnownAccount | undefined;
  readonly isEmailVerified: boolean;
  readonly passwordHash: string;
}

async function enter(tx: Transaction, input: SignUp, standing: Standing): Promise<SignedUp> {
  const { account, isEmailVerified, passwordHash } = standing;
  const { email, firstName, lastName, organizationName } = input;
  const completed = { firstName, lastName: lastName || null, passwordHash, isAccepted: true, isEmailVerified };
  const user = account ? await completeUser(tx, account.id, completed) : await addUser(tx, { email, ...completed });
  const organization = organizationName ? await foundOrganization(tx, organizationName, user.id) : undefined;
  const organizationId = organization?.id ?? null;
  const session = await openSession(tx, user, organizationId);
  const signedUp = { userId: user.id, username: email };
  record(tx, userSignedUp, signedUp, { organizationId: organizationId ?? INSTANCE_LOG });
  return { user: toUser(user), session, organizationId };
}
