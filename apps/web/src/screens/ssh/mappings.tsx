import { Table } from '../../ui/table.tsx';
import { texts } from './texts.ts';
import { words } from '../../ui/words.texts.ts';

interface Mapping {
  readonly loginUser: string;
  readonly allowedPrincipals: { readonly usernames: readonly string[]; readonly groups: readonly string[] };
}

/** Who may log in as whom. */
export const Mappings = ({ of: mappings }: { readonly of: readonly Mapping[] }) => (
  <Table
    label={texts.loginMappings}
    rows={mappings}
    keyOf={({ loginUser }) => loginUser}
    empty={texts.nobodyIsNamedHere}
    columns={[
      { title: texts.loginUserTitle, cell: ({ loginUser }) => <code>{loginUser}</code> },
      { title: texts.users, cell: ({ allowedPrincipals }) => allowedPrincipals.usernames.join(', ') || '–' },
      { title: words.groups, cell: ({ allowedPrincipals }) => allowedPrincipals.groups.join(', ') || '–' },
    ]}
  />
);
