import { Link } from '@tanstack/react-router';
import { useAddress } from '../../app/address.ts';
import { useProjectId } from '../../app/project.ts';
import { Page, Tabs } from '../../ui/page.tsx';
import { Groups } from './groups.tsx';
import { Identities } from './identities.tsx';
import { People } from './people.tsx';
import { Yours } from './yours.tsx';
import { texts } from './texts.ts';
import { words } from '../../ui/words.texts.ts';

const TABS = [
  ['people', words.people, People],
  ['groups', words.groups, Groups],
  ['identities', words.machineIdentities, Identities],
  ['yours', texts.yourOwn, Yours],
] as const;

/** Who is in a project, with which roles. */
export function Screen() {
  const projectId = useProjectId();
  const [{ tab = 'people' }] = useAddress();
  const Shown = (TABS.find(([name]) => name === tab) ?? TABS[0])[2];
  return (
    <Page
      title={texts.access}
      lead={texts.peopleGroupsAndMachines}
      actions={
        <Link to="/projects/$projectId/who" params={{ projectId }}>
          {texts.whoCanAccessSecret}
        </Link>
      }
    >
      <Tabs label={texts.membersOfProject}>
        {TABS.map(([name, title]) => (
          <Link key={name} to="." search={{ tab: name }} aria-current={name === tab ? 'page' : undefined}>
            {title}
          </Link>
        ))}
      </Tabs>
      <Shown projectId={projectId} />
    </Page>
  );
}
