import { at, DomainError, inTransaction, statement, type Context } from '../../kernel/index.ts';
import { signerOf } from '../authority/index.ts';
import { refused } from '../constraint/index.ts';
import { defineRenewal, type Due } from '../renewal/index.ts';
import type { KeyAlgorithm } from '../x509.ts';
import { renewalRules, renewKnown, usualEnd } from './renew.ts';
import { lockCertificate } from './stored.ts';

/**
 * SQL: whether the certificate `t`, with this further condition, is due for auto-renewal at the time `$1`. None is renewed
 * more than 30 days before its expiry (MAX_RENEW_BEFORE), which the index scan uses.
 */
export const isDueForRenewal = (further: string): string =>
  `t.renew_before_days is not null and t.status = 'active' and ${further} and t.private_key is not null
    and t.not_after > $1 and t.not_after <= $1::timestamptz + interval '31 days'
    and t.not_after - least(make_interval(days => t.renew_before_days), (t.not_after - t.not_before) / 2) <= $1
    and not exists (select from certificates r where r.renewed_from_id = t.id)`;

/** Certificates due for auto-renewal, each with a new key. */
const certificates = defineRenewal({
  name: 'certificate',
  table: 'certificates',
  isDue: isDueForRenewal('t.ca_id is not null'),
  order: 't.renewal_failed_at nulls first, t.not_after',
  schedule: '1,11,21,31,41,51 * * * *',
  renew,
  failed: renewalFailed,
});

export const {
  renewJob: renewCertificateJob,
  findJob: dueCertificates,
  enqueueDue: enqueueDueCertificates,
} = certificates;

async function renew(ctx: Context, { id }: Due): Promise<void> {
  const row = await inTransaction(ctx, (tx) => lockCertificate(tx, id));
  if (row.caId === null) return;
  if (usualEnd(ctx, row, await signerOf(ctx, row.caId)) <= at(row.notAfter))
    throw refused('certificate_authority.ends', 'The certificate ends with its authority: renew the authority first');
  const rules = await renewalRules(ctx, row);
  await renewKnown(ctx, row, { key: { make: row.keyAlgorithm as KeyAlgorithm }, ...rules });
}

const FAILED = statement(
  'certificates.renewal_failed',
  'update certificates set renewal_error = $2, renewal_failed_at = $3 where id = $1',
);

/** Stores the error for readers of the certificate. */
export async function renewalFailed(ctx: Context, { id }: Due, error: unknown): Promise<void> {
  const why = error instanceof DomainError ? error.message : 'Internal error; the log of the server has the details';
  await inTransaction(ctx, (tx) => tx.sql(FAILED, [id, why, tx.now()]));
}
