import { Link } from '@tanstack/react-router';
import type { ComponentType } from 'react';
import { useAddress } from '../../app/address.ts';
import { session } from '../../app/session.ts';
import { useStore } from '../../app/store.ts';
import { Note } from '../../ui/note.tsx';
import { Page, Tabs } from '../../ui/page.tsx';
import { Log } from '../audit/log.tsx';
import { logOfInstance } from '../audit/source.ts';
import { Organizations } from './organizations.tsx';
import { Overview } from './overview.tsx';
import { RateLimits } from './rate-limits.tsx';
import { Settings } from './settings.tsx';
import { Users } from './users.tsx';

const InstanceLog = () => <Log source={logOfInstance} actors={[]} />;

const TABS: readonly (readonly [id: string, title: string, Part: ComponentType])[] = [
  ['overview', 'Overview', Overview],
  ['users', 'Users', Users],
  ['organizations', 'Organizations', Organizations],
  ['settings', 'Settings', Settings],
  ['rate-limits', 'Rate limits', RateLimits],
  ['log', 'Audit log', InstanceLog],
];

/** The whole instance, for its administrators. */
export function Screen() {
  const [{ tab }] = useAddress();
  const now = useStore(session);
  const [current, , Part] = TABS.find(([id]) => id === tab) ?? TABS[0]!;
  if (now.state !== 'signed-in' || !now.user.superAdmin)
    return (
      <Page title="Instance">
        <Note kind="bad">
          Only administrators of the instance see this. One of them can make you one, under Instance, Users.
        </Note>
      </Page>
    );
  return (
    <Page title="Instance" lead="All organizations and users of this server, and how it does.">
      <Tabs label="Parts of the instance">
        {TABS.map(([id, title]) => (
          <Link key={id} to="/instance" search={{ tab: id }} aria-current={id === current ? 'page' : undefined}>
            {title}
          </Link>
        ))}
      </Tabs>
      <Part />
    </Page>
  );
}
