import { Table } from '../../ui/table.tsx';

interface Mapping {
  readonly loginUser: string;
  readonly allowedPrincipals: { readonly usernames: readonly string[]; readonly groups: readonly string[] };
}

/** Who may log in as whom. */
export const Mappings = ({ of: mappings }: { readonly of: readonly Mapping[] }) => (
  <Table
    label="Login mappings"
    rows={mappings}
    keyOf={({ loginUser }) => loginUser}
    empty="Nobody is named here: update it to add login mappings."
    columns={[
      { title: 'Login user', cell: ({ loginUser }) => <code>{loginUser}</code> },
      { title: 'Users', cell: ({ allowedPrincipals }) => allowedPrincipals.usernames.join(', ') || '–' },
      { title: 'Groups', cell: ({ allowedPrincipals }) => allowedPrincipals.groups.join(', ') || '–' },
    ]}
  />
);
