import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ask } from '../../app/ask.ts';
import { useProjectRights } from '../../app/rights.ts';
import { NewButton } from '../../ui/creation.tsx';
import { Status } from '../../ui/detail.tsx';
import { FolderChoice } from '../../ui/folder-choice.tsx';
import { Page } from '../../ui/page.tsx';
import { Queried } from '../../ui/query.tsx';
import { Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { NewDynamicSecret } from './new-dynamic-secret.tsx';
import { secretState, usePlace, type Place } from './place.ts';
import { useProviderTitle } from './providers.ts';

/** Credentials that are made for each lease, and revoked at its end. */
export function Screen() {
  const { projectId, project, place } = usePlace();
  const may = useProjectRights(projectId);
  return (
    <Page
      title="Dynamic secrets"
      lead="Credentials that are made on request, for a limited time."
      actions={may('dynamic-secrets', 'create-root-credential') && <NewButton>New dynamic secret</NewButton>}
    >
      <Queried query={project}>
        {({ environments }) =>
          place && (
            <>
              <FolderChoice environments={environments} environment={place.environmentSlug} path={place.path} />
              <List place={place} />
              <NewDynamicSecret place={place} />
            </>
          )
        }
      </Queried>
    </Page>
  );
}

function List({ place }: { readonly place: Place }) {
  const { projectId } = usePlace();
  const found = useQuery(ask('dynamicSecrets', 'list', place));
  const titleOf = useProviderTitle();
  const search = { environment: place.environmentSlug, path: place.path };
  return (
    <Queried query={found}>
      {({ dynamicSecrets }) => (
        <Table
          label="Dynamic secrets"
          rows={dynamicSecrets}
          keyOf={({ id }) => id}
          empty="There is no dynamic secret in this folder yet: create one for a database or a cloud."
          columns={[
            {
              title: 'Name',
              cell: ({ name }) => (
                <Link to="/projects/$projectId/dynamic-secrets/$name" params={{ projectId, name }} search={search}>
                  {name}
                </Link>
              ),
            },
            { title: 'Provider', cell: ({ type }) => titleOf(type) },
            { title: 'Status', cell: (one) => <Status {...secretState(one)} /> },
            { title: 'Default TTL', cell: ({ defaultTTL }) => defaultTTL },
            { title: 'Maximum TTL', cell: ({ maxTTL }) => maxTTL ?? 'None' },
            { title: 'Created', cell: ({ createdAt }) => <Time at={createdAt} /> },
          ]}
        />
      )}
    </Queried>
  );
}
