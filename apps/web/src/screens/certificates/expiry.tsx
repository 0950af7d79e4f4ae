import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Fragment, type ReactNode } from 'react';
import { useAddress } from '../../app/address.ts';
import { ask } from '../../app/ask.ts';
import { useProjectId } from '../../app/project.ts';
import { count } from '../../ui/count.ts';
import { Part } from '../../ui/detail.tsx';
import { ChoiceFilter, Filters, SearchFilter } from '../../ui/filter.tsx';
import { Badge, Empty } from '../../ui/note.tsx';
import { Page } from '../../ui/page.tsx';
import { Pager, usePage } from '../../ui/pager.tsx';
import { Queried } from '../../ui/query.tsx';
import { Time } from '../../ui/time.tsx';
import { AUTHORITY, useAuthorities } from './authorities-of.ts';
import styles from './expiry.module.css';
import { CertificateTabs } from './tabs.ts';

/** Something that ends. */
interface Ending {
  readonly id: string;
  readonly at: string;
  readonly link: ReactNode;
  readonly detail: ReactNode;
}

const MOST = 100;
const DAY = 86_400_000;
const BY = [
  ['', 'Weeks'],
  ['day', 'Days'],
] as const;

/** What ends when: certificates that are valid, and authorities, in the order of their ends. */
export function Screen() {
  const projectId = useProjectId();
  const [{ search, authority, by }] = useAddress();
  const page = usePage(MOST);
  const { data: authorities = [] } = useAuthorities();
  const found = useQuery(
    ask('certificates', 'list', {
      projectId,
      ...page,
      status: 'active',
      sortBy: 'notAfter',
      sortOrder: 'asc',
      ...(search && { search }),
      ...(authority && { caId: authority }),
    }),
  );
  return (
    <Page title="What ends when" lead="Renew or replace it before.">
      <CertificateTabs />
      <Filters>
        <ChoiceFilter name="by" label="Divided into" options={BY} />
        <ChoiceFilter
          name="authority"
          label="Authority"
          options={[['', 'All'], ...authorities.map(({ id, name }) => [id, name] as const)]}
        />
        <SearchFilter name="search" label="Name or serial number" />
      </Filters>
      <Queried query={found}>
        {({ certificates, totalCount }) => {
          const last = certificates.at(-1)?.notAfter;
          const isWhole = page.offset + certificates.length >= totalCount;
          // Authorities stand among the certificates of the page.
          const shown = authoritiesEnding(authorities, projectId).filter(
            ({ id, at }) =>
              (!authority || id === authority) &&
              !search &&
              (isWhole || (last !== undefined && at <= last)) &&
              (page.offset === 0 || at > (certificates[0]?.notAfter ?? '')),
          );
          // The certificate of an intermediate is there as the authority.
          const serials = new Set(shown.map(({ serialNumber }) => serialNumber));
          const others = certificates.filter(({ serialNumber }) => !serials.has(serialNumber));
          const all = [...others.map((one) => certificateEnding(one, projectId)), ...shown];
          return (
            <>
              <Board of={all.toSorted((a, b) => a.at.localeCompare(b.at))} isByDay={by === 'day'} />
              <Pager {...page} total={totalCount} />
            </>
          );
        }}
      </Queried>
    </Page>
  );
}

interface CertificateFacts {
  readonly id: string;
  readonly commonName: string;
  readonly friendlyName: string;
  readonly notAfter: string;
  readonly renewBeforeDays: number | null;
  readonly renewedByCertificateId: string | null;
}

const certificateEnding = (one: CertificateFacts, projectId: string): Ending => ({
  id: one.id,
  at: one.notAfter,
  link: (
    <Link to="/projects/$projectId/certificates/$id" params={{ projectId, id: one.id }}>
      {one.friendlyName || one.commonName || one.id}
    </Link>
  ),
  detail: one.renewedByCertificateId ? (
    <Badge kind="good">Renewed already</Badge>
  ) : (
    one.renewBeforeDays !== null && <Badge kind="good">Is renewed {count(one.renewBeforeDays, 'day')} before</Badge>
  ),
});

function authoritiesEnding(authorities: NonNullable<ReturnType<typeof useAuthorities>['data']>, projectId: string) {
  return authorities.flatMap(({ id, name, configuration: { notAfter, serialNumber } }) => {
    if (notAfter === null) return [];
    const link = (
      <Link to={AUTHORITY} params={{ projectId, id }}>
        {name}
      </Link>
    );
    const detail = <Badge kind="warn">Authority</Badge>;
    return [{ id, at: notAfter, link, detail, serialNumber }];
  });
}

interface BoardProps {
  /** In the order of their ends. */
  readonly of: readonly Ending[];
  readonly isByDay: boolean;
}

/** Columns of time: what ends in each. */
function Board({ of: all, isByDay }: BoardProps) {
  if (all.length === 0) return <Empty>Nothing that is valid ends.</Empty>;
  const groups = Map.groupBy(all, ({ at }) => startOf(at, isByDay));
  return (
    <>
      {[...groups].map(([start, ending]) => (
        <Part key={start} title={`${titleOf(start, isByDay)}: ${ending.length}`}>
          <dl className={styles['ending']}>
            {ending.map(({ id, at, link, detail }) => (
              <Fragment key={id}>
                <dt>{link}</dt>
                <dd>
                  <Time at={at} /> {detail}
                </dd>
              </Fragment>
            ))}
          </dl>
        </Part>
      ))}
    </>
  );
}

/** The start of the day or week in which an instant is, as that of the browser: weeks begin on Mondays. Milliseconds. */
function startOf(instant: string, isByDay: boolean): number {
  const day = new Date(instant);
  day.setHours(0, 0, 0, 0);
  if (!isByDay) day.setDate(day.getDate() - ((day.getDay() + 6) % 7));
  return day.getTime();
}

const DATE = new Intl.DateTimeFormat('en', { dateStyle: 'full' });
const SHORT = new Intl.DateTimeFormat('en', { dateStyle: 'medium' });

const titleOf = (start: number, isByDay: boolean): string =>
  isByDay ? DATE.format(start) : `Week of ${SHORT.formatRange(start, start + 6 * DAY)}`;
