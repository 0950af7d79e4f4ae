import { BucketExports, DirectoryExports, DomainError, type ExportStore, type OutboundFetch } from '@coffer/domain';
import type { Logger } from 'pino';
import type { Config } from './config.ts';
import { EXIT, StartError } from './start-error.ts';

const DEFAULT_REGION = 'us-east-1';
/** What the store did not answer, which may pass. */
const UNANSWERED = new Set(['outbound.unreachable', 'outbound.timeout', 'outbound.bad_response', 'remote.throttled']);

/** Where the oldest events of the audit log are exported; `undefined` where the operator has named no place. */
export function exportStoreOf(config: Config, fetch: OutboundFetch): ExportStore | undefined {
  const {
    COFFER_AUDIT_EXPORT_DIRECTORY: directory,
    COFFER_AUDIT_EXPORT_S3_BUCKET: bucket,
    COFFER_AUDIT_EXPORT_S3_ACCESS_KEY_ID: accessKeyId,
    COFFER_AUDIT_EXPORT_S3_SECRET_ACCESS_KEY: secretAccessKey,
  } = config;
  if (directory !== undefined) return new DirectoryExports(directory);
  if (bucket === undefined || accessKeyId === undefined || secretAccessKey === undefined) return undefined;
  return new BucketExports(
    { fetch, now: () => new Date() },
    {
      url: config.COFFER_AUDIT_EXPORT_S3_URL,
      bucket,
      region: config.COFFER_AUDIT_EXPORT_S3_REGION ?? DEFAULT_REGION,
      prefix: config.COFFER_AUDIT_EXPORT_S3_PREFIX,
      keys: { accessKeyId, secretAccessKey },
    },
  );
}

/**
 * Tries whether something can be stored, before there is something to store. A store that does not answer now may answer when it is needed.
 *
 * @throws StartError if nothing can be stored there.
 */
export async function checkExports(store: ExportStore, log: Logger): Promise<void> {
  try {
    await store.check();
  } catch (error) {
    const reason = (error as Error).message;
    if (error instanceof DomainError && UNANSWERED.has(error.code)) {
      log.error(
        { place: store.place, reason },
        'The store for exports of the audit log does not answer; nothing is exported until it does',
      );
      return;
    }
    const variable =
      store instanceof DirectoryExports ? 'COFFER_AUDIT_EXPORT_DIRECTORY' : 'COFFER_AUDIT_EXPORT_S3_BUCKET';
    throw new StartError(`${variable}: nothing can be written there: ${reason}`, EXIT.configuration, { cause: error });
  }
}
