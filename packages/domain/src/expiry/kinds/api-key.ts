import { defineEnds } from '../kind.ts';

/** The caller's own, for callers with a session: an API key sees no keys. */
export const apiKeys = defineEnds({
  kind: 'api-key',
  places: ['organization'],
  from: 'user_api_keys k',
  where: 'k.organization_id = board.organization_id and k.user_id = board.actor_id and board.project_id is null',
  id: 'k.id',
  endsAt: 'k.expires_at',
  name: 'k.name',
  mayRead: ({ ctx: { actor } }) => (actor.type === 'user' && actor.sessionId !== undefined ? () => true : undefined),
});
