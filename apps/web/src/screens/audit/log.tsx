import type { AuditLogEntry, AuditLogPage, CofferError } from '@coffer/client';
import { useInfiniteQuery, type InfiniteData } from '@tanstack/react-query';
import { useAddress } from '../../app/address.ts';
import { Button } from '../../ui/button.tsx';
import { CheckField } from '../../ui/field.tsx';
import { Named } from '../../ui/named.tsx';
import { Badge } from '../../ui/note.tsx';
import { Queried } from '../../ui/query.tsx';
import { Table, type Column } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { actorMark, actorName, summary } from './entry.ts';
import { Entry } from './event.tsx';
import styles from './audit.module.css';
import { FilterForm, type FilterFormProps } from './filter-form.tsx';
import { filtersIn, hasFilters } from './filters.ts';
import type { LogSource } from './source.ts';
import { texts } from './texts.ts';
import { words } from '../../ui/words.texts.ts';

const PAGE = 50;
/** Milliseconds between two looks at a log that is watched. Each look is an event, too, which is not shown then. */
const LIVE_MS = 5_000;
const READING = 'get-audit-logs';

type Pages = InfiniteData<AuditLogPage>;

/** A log, newest event first, with its filters. What is shown is in the address. */
export function Log({ source, ...form }: { readonly source: LogSource } & FilterFormProps) {
  const [address, go] = useAddress();
  const isLive = address['live'] !== undefined;
  const filters = filtersIn(address);
  const query = useInfiniteQuery<AuditLogPage, CofferError, Pages, readonly unknown[], string>({
    queryKey: ['auditLog', ...source.key, filters, isLive],
    queryFn: ({ pageParam, signal }) => source.read({ ...filters, limit: PAGE, cursor: pageParam }, signal),
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }) => nextCursor,
    refetchInterval: isLive ? LIVE_MS : false,
  });
  const entries = (query.data?.pages ?? []).flatMap(({ auditLogs }) => auditLogs);
  const shown = isLive && !address['type'] ? entries.filter(({ event }) => event.type !== READING) : entries;
  const opened = entries.find(({ id }) => id === address['event']);
  return (
    <>
      <FilterForm key={JSON.stringify(filters)} {...form} />
      <CheckField
        label={texts.liveLookForNewEvents}
        checked={isLive}
        onChange={() => go({ live: isLive ? undefined : '1' })}
      />
      <Queried query={query}>
        {() => (
          <>
            <Table
              label={texts.events}
              rows={shown}
              keyOf={({ id }) => id}
              empty={hasFilters(address) ? texts.noEventFitsTheseFilters : texts.nothingHasHappenedYet}
              columns={columns(source, (id) => go({ event: id }))}
            />
            {query.hasNextPage && !isLive && (
              <p>
                <Button isBusy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
                  {texts.olderEvents}
                </Button>
              </p>
            )}
          </>
        )}
      </Queried>
      {opened && <Entry of={opened} onClose={() => go({ event: undefined })} />}
    </>
  );
}

const whole = (text: string) => <span className={styles['whole']}>{text}</span>;

const columns = ({ hasProjects }: LogSource, open: (id: string) => void): Column<AuditLogEntry>[] => [
  { title: words.when, cell: ({ createdAt }) => <Time at={createdAt} /> },
  { title: texts.event, cell: ({ event }) => <Badge>{event.type}</Badge> },
  { title: words.who, cell: (entry) => <Named by={actorMark(entry)}>{whole(actorName(entry))}</Named> },
  ...(hasProjects ? [{ title: words.project, cell: ({ projectName }: AuditLogEntry) => projectName ?? '–' }] : []),
  { title: words.what, cell: summary },
  { title: words.from, cell: ({ ipAddress }) => whole(ipAddress ?? '–') },
  {
    title: words.details,
    cell: ({ id, event }) => (
      <Button kind="quiet" aria-label={texts.openType(event.type)} onClick={() => open(id)}>
        {words.open}
      </Button>
    ),
  },
];
