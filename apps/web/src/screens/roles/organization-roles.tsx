import { useQuery } from '@tanstack/react-query';
import { ask } from '../../app/ask.ts';
import { useOrganizationRights } from '../../app/rights.ts';
import { Queried } from '../../ui/query.tsx';
import { RolesPage, RolesTable } from './roles-table.tsx';
import { texts } from './texts.ts';
import { words } from '../../ui/words.texts.ts';

const ONE = { to: '/organization/role', params: {} };

/** The roles of the organization. */
export function Screen() {
  const may = useOrganizationRights();
  const roles = useQuery(ask('organizationRoles', 'list', {}));
  return (
    <RolesPage title={words.roles} lead={texts.whatMembersMayDoInOrganization} one={ONE} may={may}>
      <Queried query={roles}>{({ data }) => <RolesTable roles={data.roles} one={ONE} />}</Queried>
    </RolesPage>
  );
}
