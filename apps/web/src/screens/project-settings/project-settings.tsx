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
import { texts } from './texts.ts';
import { words } from '../../ui/words.texts.ts';

/** What is set for a whole project. */
export function Screen() {
  const projectId = useProjectId();
  const found = useQuery(ask('projects', 'get', { projectId }));
  return (
    <Page title={words.settings} lead={texts.whatHoldsForWhole}>
      <Queried query={found}>
        {({ project }) => (
          <>
            <Part title={texts.general}>
              <General key={project.updatedAt} project={project} />
            </Part>
            <Part title={words.environments}>
              <Environments project={project} />
              <DeletedEnvironments projectId={projectId} />
            </Part>
            <Part title={words.tags}>
              <Tags projectId={projectId} />
            </Part>
            <Part title={texts.trustedAddresses}>
              <TrustedIps projectId={projectId} />
            </Part>
            <Part title={texts.howLongThingsAreKept}>
              <Retention key={project.updatedAt} project={project} />
            </Part>
            <Part title={texts.deletion}>
              <DeleteProject project={project} />
            </Part>
          </>
        )}
      </Queried>
    </Page>
  );
}
