import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useProjectId } from '../../app/project.ts';
import { hideAll } from '../../app/reveal.ts';
import { Button } from '../../ui/button.tsx';
import { Note } from '../../ui/note.tsx';
import { Page } from '../../ui/page.tsx';
import { Queried } from '../../ui/query.tsx';
import { Time } from '../../ui/time.tsx';
import { toastError } from '../../ui/toast.tsx';
import { State } from './change-requests.tsx';
import { committerOf, placesOf, requestQuery, revealValues, type Request } from './changes.ts';
import { Decide } from './decide.tsx';
import { OneChange } from './one-change.tsx';
import { Reviews } from './reviews.tsx';
import { texts } from './texts.ts';

/** A change request: what differs, who has reviewed it, and what to do with it. */
export function Screen() {
  const projectId = useProjectId();
  const { requestId = '' } = useParams({ strict: false });
  const request = useQuery(requestQuery(requestId));
  useEffect(() => hideAll, []);
  return (
    <Page
      title={texts.changeRequest}
      lead={request.data && <Lead {...request.data} />}
      actions={
        <Link to="/projects/$projectId/inbox" params={{ projectId }}>
          {texts.allRequests}
        </Link>
      }
    >
      <Queried query={request}>{(found) => <Shown request={found} />}</Queried>
    </Page>
  );
}

const Lead = (request: Request) => (
  <>
    {texts.byIn(committerOf(request), <Time at={request.createdAt} />, placesOf(request.changes))}{' '}
    <State {...request} />
  </>
);

function Shown({ request }: { readonly request: Request }) {
  const hasValues = request.changes.some(({ differences }) => differences.some(({ isValue }) => isValue));
  return (
    <>
      {request.bypassReason && <Note kind="warn">{texts.mergedWithoutItsApprovals(request.bypassReason)}</Note>}
      {request.conflicts && request.conflicts.length > 0 && (
        <Note kind="bad">
          {texts.whatItWouldChange([...new Set(request.conflicts.map(({ reason }) => reason))].join(', '))}
        </Note>
      )}
      {hasValues && (
        <p>
          <Button onClick={() => void revealValues(request.id).catch(toastError)}>{texts.revealValuesFor30}</Button>
        </p>
      )}
      {request.changes.map((change) => (
        <OneChange key={change.id} change={change} />
      ))}
      <Reviews request={request} />
      <Decide request={request} />
    </>
  );
}
