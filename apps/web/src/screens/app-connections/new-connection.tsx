import type { Outputs } from '@coffer/client';
import { useNavigate } from '@tanstack/react-router';
import { useMemo } from 'react';
import { Creation } from '../../ui/creation.tsx';
import { Note } from '../../ui/note.tsx';
import { areaOf } from '../../ui/schema-form/area.ts';
import { OperationForm } from '../../ui/schema-form/operation-form.tsx';
import { canAuthorize } from './authorization.ts';
import { codePart } from './code-part.tsx';
import { useApps, useScope, type AppName } from './scope.ts';
import { texts } from './texts.ts';
import { words } from '../../ui/words.texts.ts';

type App = Outputs['appConnections']['options']['appConnectionOptions'][number];

/** A new connection: its app, then its credentials. */
export function NewConnection() {
  const apps = useApps();
  return (
    <Creation what={texts.connection} types={apps} typeOf={({ app, name }) => ({ id: app, name })}>
      {(app, close) => <ConnectionForm app={app} onClose={close} />}
    </Creation>
  );
}

function ConnectionForm({
  app: { app, name, methods, oauthClientId },
  onClose,
}: {
  readonly app: App;
  readonly onClose: () => void;
}) {
  const { owner, path } = useScope();
  const navigate = useNavigate();
  const parts = useAuthorizationPart(app, name, oauthClientId);
  if (methods.length === 0) return <Note kind="warn">{texts.noMethodIsAvailable(name)}</Note>;
  return (
    <OperationForm
      area={areaOf(app as AppName, 'Connections')}
      procedure="create"
      given={owner}
      hidden={owner.projectId === undefined ? ['projectId'] : []}
      only={{ method: methods }}
      parts={parts}
      affects={['appConnections']}
      submit={words.checkAndCreate}
      onCancel={onClose}
      onDone={({ appConnection: { id } }) =>
        void navigate({ to: `${path}/$app/$connectionId`, params: { ...owner, app, connectionId: id } })
      }
    />
  );
}

/** The code of an authorization is fetched, where the console knows how. */
const useAuthorizationPart = (app: string, name: string, clientId: string | undefined) =>
  useMemo(
    () =>
      clientId !== undefined && canAuthorize(app) ? { 'credentials.code': codePart(app, name, clientId) } : undefined,
    [app, name, clientId],
  );
