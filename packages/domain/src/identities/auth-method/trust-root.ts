import { unauthenticated } from '../../kernel/index.ts';

/**
 * The trust root of a login method.
 * - `private`: it serves only the owner of the identity, such as its cluster, directory, authority or key. Such a
 *   method may have no binding: it then accepts all credentials of the trust root.
 * - `shared`: it also serves others, such as a cloud with all its customers. Such a method accepts no login until a
 *   binding selects the permitted ones. The authenticity of a proof, or its issuer, is not a binding.
 */
export type TrustRoot<Config> = PrivateTrustRoot | SharedTrustRoot<Config>;

export interface PrivateTrustRoot {
  readonly kind: 'private';
}

export interface SharedTrustRoot<Config> {
  readonly kind: 'shared';
  /** Who can present genuine credentials, for people: `every customer of AWS`. */
  readonly with: string;
  /**
   * The fields that can bind a login to callers whom the owner chose, each with whether it does. `undefined` where this
   * configuration has a private trust root after all.
   */
  bindingsOf(config: Config): Readonly<Record<string, boolean>> | undefined;
}

/** The properties of a login method that are used here. */
interface Rooted {
  readonly title: string;
  readonly trustRoot: TrustRoot<never>;
}

export const PRIVATE: PrivateTrustRoot = { kind: 'private' };

/** The fields of which one must be set before the method accepts logins; none if it is bound, or need not be. */
export function missingBindings({ trustRoot }: Rooted, config: object): string[] {
  const bindings = trustRoot.kind === 'shared' ? trustRoot.bindingsOf(config as never) : undefined;
  const fields = Object.entries(bindings ?? {});
  return fields.some(([, isBound]) => isBound) ? [] : fields.map(([name]) => name);
}

/** Warnings about a configuration for administrators, in sentences. */
export function warningsOf(method: Rooted, config: object): string[] {
  const missing = missingBindings(method, config);
  return missing.length > 0 ? [unbound(method, missing)] : [];
}

/**
 * Checks the binding before any credentials.
 *
 * @throws DomainError 401 `auth_method.unbound` if a shared trust root is not bound.
 */
export function requireBound(method: Rooted, config: object): void {
  const missing = missingBindings(method, config);
  if (missing.length > 0) throw unauthenticated('auth_method.unbound', unbound(method, missing));
}

const unbound = ({ title, trustRoot }: Rooted, missing: readonly string[]) =>
  `${title} lets no one log in on this identity: ${trustRoot.kind === 'shared' ? trustRoot.with : ''} could. Set ${missing.join(' or ')}`;
