import type { Outputs } from '@coffer/client';
import { useQuery } from '@tanstack/react-query';
import { useAddress } from '../../app/address.ts';
import { ask } from '../../app/ask.ts';
import { useProjectRights } from '../../app/rights.ts';
import { addressBeside, addressOf, givenNameOf, nameOf } from '../access/person.ts';
import { usePlannedChange } from '../access/planned.ts';
import { Privileges } from '../privileges/privileges.tsx';
import { useUserPrivileges } from '../privileges/scope.ts';
import { AddPeople } from './add-people.tsx';
import { MemberPanel } from './member-panel.tsx';
import { Memberships } from './memberships.tsx';
import { texts } from './texts.ts';
import { words } from '../../ui/words.texts.ts';

type Member = Outputs['projectMembers']['list']['memberships'][number];

export function People({ projectId }: { readonly projectId: string }) {
  const may = useProjectRights(projectId);
  return (
    <Memberships
      projectId={projectId}
      query={useQuery({ ...ask('projectMembers', 'list', { projectId }), select: ({ memberships }) => memberships })}
      label={words.people}
      empty={texts.nobodyIsMemberOfThisProject}
      nameOf={({ user }) => nameOf(user)}
      who={[
        { title: words.name, cell: ({ user }) => givenNameOf(user) },
        { title: words.eMail, cell: ({ user }) => addressOf(user) },
      ]}
      since={texts.memberSince}
      add={
        may('member', 'create') && {
          label: texts.addPeople,
          dialog: (close) => <AddPeople projectId={projectId} onClose={close} />,
        }
      }
      details={(member, close) => <Person projectId={projectId} member={member} onClose={close} />}
    />
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
