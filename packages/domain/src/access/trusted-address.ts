import { addressMatcher, DomainError, forbidden, type Context, type TrustedAddress } from '../kernel/index.ts';

/** Whether a project permits calls from an address; `undefined` if it permits all. */
export type Admits = ((address: string) => boolean) | undefined;

/** The active entries of a project ($2), as a column of the statement that reads a caller's grants. */
export const TRUSTED_ADDRESSES = `(
  select jsonb_agg(jsonb_strip_nulls(jsonb_build_object('ipAddress', t.ip_address, 'type', t.type, 'prefix', t.prefix)))
  from trusted_ips t where t.project_id = $2::uuid and t.is_active)`;

export interface TrustedColumn {
  trusted: TrustedAddress[] | null;
}

export const addressesAdmitted = (row: TrustedColumn | undefined): Admits =>
  row?.trusted ? addressMatcher(row.trusted) : undefined;

const UNTRUSTED = 'project.untrusted_address';

/**
 * Called whenever rights of an actor in a project are evaluated, cached or not: the entries belong to the project, the
 * address to the call.
 *
 * @throws DomainError 403 if the project does not trust the address of the call.
 */
export function requireTrustedAddress({ request }: Context, admits: Admits): void {
  if (!admits || request.isBackground || admits(request.ipAddress)) return;
  throw forbidden(
    UNTRUSTED,
    `This project does not trust the address ${request.ipAddress}. Call from a trusted IP address of the project, or ask an administrator of the project to add this address`,
  );
}

export const isUntrustedAddress = (error: unknown): boolean => error instanceof DomainError && error.code === UNTRUSTED;
