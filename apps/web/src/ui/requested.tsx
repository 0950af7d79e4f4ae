import { Link } from '@tanstack/react-router';
import { texts } from './requested.texts.ts';
import { linkToast, toast } from './toast.tsx';

/** The request that a change has become, where a change policy covers it. */
const requestsIn = (answer: object): readonly string[] => {
  const { approval } = answer as { readonly approval?: { readonly id: string } };
  return approval ? [approval.id] : [];
};

/** Says what is done, or that approval has been requested for it: then it leads there. */
export function toastOutcome(projectId: string, answers: readonly object[], done?: string): void {
  const requests = answers.flatMap(requestsIn);
  if (requests.length > 0) linkToast((close) => <Requested {...{ projectId, requests, close }} />);
  else if (done) toast(done);
}

interface RequestedProps {
  readonly projectId: string;
  readonly requests: readonly string[];
  readonly close: () => void;
}

function Requested({ projectId, requests, close }: RequestedProps) {
  const [requestId, ...others] = requests;
  return (
    <>
      {texts.changePolicyCoversThis(requests.length)}{' '}
      {others.length === 0 ? (
        <Link to="/projects/$projectId/inbox/$requestId" params={{ projectId, requestId }} onClick={close}>
          {texts.openRequest}
        </Link>
      ) : (
        <Link to="/projects/$projectId/inbox" params={{ projectId }} onClick={close}>
          {texts.openRequests}
        </Link>
      )}
    </>
  );
}
