import type { Outputs } from '@coffer/client';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { useAddress } from '../../app/address.ts';
import { ask } from '../../app/ask.ts';
import { useProjectRights } from '../../app/rights.ts';
import { Button } from '../../ui/button.tsx';
import { Named } from '../../ui/named.tsx';
import { Badge } from '../../ui/note.tsx';
import { Queried } from '../../ui/query.tsx';
import { Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import access from '../access/access.module.css';
import { usePlannedChange } from '../access/planned.ts';
import { useProjectRoles } from '../access/project-roles.ts';
import { Roles } from '../access/roles.tsx';
import { Privileges } from '../privileges/privileges.tsx';
import { useIdentityPrivileges } from '../privileges/scope.ts';
import { AddIdentity } from './add-identity.tsx';
import { MemberPanel } from './member-panel.tsx';
import { texts } from './texts.ts';
import { words } from '../../ui/words.texts.ts';

type IdentityMembership = Outputs['projectIdentities']['list']['identityMemberships'][number];

export function Identities({ projectId }: { readonly projectId: string }) {
  const identities = useQuery(ask('projectIdentities', 'list', { projectId }));
  const may = useProjectRights(projectId);
  const [{ member: opened }, go] = useAddress();
  const [isAdding, setAdding] = useState(false);
  const known = useProjectRoles(projectId);
  return (
    <>
      <div className={access['tools']}>
        <span />
        {may('identity', 'create') && (
          <Button kind="primary" onClick={() => setAdding(true)}>
            <Plus size={16} aria-hidden /> {texts.addMachineIdentity}
          </Button>
        )}
      </div>
      <Queried query={identities}>
        {({ identityMemberships }) => {
          const shown = identityMemberships.find(({ id }) => id === opened);
          return (
            <>
              <Table
                label={words.machineIdentities}
                rows={identityMemberships}
                keyOf={({ id }) => id}
                empty={texts.noMachineIsInThisProject}
                columns={[
                  { title: words.name, cell: ({ identity }) => <IdentityLink {...identity} /> },
                  { title: words.roles, cell: ({ roles }) => <Roles roles={roles} known={known} /> },
                  { title: texts.loginMethods, cell: ({ identity }) => <Methods methods={identity.authMethods} /> },
                  { title: texts.inProjectSince, cell: ({ createdAt }) => <Time at={createdAt} /> },
                  {
                    title: words.details,
                    cell: ({ id, identity }) => (
                      <Button
                        kind="quiet"
                        onClick={() => go({ member: id })}
                        aria-label={texts.openName(identity.name)}
                      >
                        {words.open}
                      </Button>
                    ),
                  },
                ]}
              />
              {shown && (
                <OneIdentity
                  projectId={projectId}
                  membership={shown}
                  onClose={() => go({ member: undefined, privilege: undefined })}
                />
              )}
            </>
          );
        }}
      </Queried>
      {isAdding && <AddIdentity projectId={projectId} onClose={() => setAdding(false)} />}
    </>
  );
}

const IdentityLink = ({ id, name }: { readonly id: string; readonly name: string }) => (
  <Named id={id}>
    <Link to="/organization/identities/$identityId" params={{ identityId: id }}>
      {name}
    </Link>
  </Named>
);

const Methods = ({ methods }: { readonly methods: readonly string[] }) =>
  methods.length === 0 ? <Badge kind="warn">{texts.noneItCannotLog}</Badge> : methods.join(', ');

function OneIdentity({
  projectId,
  membership: { identityId, identity, roles },
  onClose,
}: {
  readonly projectId: string;
  readonly membership: IdentityMembership;
  readonly onClose: () => void;
}) {
  const may = useProjectRights(projectId);
  const update = usePlannedChange('projectIdentities', 'update');
  const remove = usePlannedChange('projectIdentities', 'remove');
  const [{ privilege = '' }] = useAddress();
  const privileges = useIdentityPrivileges(projectId, identityId, privilege === 'new' ? '' : privilege);
  return (
    <MemberPanel
      projectId={projectId}
      title={identity.name}
      about={{ identityId }}
      lead={
        <Link to="/organization/identities/$identityId" params={{ identityId }}>
          {texts.loginMethodsAndCredentials}
        </Link>
      }
      roles={roles}
      seen={{ identity: identityId }}
      update={may('identity', 'edit') ? update : undefined}
      toInput={(next) => ({ projectId, identityId, roles: next })}
      remove={may('identity', 'delete') ? remove : undefined}
      removed={{ projectId, identityId }}
      onClose={onClose}
    >
      <Privileges of={identity.name} projectId={projectId} scope={privileges} isEditable={may('identity', 'edit')} />
    </MemberPanel>
  );
}
