import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { ask } from '../../app/ask.ts';
import { Button } from '../../ui/button.tsx';
import { Detail, Facts, Part } from '../../ui/detail.tsx';
import { EventsLink } from '../../ui/events-link.tsx';
import { Queried } from '../../ui/query.tsx';
import { Time } from '../../ui/time.tsx';
import { toast } from '../../ui/toast.tsx';
import { usePlannedChange } from '../access/planned.ts';
import { useOrganizationRoles } from '../access/project-roles.ts';
import { Remove } from '../access/remove.tsx';
import { LoginMethods } from './login-methods.tsx';
import type { Membership } from './membership.ts';
import { Settings } from './settings.tsx';

/** One machine identity: how it logs in, where it is a member. */
export function Screen() {
  const { identityId = '' } = useParams({ strict: false });
  const found = useQuery(ask('identities', 'get', { identityId }));
  return <Queried query={found}>{({ identity }) => <Identity membership={identity} />}</Queried>;
}

function Identity({ membership }: { readonly membership: Membership }) {
  const { identityId, identity, customRole, role, metadata, createdAt } = membership;
  const [isRemoving, setRemoving] = useState(false);
  const [isChanging, setChanging] = useState(false);
  const remove = usePlannedChange('identities', 'delete', { affects: ['identities', 'projectIdentities'] });
  const navigate = useNavigate();
  const roles = useOrganizationRoles();
  return (
    <Detail
      title={identity.name}
      events={{ about: { identityId } }}
      back={{ label: 'Machine identities', to: '/organization/identities' }}
      actions={
        <>
          <Button onClick={() => setChanging(true)}>Change</Button>
          <Button kind="danger" disabled={identity.hasDeleteProtection} onClick={() => setRemoving(true)}>
            Delete
          </Button>
        </>
      }
    >
      <Part title="Identity">
        <Facts
          of={[
            ['ID', <code key="id">{identityId}</code>],
            ['Role in the organization', customRole?.name ?? roles.find(({ slug }) => slug === role)?.name ?? role],
            ['Deletion', identity.hasDeleteProtection ? 'protected: change that first' : undefined],
            ...metadata.map(({ key, value }) => [key, value] as const),
            ['Created', <Time key="created" at={createdAt} />],
          ]}
        />
      </Part>
      <p>
        <Link to="/organization/effective" search={{ identity: identityId }}>
          What {identity.name} may do in the organization, and why
        </Link>
        {' · '}
        <EventsLink of={{ actor: identityId }}>What {identity.name} has done</EventsLink>
      </p>
      <LoginMethods identityId={identityId} attached={identity.authMethods} />
      <Projects identityId={identityId} />
      {isChanging && <Settings membership={membership} onClose={() => setChanging(false)} />}
      {isRemoving && (
        <Remove
          title={`Delete ${identity.name}`}
          submit="Delete"
          planned={remove}
          input={{ identityId }}
          onClose={() => setRemoving(false)}
          onDone={() => {
            toast(`${identity.name} is deleted.`);
            navigate({ to: '/organization/identities' }).catch(() => undefined);
          }}
        >
          Programs that use {identity.name} stop working: its tokens are revoked at once, in all projects.
        </Remove>
      )}
    </Detail>
  );
}

function Projects({ identityId }: { readonly identityId: string }) {
  const projects = useQuery(ask('identities', 'listProjects', { identityId }));
  return (
    <Part title="Projects">
      <Queried query={projects}>
        {({ identityMemberships }) =>
          identityMemberships.length === 0 ? (
            <p>In none yet: add it in a project, under Access.</p>
          ) : (
            <ul>
              {identityMemberships.map(({ id, project, roles }) => (
                <li key={id}>
                  <Link
                    to="/projects/$projectId/access"
                    params={{ projectId: project.id }}
                    search={{ tab: 'identities', member: id }}
                  >
                    {project.name}
                  </Link>
                  : {roles.map(({ customRoleName, role }) => customRoleName ?? role).join(', ')}
                </li>
              ))}
            </ul>
          )
        }
      </Queried>
    </Part>
  );
}
