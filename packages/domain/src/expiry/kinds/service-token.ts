import { serviceTokenPermissions } from '../../access/service-token/index.ts';
import { defineEnds } from '../kind.ts';

export const serviceTokens = defineEnds({
  kind: 'service-token',
  from: 'service_tokens t left join users u on u.id = t.created_by',
  where: 't.organization_id = board.organization_id and t.project_id = board.project_id',
  id: 't.id',
  endsAt: 't.expires_at',
  name: 't.name',
  of: 'u.username',
  mayRead: ({ ability, projectId }) =>
    ability.can(serviceTokenPermissions.read, { projectId }) ? () => true : undefined,
});
