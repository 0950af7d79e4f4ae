import type { Actor } from './actor.ts';
import { clientNetwork } from './address.ts';
import type { RequestInfo } from './context.ts';

/** The caller of all work that no request waits for. */
const BACKGROUND = 'background';

/**
 * Who a call counts for, in limits and in turns: the actor, however many tokens, sessions and API keys it has. A service
 * token counts for the user who created it. Without an actor of its own, a request counts for its address.
 */
export function callerKeyOf(actor: Actor, { isBackground, ipAddress }: RequestInfo): string {
  if (isBackground) return BACKGROUND;
  if (actor.type === 'service') return actor.createdBy;
  return 'id' in actor ? actor.id : clientNetwork(ipAddress);
}
