import { z } from 'zod';
import { organizationOf } from '../../access/index.ts';
import type { Context } from '../../kernel/index.ts';
import { tryProvider } from './call.ts';
import { azureEntraId, usersOf } from './providers/azure-entra-id/index.ts';
import { Application as EntraApplication } from './providers/azure-entra-id/inputs.ts';

export { EntraApplication };
export const EntraUser = z.object({ id: z.string(), name: z.string(), email: z.string() });
export type EntraUser = z.output<typeof EntraUser>;

/**
 * The users of a tenant of Microsoft Entra ID, for the choice of the one of a dynamic secret. Nothing of Coffer is read: the
 * credentials are those of the caller.
 *
 * @throws DomainError 400 where the tenant refuses them; 429 after many refusals.
 */
export function listEntraUsers(ctx: Context, application: z.output<typeof EntraApplication>): Promise<EntraUser[]> {
  const inputs = { ...application, userId: '', email: '' };
  const called = { organizationId: organizationOf(ctx), provider: azureEntraId, inputs };
  return tryProvider(ctx, called, (_inputs, io) => usersOf(application, io));
}
