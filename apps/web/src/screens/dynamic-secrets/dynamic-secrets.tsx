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
import { texts } from './texts.ts';
import { words } from '../../ui/words.texts.ts';

/** Credentials that are made for each lease, and revoked at its end. */
export function Screen() {
  const { projectId, project, place } = usePlace();
  const may = useProjectRights(projectId);
  return (
    <Page
      title={texts.dynamicSecrets}
      lead={texts.credentialsThatAreMade}
      actions={may('dynamic-secrets', 'create-root-credential') && <NewButton>{texts.newDynamicSecret}</NewButton>}
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
          label={texts.dynamicSecrets}
          rows={dynamicSecrets}
          keyOf={({ id }) => id}
          empty={texts.thereIsNoDynamic}
          columns={[
            {
              title: words.name,
              cell: ({ name }) => (
                <Link to="/projects/$projectId/dynamic-secrets/$name" params={{ projectId, name }} search={search}>
                  {name}
                </Link>
              ),
            },
            { title: texts.provider, cell: ({ type }) => titleOf(type) },
            { title: words.status, cell: (one) => <Status {...secretState(one)} /> },
            { title: texts.defaultTtl, cell: ({ defaultTTL }) => defaultTTL },
            { title: texts.maximumTtl, cell: ({ maxTTL }) => maxTTL ?? texts.noMaximum },
            { title: words.created, cell: ({ createdAt }) => <Time at={createdAt} /> },
          ]}
        />
      )}
    </Queried>
  );
}
