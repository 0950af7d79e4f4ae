import { DomainError, Email, issuePasswordReset, openCoffer } from '@coffer/domain';
import { addressOf } from '../config.ts';
import { EXIT, StartError } from '../start-error.ts';
import { log, nothingIsCalled, withDatabase } from './open.ts';

/** Makes a link with which somebody who forgot a password chooses another one. Nobody types passwords here. */
export function makeResetLink(given: string): Promise<void> {
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
      const link = email === undefined ? undefined : await issuePasswordReset(ctx, { email }).catch(noneIfUnknown);
      if (link === undefined) throw new StartError('nobody has an account with this e-mail address', EXIT.bug);
      console.log(`For ${email} alone, once and within an hour:\n${link}`);
    } finally {
      await coffer.close();
    }
  });
}

function noneIfUnknown(error: unknown): undefined {
  if (!(error instanceof DomainError && error.kind === 'not_found')) throw error;
}
