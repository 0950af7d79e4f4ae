import { useProjectId } from '../../app/project.ts';
import { useOrganizationRights } from '../../app/rights.ts';
import { Page } from '../../ui/page.tsx';
import { useActorsOfOrganization, useActorsOfProject } from './actors.ts';
import { Chain } from './chain.tsx';
import { Export } from './export.tsx';
import { Log } from './log.tsx';
import { logOfOrganization, logOfProject } from './source.ts';
import { texts } from './texts.ts';

/** The audit log of a project, or of the organization. */
export function Screen() {
  const projectId = useProjectId();
  return projectId ? <OfProject projectId={projectId} /> : <OfOrganization />;
}

function OfProject({ projectId }: { readonly projectId: string }) {
  const actors = useActorsOfProject(projectId);
  return (
    <Page title={texts.auditLog} lead={texts.leadOfProject}>
      <Log source={logOfProject(projectId)} actors={actors} hasSecrets />
    </Page>
  );
}

function OfOrganization() {
  const may = useOrganizationRights();
  const actors = useActorsOfOrganization(true);
  return (
    <Page
      title={texts.auditLog}
      lead={may('audit-logs', 'read-all') ? texts.leadOfOrganization : texts.leadOfUser}
      actions={may('audit-logs', 'read-all') && <Export />}
    >
      {may('audit-logs', 'read') && <Chain />}
      <Log source={logOfOrganization} actors={actors} hasSecrets />
    </Page>
  );
}
