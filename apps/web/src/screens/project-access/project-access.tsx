import { Link } from '@tanstack/react-router';
import { useAddress } from '../../app/address.ts';
import { useProjectId } from '../../app/project.ts';
import { Page, Tabs } from '../../ui/page.tsx';
import { Groups } from './groups.tsx';
import { Identities } from './identities.tsx';
import { People } from './people.tsx';
import { Yours } from './yours.tsx';

const TABS = [
  ['people', 'People', People],
  ['groups', 'Groups', Groups],
  ['identities', 'Machine identities', Identities],
  ['yours', 'Your own', Yours],
] as const;

/** Who is in a project, with which roles. */
export function Screen() {
  const projectId = useProjectId();
  const [{ tab = 'people' }] = useAddress();
  const Shown = (TABS.find(([name]) => name === tab) ?? TABS[0])[2];
  return (
    <Page
      title="Access"
      lead="People, groups and machines of this project. Their roles say what they may do."
      actions={
        <Link to="/projects/$projectId/who" params={{ projectId }}>
          Who can access a secret?
        </Link>
      }
    >
      <Tabs label="Members of the project">
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
