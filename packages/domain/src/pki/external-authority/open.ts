import { tryCredentials } from '../../access/index.ts';
import { beginWork, remoteOf } from '../../connections/connection/index.ts';
import { connectionById, connectTo } from '../../connections/app-connection/index.ts';
import type { RemoteSession } from '../../family/index.ts';
import { DomainError, notFound, type Context } from '../../kernel/index.ts';
import type { Config, Issuer, Means, OpenAuthority } from './issuer.ts';
import { issuerOf, openExternalCredentials, type ExternalAuthorityRow } from './stored.ts';

/** The means by which an authority is reached, by a connection that may be used. */
async function meansOf(ctx: Context, issuer: Issuer, config: Config, session: RemoteSession): Promise<Means> {
  const { id } = issuer.connectionOf(config);
  const connection = await connectionById(ctx, id);
  if (!connection) throw notFound('app connection');
  return {
    io: remoteOf(ctx, session, connection),
    client: await connectTo(ctx, connection, session),
  };
}

/** An authority with its credentials, for one piece of work. The session redacts these. */
export async function openAuthority(
  ctx: Context,
  row: ExternalAuthorityRow,
  session: RemoteSession,
): Promise<OpenAuthority> {
  const issuer = issuerOf(row);
  const { fields, keys } = await openExternalCredentials(ctx, row);
  hideAll(session, fields);
  const config = { ...row.configuration, ...fields };
  return issuer.open(config, keys, await meansOf(ctx, issuer, config, session));
}

const hideAll = (session: RemoteSession, fields: Config) => {
  for (const value of Object.values(fields)) if (typeof value === 'string') session.hide(value);
};

/** Deadline of a check in milliseconds: a caller waits for it. */
const CHECK_MS = 30_000;

/** Which configuration is shown to an authority, for which project. */
interface Prepared {
  readonly organizationId: string;
  readonly projectId: string;
  readonly issuer: Issuer;
  readonly config: Config;
  /** What is kept besides the configuration of the same authority. */
  readonly before?: object | undefined;
}

/**
 * Shows a configuration to the authority. Comes before the transaction.
 *
 * @returns What has to be kept besides it.
 * @throws DomainError 400 with the message of the authority, redacted; 429 after many refusals.
 */
export function prepareKeys(ctx: Context, prepared: Prepared): Promise<object> {
  const { organizationId, projectId, issuer, config } = prepared;
  const target = issuer.systemOf?.(config) ?? issuer.connectionOf(config).id;
  return tryCredentials(ctx, { organizationId, projectId, what: issuer.type, target }, () => prepare(ctx, prepared));
}

async function prepare(ctx: Context, { issuer, config, before }: Prepared): Promise<object> {
  using session = beginWork(ctx, CHECK_MS);
  hideAll(session, Object.fromEntries([...issuer.sealedFields.keys()].map((name) => [name, config[name]])));
  try {
    return await issuer.prepare(config, await meansOf(ctx, issuer, config, session), before);
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    if (error.kind !== 'bad_request') throw error;
    throw new DomainError('bad_request', error.code, await session.redact(error.message));
  }
}
