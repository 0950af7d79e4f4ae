import { z } from 'zod';
import { badRequest, type Context } from '../kernel/index.ts';
import { requireSuperAdmin } from '../users/user/index.ts';

const Strategy = z.enum(['SOFTWARE', 'HSM']);

/** How the root key is kept: by the operator's own means, or in a hardware security module. */
export const EncryptionStrategy = z.object({ strategy: Strategy, enabled: z.boolean() });
export type EncryptionStrategy = z.output<typeof EncryptionStrategy>;

export const ChangeEncryptionStrategy = z.object({ strategy: Strategy });

/** The ways in which a root key can be kept, and which one is in use. @throws DomainError 403 for all but administrators of the instance. */
export function listEncryptionStrategies(ctx: Context): EncryptionStrategy[] {
  requireSuperAdmin(ctx);
  return [
    { strategy: 'SOFTWARE', enabled: true },
    { strategy: 'HSM', enabled: false },
  ];
}

/** Chooses how the root key is kept. @throws DomainError 403 as above; 400 for `HSM`: this server reaches none. */
export function changeEncryptionStrategy(ctx: Context, { strategy }: z.output<typeof ChangeEncryptionStrategy>): void {
  requireSuperAdmin(ctx);
  if (strategy === 'HSM')
    throw badRequest(
      'encryption_strategy.unavailable',
      'No hardware security module is configured. The root key comes from the environment or a file: select SOFTWARE',
    );
}
