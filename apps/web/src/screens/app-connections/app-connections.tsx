import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ask } from '../../app/ask.ts';
import { NewButton } from '../../ui/creation.tsx';
import { Page } from '../../ui/page.tsx';
import { Queried } from '../../ui/query.tsx';
import { labelOf } from '../../ui/schema-form/words.ts';
import { Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { CheckStatus } from './check-status.tsx';
import { NewConnection } from './new-connection.tsx';
import { useAppName, useScope } from './scope.ts';
import { texts } from './texts.ts';
import { words } from '../../ui/words.texts.ts';

/** The connections to other systems, of the organization or of a project. */
export function Screen() {
  const { owner, path, may } = useScope();
  const connections = useQuery(ask('appConnections', 'listAll', owner));
  const appName = useAppName();
  const isOurs = owner.projectId === undefined;
  return (
    <Page
      title={texts.appConnections}
      lead={isOurs ? texts.leadOfOrganization : texts.leadOfProject}
      actions={may('app-connections', 'create') && <NewButton>{texts.newConnection}</NewButton>}
    >
      <Queried query={connections}>
        {({ appConnections }) => (
          <Table
            label={texts.appConnections}
            rows={appConnections}
            keyOf={({ id }) => id}
            empty={texts.thereIsNoConnection}
            columns={[
              {
                title: words.name,
                cell: ({ id, name, app }) => (
                  <Link to={`${path}/$app/$connectionId`} params={{ ...owner, app, connectionId: id }}>
                    {name}
                  </Link>
                ),
              },
              { title: texts.app, cell: ({ app }) => appName(app) },
              { title: words.method, cell: ({ method }) => labelOf(method) },
              { title: texts.lastCheck, cell: (one) => <CheckStatus of={one} /> },
              { title: words.created, cell: ({ createdAt }) => <Time at={createdAt} /> },
            ]}
          />
        )}
      </Queried>
      <NewConnection />
    </Page>
  );
}
