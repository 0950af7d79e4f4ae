import type { CofferError, Outputs } from '@coffer/client';
import { useInfiniteQuery, type InfiniteData } from '@tanstack/react-query';
import { useAddress } from '../../app/address.ts';
import { useProjectId } from '../../app/project.ts';
import { coffer } from '../../app/session.ts';
import { Button } from '../../ui/button.tsx';
import { ChoiceFilter, Filters, SearchFilter } from '../../ui/filter.tsx';
import { Page } from '../../ui/page.tsx';
import { Queried } from '../../ui/query.tsx';
import { Board } from './board.tsx';
import { KINDS, type Ending } from './kinds.tsx';
import { texts } from './texts.ts';

type Listed = Outputs['expiry']['list'];

const BY = [
  ['', texts.weeks],
  ['day', texts.days],
] as const;

const OF_ORGANIZATION: ReadonlySet<string> = new Set(['client-secret', 'access-token', 'api-key']);

/** What ends when, in a project or in the organization: the next one first. */
export function Screen() {
  const projectId = useProjectId();
  const [{ search, kind, by }] = useAddress();
  const input = {
    ...(projectId && { projectId }),
    ...(search && { search }),
    ...(kind && { kind: kind as Ending['kind'] }),
  };
  const found = useInfiniteQuery<Listed, CofferError, InfiniteData<Listed>, readonly unknown[], string | null>({
    queryKey: ['expiry', input],
    queryFn: ({ pageParam, signal }) =>
      coffer.expiry.list.query({ ...input, ...(pageParam !== null && { cursor: pageParam }) }, { signal }),
    initialPageParam: null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });
  const kinds = Object.entries(KINDS).filter(([name]) => projectId || OF_ORGANIZATION.has(name));
  return (
    <Page
      title={projectId ? texts.whatEndsWhen : texts.credentialsThatEnd}
      lead={projectId ? texts.renewOrReplaceItBefore : texts.ofMachineIdentitiesOfOrganization}
    >
      <Filters>
        <ChoiceFilter name="by" label={texts.dividedInto} options={BY} />
        <ChoiceFilter
          name="kind"
          label={texts.kind}
          options={[['', texts.all], ...kinds.map(([name, { title }]) => [name, title] as const)]}
        />
        <SearchFilter name="search" label={texts.nameOrWhatItIsOf} />
      </Filters>
      <Queried query={found}>
        {({ pages }) => (
          <>
            <Board of={pages.flatMap(({ endings }) => endings)} isByDay={by === 'day'} projectId={projectId} />
            {found.hasNextPage && (
              <p>
                <Button isBusy={found.isFetchingNextPage} onClick={() => void found.fetchNextPage()}>
                  {texts.whatEndsLater}
                </Button>
              </p>
            )}
          </>
        )}
      </Queried>
    </Page>
  );
}
