import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useAddress } from '../../app/address.ts';
import { ask } from '../../app/ask.ts';
import { useProjectId } from '../../app/project.ts';
import { useProjectRights } from '../../app/rights.ts';
import { NewButton } from '../../ui/creation.tsx';
import { Page, Tabs } from '../../ui/page.tsx';
import { Queried } from '../../ui/query.tsx';
import { AccessPolicyForm, ChangePolicyForm } from './policy-form.tsx';
import { PolicyTable } from './policy-table.tsx';

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
      title="Approval policies"
      lead="All policies that cover a folder apply together."
      actions={may('secret-approval', 'create') && <NewButton>New policy</NewButton>}
    >
      <Tabs label="Kinds of policies">
        {link('changes', 'Changes of secrets')}
        {link('access', 'Requests for access')}
      </Tabs>
      <Queried query={project}>
        {({ slug }) =>
          tab === 'access' ? <AccessPolicies projectSlug={slug} /> : <ChangePolicies projectId={projectId} />
        }
      </Queried>
    </Page>
  );
}

function ChangePolicies({ projectId }: { readonly projectId: string }) {
  const found = useQuery(ask('secretApprovals', 'list', { workspaceId: projectId }));
  const [{ new: isNew, policy: opened }] = useAddress();
  return (
    <Queried query={found}>
      {({ approvals }) => {
        const policy = approvals.find(({ id }) => id === opened);
        return (
          <>
            <PolicyTable kind="changes" policies={approvals} />
            {(isNew || policy) && <ChangePolicyForm key={policy?.id} projectId={projectId} policy={policy} />}
          </>
        );
      }}
    </Queried>
  );
}

function AccessPolicies({ projectSlug }: { readonly projectSlug: string }) {
  const found = useQuery(ask('accessApprovals', 'listPolicies', { projectSlug }));
  const [{ new: isNew, policy: opened }] = useAddress();
  return (
    <Queried query={found}>
      {({ approvals }) => {
        const policy = approvals.find(({ id }) => id === opened);
        return (
          <>
            <PolicyTable kind="access" policies={approvals} />
            {(isNew || policy) && <AccessPolicyForm key={policy?.id} projectSlug={projectSlug} policy={policy} />}
          </>
        );
      }}
    </Queried>
  );
}
