import { useProjectId } from '../../app/project.ts';
import { useOrganizationRights } from '../../app/rights.ts';
import { Page } from '../../ui/page.tsx';
import { useActorsOfOrganization, useActorsOfProject } from './actors.ts';
import { Chain } from './chain.tsx';
import { Export } from './export.tsx';
import { Log } from './log.tsx';
import { logOfOrganization, logOfProject } from './source.ts';

/** The audit log of a project, or of the organization. */
export function Screen() {
  const projectId = useProjectId();
  return projectId ? <OfProject projectId={projectId} /> : <OfOrganization />;
}

function OfProject({ projectId }: { readonly projectId: string }) {
  const actors = useActorsOfProject(projectId);
  return (
    <Page title="Audit log" lead="What has been read and changed in this project, and by whom.">
      <Log source={logOfProject(projectId)} actors={actors} hasSecrets />
    </Page>
  );
}

function OfOrganization() {
  const may = useOrganizationRights();
  const actors = useActorsOfOrganization(true);
  return (
    <Page
      title="Audit log"
      lead={
        may('audit-logs', 'read-all')
          ? 'What has been read and changed in this organization, and by whom.'
          : 'What you have done, and what has happened in the projects whose log you may read.'
      }
      actions={may('audit-logs', 'read-all') && <Export />}
    >
      {may('audit-logs', 'read') && <Chain />}
      <Log source={logOfOrganization} actors={actors} hasSecrets />
    </Page>
  );
}
