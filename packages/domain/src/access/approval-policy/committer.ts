import { statement, type Actor, type Context, type ServiceActor } from '../../kernel/index.ts';
import { actorOf } from './approver.ts';

/** A user, machine identity or service token that something is done for in its absence. */
export interface AbsentActor {
  readonly type: 'user' | 'identity' | 'service';
  readonly id: string;
}

/** No token: rules about the login of a token do not count in its absence. */
const NO_TOKEN = '00000000-0000-0000-0000-000000000000';

const IDENTITY = statement('absent.identity', 'select name from identities where organization_id = $1 and id = $2');
const SERVICE = statement(
  'absent.service_token',
  `select t.id, t.name, t.scopes, t.permissions, t.created_by as "createdBy" from service_tokens t
   where t.organization_id = $1 and t.project_id = $2 and t.id = $3 and (t.expires_at is null or t.expires_at > $4)
     and exists (select 1 from effective_memberships h
       where h.organization_id = $1 and h.project_id = $2 and h.actor_id = t.created_by)`,
);

/**
 * An absent actor as a caller, with its current rights. `undefined` if it was deleted, and for a service token of
 * another project, an expired one, or one whose creator has left the project.
 */
export async function absentActor(
  ctx: Context,
  { organizationId, projectId }: { readonly organizationId: string; readonly projectId: string },
  { type, id }: AbsentActor,
): Promise<Actor | undefined> {
  if (type === 'user') return actorOf(ctx, id);
  if (type === 'identity') {
    const [identity] = await ctx.sql<{ name: string }>(IDENTITY, [organizationId, id]);
    return (
      identity && { type, id, ...identity, organizationId, tokenId: NO_TOKEN, authMethod: '', isSuperAdmin: false }
    );
  }
  const [token] = await ctx.sql<Pick<ServiceActor, 'id' | 'name' | 'scopes' | 'permissions' | 'createdBy'>>(SERVICE, [
    organizationId,
    projectId,
    id,
    ctx.now(),
  ]);
  return token && { type, organizationId, projectId, ...token };
}
