import type { Outputs } from '@coffer/client';
import { useQuery } from '@tanstack/react-query';
import { useAddress } from '../../app/address.ts';
import { ask, useChange } from '../../app/ask.ts';
import { useUserId } from '../../app/rights.ts';
import { Act } from '../../ui/act.tsx';
import { CheckField, Row } from '../../ui/field.tsx';
import { Badge } from '../../ui/note.tsx';
import { Queried } from '../../ui/query.tsx';
import { Table } from '../../ui/table.tsx';
import { nameOf } from '../access/person.ts';
import { Pager, SearchField, useSearched } from './search.tsx';

type User = Outputs['instanceManagement']['listUsers']['users'][number];

/** The users of all organizations. */
export function Users() {
  const [{ admins }, go] = useAddress();
  const users = useQuery(ask('instanceManagement', 'listUsers', { ...useSearched(), adminsOnly: admins === '1' }));
  return (
    <>
      <SearchField label="Search names and addresses" />
      <CheckField
        label="Only administrators of the instance"
        checked={admins === '1'}
        onChange={(event) => go({ admins: event.target.checked ? '1' : undefined, from: undefined })}
      />
      <Queried query={users}>
        {({ users: all }) => (
          <>
            <Table
              label="Users"
              rows={all}
              keyOf={({ id }) => id}
              empty="Nobody has this name or address."
              columns={[
                { title: 'Name', cell: nameOf },
                { title: 'E-mail', cell: ({ email, username }) => email ?? username },
                { title: 'Instance', cell: ({ superAdmin }) => superAdmin && <Badge kind="warn">administrator</Badge> },
                { title: 'Change', cell: (user) => <Actions user={user} /> },
              ]}
            />
            <Pager shown={all.length} />
          </>
        )}
      </Queried>
    </>
  );
}

function Actions({ user }: { readonly user: User }) {
  const ownId = useUserId();
  const grant = useChange('instanceManagement', 'grantAdmin');
  const revoke = useChange('instanceManagement', 'revokeAdmin');
  const remove = useChange('instanceManagement', 'deleteUser');
  const { id: userId, superAdmin } = user;
  const name = nameOf(user);
  // Their own account is deleted with its password.
  const isOwn = ownId === userId;
  return (
    <Row>
      {superAdmin ? (
        <Act
          label="Remove as administrator"
          run={() => revoke.mutateAsync({ userId })}
          done={`${name} does not administer the instance any more`}
          ask={{
            title: `Remove ${name} as an administrator?`,
            children: <p>{name} keeps the account and the roles in organizations.</p>,
          }}
        />
      ) : (
        <Act
          label="Make administrator"
          run={() => grant.mutateAsync({ userId })}
          done={`${name} administers the instance`}
          ask={{
            title: `Make ${name} an administrator of the instance?`,
            children: <p>{name} can then change these settings, and administer and delete all users.</p>,
          }}
        />
      )}
      {!isOwn && (
        <Act
          label="Delete"
          kind="danger"
          run={() => remove.mutateAsync({ userId })}
          done={`${name} is deleted`}
          ask={{
            title: `Delete ${name}?`,
            children: <p>The account is removed from all organizations, at once and for good.</p>,
          }}
        />
      )}
    </Row>
  );
}
