import { RemoteSession, requireServed, wordsOf } from '../../family/index.ts';
import type { Context } from '../../kernel/index.ts';
import type { Remote } from './connector.ts';

/** Whose credentials are used. */
export interface Owner {
  readonly organizationId: string;
  readonly projectId?: string | null | undefined;
}

/** Deadline of one call in milliseconds. */
const CALL_MS = 10_000;
/** Of an answer: a page of secrets with their values. */
const MAX_BYTES = 8 * 1024 * 1024;
/** Maximum number of calls of one piece of work. */
const MAX_CALLS = 20_000;

/** Deadline of one piece of work in milliseconds; the next one continues with the rest. */
export const BUDGET_MS = 60_000;

/** A piece of work at the other system. */
export const beginWork = (ctx: Context, timeMs = BUDGET_MS): RemoteSession =>
  new RemoteSession(ctx, {
    ...{ timeMs, callMs: CALL_MS, maxCalls: MAX_CALLS },
    serviceUrls: ctx.settings.apps.serviceUrls,
  });

/** The means by which a connector calls the remote. */
export const remoteOf = (
  { settings: { apps, siteUrl } }: Context,
  session: RemoteSession,
  { organizationId, projectId }: Owner,
): Remote => ({
  now: session.now,
  externalId: projectId ?? organizationId,
  organizationId,
  settings: apps,
  siteUrl,
  connect: session.connect,
  hide: (credential) => session.hide(credential),
  async fetch(url, request) {
    const answer = await session.fetch(url, { maxBytes: MAX_BYTES, ...request, maxRedirects: 0 });
    requireServed(url, answer, session.now, wordsOf);
    return answer;
  },
});
