import { z } from 'zod';
import { badRequest, type Context } from '../kernel/index.ts';
import { requireSuperAdmin } from '../users/user/index.ts';

const Strategy = z.enum(['SOFTWARE', 'HSM']);

/** How the root key is stored: by the operator, or in a hardware security module. */
export const EncryptionStrategy = z.object({ strategy: Strategy, enabled: z.boolean() });
export type EncryptionStrategy = z.output<typeof EncryptionStrategy>;

export const ChangeEncryptionStrategy = z.object({ strategy: Strategy });

/**
 * The possible storages of the root key, and the current one.
 *
 * @throws DomainError 403 for all but administrators of the instance.
 */
export function listEncryptionStrategies(ctx: Context): EncryptionStrategy[] {
  requireSuperAdmin(ctx);
  return [
    { strategy: 'SOFTWARE', enabled: true },
    { strategy: 'HSM', enabled: false },
  ];
}

/**
 * Selects the storage of the root key.
 *
 * @throws DomainError 403 as above; 400 for `HSM`, which is not supported.
 */
export function changeEncryptionStrategy(ctx: Context, { strategy }: z.output<typeof ChangeEncryptionStrategy>): void {
  requireSuperAdmin(ctx);
  if (strategy === 'HSM')
    throw badRequest(
      'encryption_strategy.unavailable',
      'No hardware security module is configured. The root key comes from the environment or a file: select SOFTWARE',
    );
}
