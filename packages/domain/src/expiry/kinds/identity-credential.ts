import { mayReadTokens } from '../../identities/identity/index.ts';
import { defineEnds, type Board } from '../kind.ts';

/** Credentials of machine identities: of those of the organization, or of the project. */
const ofIdentity = (owner: string) => ({
  places: ['project', 'organization'] as const,
  where: `i.organization_id = board.organization_id and i.project_id is not distinct from board.project_id
    and not ${owner}.is_revoked`,
  of: 'i.name',
  columns: 'i.id as "identityId"',
  mayRead:
    ({ ability, projectId }: Board) =>
    ({ identityId }: { readonly identityId: string }) =>
      mayReadTokens(ability, { id: identityId, projectId: projectId ?? null }),
  details: ({ identityId }: { readonly identityId: string }) => ({ identityId }),
});

/** Those of Universal Auth that have a TTL. */
export const clientSecrets = defineEnds<{ identityId: string }>({
  ...ofIdentity('s'),
  kind: 'client-secret',
  from: `identities i join identity_auth_methods m on m.identity_id = i.id
    join client_secrets s on s.auth_method_id = m.id and s.ttl > 0`,
  id: 's.id',
  endsAt: 's.created_at + make_interval(secs => s.ttl)',
  name: `coalesce(nullif(s.description, ''), s.prefix || '…')`,
});

/** Those of Token Auth, which people make; the tokens of logins are renewed by logging in again. */
export const accessTokens = defineEnds<{ identityId: string }>({
  ...ofIdentity('t'),
  kind: 'access-token',
  from: `identities i join identity_auth_methods m on m.identity_id = i.id and m.kind = 'token-auth'
    join identity_access_tokens t on t.auth_method_id = m.id`,
  id: 't.id',
  endsAt: 't.expires_at',
  name: `coalesce(t.name, 'unnamed')`,
});
