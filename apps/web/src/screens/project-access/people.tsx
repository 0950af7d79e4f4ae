import type { Outputs } from '@coffer/client';
import { useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { useAddress } from '../../app/address.ts';
import { ask } from '../../app/ask.ts';
import { useProjectRights } from '../../app/rights.ts';
import { Button } from '../../ui/button.tsx';
import { Queried } from '../../ui/query.tsx';
import { Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import access from '../access/access.module.css';
import { addressBeside, addressOf, givenNameOf, nameOf } from '../access/person.ts';
import { usePlannedChange } from '../access/planned.ts';
import { useProjectRoles } from '../access/project-roles.ts';
import { Roles } from '../access/roles.tsx';
import { Privileges } from '../privileges/privileges.tsx';
import { useUserPrivileges } from '../privileges/scope.ts';
import { AddPeople } from './add-people.tsx';
import { MemberPanel } from './member-panel.tsx';
import { texts } from './texts.ts';
import { words } from '../../ui/words.texts.ts';

type Member = Outputs['projectMembers']['list']['memberships'][number];

export function People({ projectId }: { readonly projectId: string }) {
  const members = useQuery(ask('projectMembers', 'list', { projectId }));
  const may = useProjectRights(projectId);
  const [{ member: opened }, go] = useAddress();
  const [isAdding, setAdding] = useState(false);
  const known = useProjectRoles(projectId);
  return (
    <>
      <div className={access['tools']}>
        <span />
        {may('member', 'create') && (
          <Button kind="primary" onClick={() => setAdding(true)}>
            <Plus size={16} aria-hidden /> {texts.addPeople}
          </Button>
        )}
      </div>
      <Queried query={members}>
        {({ memberships }) => {
          const shown = memberships.find(({ id }) => id === opened);
          return (
            <>
              <Table
                label={words.people}
                rows={memberships}
                keyOf={({ id }) => id}
                empty={texts.nobodyIsMemberOfThisProject}
                columns={[
                  { title: words.name, cell: (one) => givenNameOf(one.user) },
                  { title: words.eMail, cell: (one) => addressOf(one.user) },
                  { title: words.roles, cell: ({ roles }) => <Roles roles={roles} known={known} /> },
                  { title: texts.memberSince, cell: ({ createdAt }) => <Time at={createdAt} /> },
                  {
                    title: words.details,
                    cell: (one) => (
                      <Button
                        kind="quiet"
                        onClick={() => go({ member: one.id })}
                        aria-label={texts.openName(nameOf(one.user))}
                      >
                        {words.open}
                      </Button>
                    ),
                  },
                ]}
              />
              {shown && (
                <Person
                  projectId={projectId}
                  member={shown}
                  onClose={() => go({ member: undefined, privilege: undefined })}
                />
              )}
            </>
          );
        }}
      </Queried>
      {isAdding && <AddPeople projectId={projectId} onClose={() => setAdding(false)} />}
    </>
  );
}

function Person({
  projectId,
  member: { id, user, roles },
  onClose,
}: {
  readonly projectId: string;
  readonly member: Member;
  readonly onClose: () => void;
}) {
  const may = useProjectRights(projectId);
  const update = usePlannedChange('projectMembers', 'update');
  const remove = usePlannedChange('projectMembers', 'remove');
  const [{ privilege = '' }] = useAddress();
  const privileges = useUserPrivileges(id, privilege === 'new' ? '' : privilege);
  return (
    <MemberPanel
      projectId={projectId}
      title={nameOf(user)}
      lead={addressBeside(user)}
      about={{ userId: user.id }}
      roles={roles}
      seen={{ user: user.id }}
      update={may('member', 'edit') ? update : undefined}
      toInput={(next) => ({ projectId, membershipId: id, roles: next })}
      remove={may('member', 'delete') ? remove : undefined}
      removed={{ projectId, membershipId: id }}
      onClose={onClose}
    >
      <Privileges of={nameOf(user)} projectId={projectId} scope={privileges} isEditable={may('member', 'edit')} />
    </MemberPanel>
  );
}
