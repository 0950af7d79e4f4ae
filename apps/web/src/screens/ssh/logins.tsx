import { useQuery } from '@tanstack/react-query';
import { useAddress } from '../../app/address.ts';
import { ask } from '../../app/ask.ts';
import { useProjectId } from '../../app/project.ts';
import { ChoiceFilter, Filters, SearchFilter } from '../../ui/filter.tsx';
import { Page } from '../../ui/page.tsx';
import { nameOf } from '../access/person.ts';
import { LoginList } from './login-list.tsx';
import { SshTabs } from './tabs.ts';

/** Who may log in where, as whom, and why. */
export function Screen() {
  const projectId = useProjectId();
  const [{ host, user, as }] = useAddress();
  const { data: hosts } = useQuery(ask('sshHosts', 'list', { projectId }));
  const { data: members } = useQuery(ask('projectMembers', 'list', { projectId }));
  return (
    <Page title="Who may log in" lead="By login mappings, groups, and certificates that open other hosts, too.">
      <SshTabs />
      <Filters>
        <ChoiceFilter
          name="host"
          label="On"
          options={[['', 'All hosts'], ...(hosts?.hosts ?? []).map(({ id, hostname }) => [id, hostname] as const)]}
        />
        <ChoiceFilter
          name="user"
          label="Who"
          options={[
            ['', 'Everybody'],
            ...(members?.memberships ?? []).map((one) => [one.userId, nameOf(one.user)] as const),
          ]}
        />
        <SearchFilter name="as" label="As login user" />
      </Filters>
      <LoginList
        of={{ ...(host && { sshHostId: host }), ...(user && { userId: user }), ...(as && { loginUser: as }) }}
        empty="Nobody may log in so."
      />
    </Page>
  );
}
