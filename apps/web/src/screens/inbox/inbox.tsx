import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useAddress } from '../../app/address.ts';
import { useProjectId } from '../../app/project.ts';
import { ask } from '../../app/ask.ts';
import { Button } from '../../ui/button.tsx';
import { Page, Tabs } from '../../ui/page.tsx';
import { AccessRequests } from './access-requests.tsx';
import { AskAccess } from './ask-access.tsx';
import { ChangeRequests } from './change-requests.tsx';
import { useInboxCounts } from './counts.ts';
import { texts } from './texts.ts';

/** What waits for approval in a project: changes of secrets, and requests for access. */
export function Screen() {
  const projectId = useProjectId();
  const [{ tab = 'changes', status = 'open', ask: isAsking, request }, go] = useAddress();
  const { data } = useQuery(ask('projects', 'get', { projectId }));
  const counts = useInboxCounts(projectId);
  const link = (name: string, title: string) => (
    <Link to="." search={{ tab: name, status }} aria-current={name === tab ? 'page' : undefined}>
      {title}
    </Link>
  );
  return (
    <Page
      title={texts.inbox}
      lead={texts.changesAndRequestsForAccess}
      actions={
        <>
          {request ? (
            <Link to="." search={{ tab }}>
              {texts.allRequests}
            </Link>
          ) : (
            <Link to="." search={{ tab, status: status === 'open' ? 'done' : 'open' }}>
              {status === 'open' ? texts.showWhatIsDone : texts.showWhatIsOpen}
            </Link>
          )}
          <Button onClick={() => go({ tab: 'access', ask: 'secrets' })}>{texts.askForAccess}</Button>
        </>
      }
    >
      <Tabs label={texts.kindsOfRequests}>
        {link('changes', texts.changesNumber(counts.changes ?? '…'))}
        {link('access', texts.accessNumber(counts.access ?? '…'))}
      </Tabs>
      {tab === 'access' ? (
        data && <AccessRequests projectSlug={data.project.slug} isOpen={status === 'open'} />
      ) : (
        <ChangeRequests projectId={projectId} isOpen={status === 'open'} />
      )}
      {isAsking && data && (
        <AskAccess
          projectId={projectId}
          projectSlug={data.project.slug}
          onClose={() =>
            go({ ask: undefined, environment: undefined, path: undefined, name: undefined, actions: undefined })
          }
        />
      )}
    </Page>
  );
}
