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
import { texts } from './texts.ts';
import { words } from '../../ui/words.texts.ts';

const InstanceLog = () => <Log source={logOfInstance} actors={[]} />;

const TABS: readonly (readonly [id: string, title: string, Part: ComponentType])[] = [
  ['overview', texts.overview, Overview],
  ['users', texts.users, Users],
  ['organizations', texts.organizations, Organizations],
  ['settings', words.settings, Settings],
  ['rate-limits', texts.rateLimits, RateLimits],
  ['log', texts.auditLog, InstanceLog],
];

/** The whole instance, for its administrators. */
export function Screen() {
  const [{ tab }] = useAddress();
  const now = useStore(session);
  const [current, , Part] = TABS.find(([id]) => id === tab) ?? TABS[0]!;
  if (now.state !== 'signed-in' || !now.user.superAdmin)
    return (
      <Page title={words.instance}>
        <Note kind="bad">{texts.onlyAdministratorsOfInstance}</Note>
      </Page>
    );
  return (
    <Page title={words.instance} lead={texts.allOrganizationsAndUsers}>
      <Tabs label={texts.partsOfInstance}>
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
