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
import { addressOf, givenNameOf, nameOf } from '../access/person.ts';
import { useOrganizationRoles } from '../access/project-roles.ts';
import { Invite } from './invite.tsx';
import { MemberPanel } from './member-panel.tsx';
import type { Member } from './member.ts';
import { texts } from './texts.ts';
import { words } from '../../ui/words.texts.ts';

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
      title={words.people}
      lead={texts.membersOfOrganization}
      actions={
        may('member', 'create') && (
          <Button kind="primary" onClick={() => go({ invite: 'people' })}>
            <UserPlus size={16} aria-hidden /> {texts.invitePeople}
          </Button>
        )
      }
    >
      <p>
        <input
          className={inputClass()}
          type="search"
          aria-label={texts.searchPeople}
          placeholder={texts.searchByNameOrE}
          value={q}
          onChange={(event) => go({ q: event.target.value }, { replace: true })}
        />
      </p>
      <Queried query={members}>
        {({ users }) => {
          const opened = users.find(({ id }) => id === member);
          const wanted = q.toLowerCase();
          return (
            <>
              <Table
                label={words.people}
                rows={users.filter(({ user }) => `${nameOf(user)} ${addressOf(user)}`.toLowerCase().includes(wanted))}
                keyOf={({ id }) => id}
                empty={texts.nobodyHasThisName}
                columns={[
                  { title: words.name, cell: ({ user }) => givenNameOf(user) },
                  { title: words.eMail, cell: ({ user }) => addressOf(user) },
                  { title: words.role, cell: roleName },
                  { title: words.state, cell: (one) => <State {...one} /> },
                  { title: texts.since, cell: ({ createdAt }) => <Time at={createdAt} /> },
                  {
                    title: words.details,
                    cell: ({ id, user }) => (
                      <Button kind="quiet" aria-label={texts.openName(nameOf(user))} onClick={() => go({ member: id })}>
                        {words.open}
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
    <Badge kind="bad">{texts.deactivated}</Badge>
  ) : status === 'invited' ? (
    <Badge kind="warn">{texts.invited}</Badge>
  ) : (
    <Badge kind="good">{texts.active}</Badge>
  );
