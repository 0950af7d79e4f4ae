import { DomainError, Email, issuePasswordReset, issueSignUpLink, openCoffer, type Context } from '@coffer/domain';
import { addressOf } from '../config.ts';
import { EXIT, StartError } from '../start-error.ts';
import { log, nothingIsCalled, withDatabase } from './open.ts';

type MakeLink = (ctx: Context, about: { email: string }) => Promise<string>;

/** Creates a recovery link for a user who has forgotten the password. Passwords are never typed here. */
export const makeResetLink = (email: string): Promise<void> =>
  printLink(email, issuePasswordReset, 'no account has this e-mail address');

/** Creates a link for an invited user to complete the account. */
export const makeSignUpLink = (email: string): Promise<void> =>
  printLink(email, issueSignUpLink, 'this e-mail address has no invitation, or already has an account');

function printLink(given: string, makeLink: MakeLink, unknown: string): Promise<void> {
  return withDatabase(async ({ config, rootKey, databaseUrl }) => {
    const email = Email.safeParse(given).data;
    const siteUrl = config.COFFER_SITE_URL ?? addressOf(config.HOST, config.PORT);
    const coffer = await openCoffer({
      databaseUrl,
      rootKey,
      fetch: nothingIsCalled,
      log,
      settings: { siteUrl },
      migrate: false,
      poolSize: 2,
    });
    try {
      const ctx = coffer.contextFor({ type: 'platform', organizationId: undefined });
      const link = email === undefined ? undefined : await makeLink(ctx, { email }).catch(noneIfUnknown);
      if (link === undefined) throw new StartError(unknown, EXIT.bug);
      console.log(`Only for ${email}, valid once, for one hour:\n${link}`);
    } finally {
      await coffer.close();
    }
  });
}

function noneIfUnknown(error: unknown): undefined {
  if (!(error instanceof DomainError && error.kind === 'not_found')) throw error;
}
