import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useAddress } from '../../app/address.ts';
import { ask } from '../../app/ask.ts';
import { useProjectId } from '../../app/project.ts';
import { useProjectRights } from '../../app/rights.ts';
import { NewButton } from '../../ui/creation.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Page, Tabs } from '../../ui/page.tsx';
import { Queried } from '../../ui/query.tsx';
import { useAccessPolicies, useChangePolicies, type PolicyKind } from './policy-kind.tsx';
import { PolicyTable } from './policy-table.tsx';
import { texts } from './texts.ts';
import { words } from '../../ui/words.texts.ts';

/** Which changes of secrets, and which requests for access, need whose approval. */
export function Screen() {
  const projectId = useProjectId();
  const [{ tab = 'changes' }] = useAddress();
  const may = useProjectRights(projectId);
  const project = useQuery({ ...ask('projects', 'get', { projectId }), select: (found) => found.project });
  const link = (name: string, title: string) => (
    <Link to="." search={{ tab: name }} aria-current={name === tab ? 'page' : undefined}>
      {title}
    </Link>
  );
  return (
    <Page
      title={texts.approvalPolicies}
      lead={texts.allPoliciesThatCover}
      actions={may('secret-approval', 'create') && <NewButton>{texts.newPolicy}</NewButton>}
    >
      <Tabs label={texts.kindsOfPolicies}>
        {link('changes', texts.changesOfSecrets)}
        {link('access', texts.requestsForAccess)}
      </Tabs>
      <Queried query={project}>
        {({ slug }) =>
          tab === 'access' ? <AccessPolicies projectSlug={slug} /> : <ChangePolicies projectId={projectId} />
        }
      </Queried>
    </Page>
  );
}

const ChangePolicies = ({ projectId }: { readonly projectId: string }) => (
  <Policies of={useChangePolicies(projectId)} />
);

const AccessPolicies = ({ projectSlug }: { readonly projectSlug: string }) => (
  <Policies of={useAccessPolicies(projectSlug)} />
);

function Policies({ of: kind }: { readonly of: PolicyKind }) {
  const [{ new: isNew, policy: opened }, go] = useAddress();
  const close = () => go({ new: undefined, policy: undefined });
  return (
    <Queried query={kind.found}>
      {({ approvals }) => {
        const policy = approvals.find(({ id }) => id === opened);
        return (
          <>
            <PolicyTable kind={kind} policies={approvals} />
            {(isNew || policy) && (
              <Dialog
                key={policy?.id}
                title={policy ? texts.policyName(policy.name) : texts.newPolicy}
                look="wide"
                onClose={close}
              >
                {kind.form(policy, { submit: policy ? words.save : words.create, onCancel: close, onDone: close })}
              </Dialog>
            )}
          </>
        );
      }}
    </Queried>
  );
}
