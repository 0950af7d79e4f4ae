import { useQuery } from '@tanstack/react-query';
import { ask } from '../../app/ask.ts';
import { useProjectId } from '../../app/project.ts';
import { Part } from '../../ui/detail.tsx';
import { Page } from '../../ui/page.tsx';
import { Queried } from '../../ui/query.tsx';
import { DeleteProject } from './delete-project.tsx';
import { DeletedEnvironments } from './deleted-environments.tsx';
import { Environments } from './environments.tsx';
import { General } from './general.tsx';
import { Retention } from './retention.tsx';
import { Tags } from './tags.tsx';
import { TrustedIps } from './trusted-ips.tsx';

/** What is set for a whole project. */
export function Screen() {
  const projectId = useProjectId();
  const found = useQuery(ask('projects', 'get', { projectId }));
  return (
    <Page title="Settings" lead="What holds for the whole project.">
      <Queried query={found}>
        {({ project }) => (
          <>
            <Part title="General">
              <General key={project.updatedAt} project={project} />
            </Part>
            <Part title="Environments">
              <Environments project={project} />
              <DeletedEnvironments projectId={projectId} />
            </Part>
            <Part title="Tags">
              <Tags projectId={projectId} />
            </Part>
            <Part title="Trusted addresses">
              <TrustedIps projectId={projectId} />
            </Part>
            <Part title="How long things are kept">
              <Retention key={project.updatedAt} project={project} />
            </Part>
            <Part title="Deletion">
              <DeleteProject project={project} />
            </Part>
          </>
        )}
      </Queried>
    </Page>
  );
}
