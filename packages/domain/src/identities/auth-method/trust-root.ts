import { unauthenticated } from '../../kernel/index.ts';

/**
 * Who vouches for the credentials of a login method.
 *
 * - `private`: somebody that serves the owner of the identity alone, such as its cluster, directory, authority or key.
 *   Such a method may stay without a binding: it then admits everybody the trust root vouches for.
 * - `shared`: somebody that vouches for strangers as well, such as a cloud for all its customers. Such a method admits
 *   nobody until a binding says which of them it means. That the proof is genuine, or who issued it, is no binding.
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

/** What is asked of a login method here. */
interface Rooted {
  readonly title: string;
  readonly trustRoot: TrustRoot<never>;
}

export const PRIVATE: PrivateTrustRoot = { kind: 'private' };

/** The fields of which one has to be set before the method admits anybody; none where it is bound, or need not be. */
export function missingBindings({ trustRoot }: Rooted, config: object): string[] {
  const bindings = trustRoot.kind === 'shared' ? trustRoot.bindingsOf(config as never) : undefined;
  const fields = Object.entries(bindings ?? {});
  return fields.some(([, isBound]) => isBound) ? [] : fields.map(([name]) => name);
}

/** What an administrator should know of a configuration, in sentences; none where there is nothing to warn of. */
export function warningsOf(method: Rooted, config: object): string[] {
  const missing = missingBindings(method, config);
  return missing.length > 0 ? [unbound(method, missing)] : [];
}

/**
 * Asks before any proof is looked at.
 *
 * @throws DomainError 401 `auth_method.unbound` where a shared trust root is not bound.
 */
export function requireBound(method: Rooted, config: object): void {
  const missing = missingBindings(method, config);
  if (missing.length > 0) throw unauthenticated('auth_method.unbound', unbound(method, missing));
}

const unbound = ({ title, trustRoot }: Rooted, missing: readonly string[]) =>
  `${title} lets no one log in on this identity: ${trustRoot.kind === 'shared' ? trustRoot.with : ''} could. Set ${missing.join(' or ')}`;
