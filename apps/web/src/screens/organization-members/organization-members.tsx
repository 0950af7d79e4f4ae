import { useQuery } from '@tanstack/react-query';
import { UserPlus } from 'lucide-react';
import { useAddress } from '../../app/address.ts';
import { ask } from '../../app/ask.ts';
import { useOrganizationId, useOrganizationRights } from '../../app/rights.ts';
import { Button } from '../../ui/button.tsx';
import { inputClass } from '../../ui/field.tsx';
import { Badge } from '../../ui/note.tsx';
import { Page } from '../../ui/page.tsx';
import { Queried } from '../../ui/query.tsx';
import { Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { addressOf, nameOf } from '../access/person.ts';
import { useOrganizationRoles } from '../access/project-roles.ts';
import { Invite } from './invite.tsx';
import { MemberPanel } from './member-panel.tsx';
import type { Member } from './member.ts';

/** The people of the organization. */
export function Screen() {
  const organizationId = useOrganizationId();
  const members = useQuery(ask('organizationMembers', 'list', { organizationId }));
  const may = useOrganizationRights();
  const [{ member, q = '', invite }, go] = useAddress();
  const roles = useOrganizationRoles();
  const roleName = ({ role, roleId }: Member) =>
    roles.find(({ id, slug }) => (roleId ? id === roleId : slug === role))?.name ?? role;
  return (
    <Page
      title="People"
      lead="Members of the organization. Which projects they are in, the projects say."
      actions={
        may('member', 'create') && (
          <Button kind="primary" onClick={() => go({ invite: 'people' })}>
            <UserPlus size={16} aria-hidden /> Invite people
          </Button>
        )
      }
    >
      <p>
        <input
          className={inputClass()}
          type="search"
          aria-label="Search people"
          placeholder="Search by name or e-mail"
          value={q}
          onChange={(event) => go({ q: event.target.value }, { replace: true })}
        />
      </p>
      <Queried query={members}>
        {({ users }) => {
          const opened = users.find(({ id }) => id === member);
          const words = q.toLowerCase();
          return (
            <>
              <Table
                label="People"
                rows={users.filter(({ user }) => `${nameOf(user)} ${addressOf(user)}`.toLowerCase().includes(words))}
                keyOf={({ id }) => id}
                empty="Nobody has this name: invite them."
                columns={[
                  { title: 'Name', cell: ({ user }) => nameOf(user) },
                  { title: 'E-mail', cell: ({ user }) => addressOf(user) },
                  { title: 'Role', cell: roleName },
                  { title: 'State', cell: (one) => <State {...one} /> },
                  { title: 'Since', cell: ({ createdAt }) => <Time at={createdAt} /> },
                  {
                    title: 'Details',
                    cell: ({ id, user }) => (
                      <Button kind="quiet" aria-label={`Open ${nameOf(user)}`} onClick={() => go({ member: id })}>
                        Open
                      </Button>
                    ),
                  },
                ]}
              />
              {opened && <MemberPanel member={opened} onClose={() => go({ member: undefined })} />}
            </>
          );
        }}
      </Queried>
      {invite && <Invite onClose={() => go({ invite: undefined })} />}
    </Page>
  );
}

const State = ({ isActive, status }: Member) =>
  !isActive ? (
    <Badge kind="bad">deactivated</Badge>
  ) : status === 'invited' ? (
    <Badge kind="warn">invited</Badge>
  ) : (
    <Badge kind="good">active</Badge>
  );
