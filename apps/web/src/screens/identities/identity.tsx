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
import { nameOfProjectRole, useOrganizationRoles } from '../access/project-roles.ts';
import { Remove } from '../access/remove.tsx';
import { LoginMethods } from './login-methods.tsx';
import type { Membership } from './membership.ts';
import { useRightsOnIdentity } from './rights.ts';
import { Settings } from './settings.tsx';
import { texts } from './texts.ts';
import { words } from '../../ui/words.texts.ts';

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
  const may = useRightsOnIdentity(identity);
  return (
    <Detail
      title={identity.name}
      events={{ about: { identityId } }}
      back={{ label: words.machineIdentities, to: '/organization/identities' }}
      actions={
        <>
          {may('edit') && <Button onClick={() => setChanging(true)}>{words.change}</Button>}
          {may('delete') && (
            <Button kind="danger" disabled={identity.hasDeleteProtection} onClick={() => setRemoving(true)}>
              {words.delete}
            </Button>
          )}
        </>
      }
    >
      <Part title={texts.identity}>
        <Facts
          of={[
            [texts.id, <code key="id">{identityId}</code>],
            [words.roleInTheOrganization, customRole?.name ?? roles.find(({ slug }) => slug === role)?.name ?? role],
            [texts.deletion, identity.hasDeleteProtection ? texts.protectedChangeThatFirst : undefined],
            ...metadata.map(({ key, value }) => [key, value] as const),
            [words.created, <Time key="created" at={createdAt} />],
          ]}
        />
      </Part>
      <p>
        <Link to="/organization/effective" search={{ identity: identityId }}>
          {texts.whatMayDoInOrganization(identity.name)}
        </Link>
        {' · '}
        <EventsLink of={{ actor: identityId }}>{texts.whatHasDone(identity.name)}</EventsLink>
      </p>
      <LoginMethods identityId={identityId} attached={identity.authMethods} may={may} />
      <Projects identityId={identityId} />
      {isChanging && <Settings membership={membership} onClose={() => setChanging(false)} />}
      {isRemoving && (
        <Remove
          title={texts.deleteName(identity.name)}
          submit={words.delete}
          planned={remove}
          input={{ identityId }}
          onClose={() => setRemoving(false)}
          onDone={() => {
            toast(texts.isDeleted(identity.name));
            navigate({ to: '/organization/identities' }).catch(() => undefined);
          }}
        >
          {texts.programsThatUseStop(identity.name)}
        </Remove>
      )}
    </Detail>
  );
}

function Projects({ identityId }: { readonly identityId: string }) {
  const projects = useQuery(ask('identities', 'listProjects', { identityId }));
  return (
    <Part title={words.projects}>
      <Queried query={projects}>
        {({ identityMemberships }) =>
          identityMemberships.length === 0 ? (
            <p>{texts.inNoneYet}</p>
          ) : (
            <ul>
              {identityMemberships.map(({ id, project, roles: held }) => (
                <li key={id}>
                  <Link
                    to="/projects/$projectId/access"
                    params={{ projectId: project.id }}
                    search={{ tab: 'identities', member: id }}
                  >
                    {project.name}
                  </Link>
                  : {held.map(nameOfProjectRole).join(', ')}
                </li>
              ))}
            </ul>
          )
        }
      </Queried>
    </Part>
  );
}
