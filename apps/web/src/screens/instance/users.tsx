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
import { givenNameOf, nameOf } from '../access/person.ts';
import { Pager, SearchField, useSearched } from './search.tsx';
import { texts } from './texts.ts';
import { words } from '../../ui/words.texts.ts';

type User = Outputs['instanceManagement']['listUsers']['users'][number];

/** The users of all organizations. */
export function Users() {
  const [{ admins }, go] = useAddress();
  const users = useQuery(ask('instanceManagement', 'listUsers', { ...useSearched(), adminsOnly: admins === '1' }));
  return (
    <>
      <SearchField label={texts.searchNamesAndAddresses} />
      <CheckField
        label={texts.onlyAdministrators}
        checked={admins === '1'}
        onChange={(event) => go({ admins: event.target.checked ? '1' : undefined, from: undefined })}
      />
      <Queried query={users}>
        {({ users: all }) => (
          <>
            <Table
              label={texts.users}
              rows={all}
              keyOf={({ id }) => id}
              empty={texts.nobodyHasThisName}
              columns={[
                { title: words.name, cell: givenNameOf },
                { title: words.eMail, cell: ({ email, username }) => email ?? username },
                {
                  title: words.instance,
                  cell: ({ superAdmin }) => superAdmin && <Badge kind="warn">{texts.administrator}</Badge>,
                },
                { title: words.change, cell: (user) => <Actions user={user} /> },
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
          label={texts.removeAsAdministrator}
          run={() => revoke.mutateAsync({ userId })}
          done={texts.doesNotAdministerInstance(name)}
          ask={{
            title: texts.removeNameAsAdministrator(name),
            children: <p>{texts.keepsAccountAndRoles(name)}</p>,
          }}
        />
      ) : (
        <Act
          label={texts.makeAdministrator}
          run={() => grant.mutateAsync({ userId })}
          done={texts.administersInstance(name)}
          ask={{
            title: texts.makeAdministratorOfInstance(name),
            children: <p>{texts.canThenChangeTheseSettings(name)}</p>,
          }}
        />
      )}
      {!isOwn && (
        <Act
          label={words.delete}
          kind="danger"
          run={() => remove.mutateAsync({ userId })}
          done={texts.isDeleted(name)}
          ask={{
            title: texts.deleteName(name),
            children: <p>{texts.accountIsRemovedFromAllOrganizations}</p>,
          }}
        />
      )}
    </Row>
  );
}
