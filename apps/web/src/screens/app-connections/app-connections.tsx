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

/** The connections to other systems, of the organization or of a project. */
export function Screen() {
  const { owner, path, may } = useScope();
  const connections = useQuery(ask('appConnections', 'listAll', owner));
  const appName = useAppName();
  const isOurs = owner.projectId === undefined;
  return (
    <Page
      title="App connections"
      lead={`The accounts with which Coffer uses other systems. ${isOurs ? 'All projects may be allowed to use these.' : 'These belong to this project.'}`}
      actions={may('app-connections', 'create') && <NewButton>New connection</NewButton>}
    >
      <Queried query={connections}>
        {({ appConnections }) => (
          <Table
            label="App connections"
            rows={appConnections}
            keyOf={({ id }) => id}
            empty="There is no connection yet. Syncs and rotations need one: create it first."
            columns={[
              {
                title: 'Name',
                cell: ({ id, name, app }) => (
                  <Link to={`${path}/$app/$connectionId`} params={{ ...owner, app, connectionId: id }}>
                    {name}
                  </Link>
                ),
              },
              { title: 'App', cell: ({ app }) => appName(app) },
              { title: 'Method', cell: ({ method }) => labelOf(method) },
              { title: 'Last check', cell: (one) => <CheckStatus of={one} /> },
              { title: 'Created', cell: ({ createdAt }) => <Time at={createdAt} /> },
            ]}
          />
        )}
      </Queried>
      <NewConnection />
    </Page>
  );
}
