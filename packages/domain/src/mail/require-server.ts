import { badRequest, type Context } from '../kernel/index.ts';

/** @throws DomainError 400 `mail.not_configured` without a mail server; the message names the alternative. */
export function requireMailServer({ settings }: Pick<Context, 'settings'>, instead: string): void {
  if (!settings.emailConfigured) throw badRequest('mail.not_configured', `No mail server is configured: ${instead}`);
}
