import { useQuery } from '@tanstack/react-query';
import { useAddress } from '../../app/address.ts';
import { ask } from '../../app/ask.ts';
import { useProjectId } from '../../app/project.ts';
import { ChoiceFilter, Filters, SearchFilter } from '../../ui/filter.tsx';
import { Page } from '../../ui/page.tsx';
import { nameOf } from '../access/person.ts';
import { LoginList } from './login-list.tsx';
import { SshTabs } from './tabs.ts';
import { texts } from './texts.ts';
import { words } from '../../ui/words.texts.ts';

/** Who may log in where, as whom, and why. */
export function Screen() {
  const projectId = useProjectId();
  const [{ host, user, as }] = useAddress();
  const { data: hosts } = useQuery(ask('sshHosts', 'list', { projectId }));
  const { data: members } = useQuery(ask('projectMembers', 'list', { projectId }));
  return (
    <Page title={texts.whoMayLogIn} lead={texts.byLoginMappingsGroups}>
      <SshTabs />
      <Filters>
        <ChoiceFilter
          name="host"
          label={texts.on}
          options={[['', texts.allHosts], ...(hosts?.hosts ?? []).map(({ id, hostname }) => [id, hostname] as const)]}
        />
        <ChoiceFilter
          name="user"
          label={words.who}
          options={[
            ['', texts.everybody],
            ...(members?.memberships ?? []).map((one) => [one.userId, nameOf(one.user)] as const),
          ]}
        />
        <SearchFilter name="as" label={texts.asLoginUser} />
      </Filters>
      <LoginList
        of={{ ...(host && { sshHostId: host }), ...(user && { userId: user }), ...(as && { loginUser: as }) }}
        empty={texts.nobodyMayLogInSo}
      />
    </Page>
  );
}
