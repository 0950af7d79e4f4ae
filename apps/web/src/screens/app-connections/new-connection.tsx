import { useNavigate } from '@tanstack/react-router';
import { useMemo } from 'react';
import { Creation } from '../../ui/creation.tsx';
import { areaOf } from '../../ui/schema-form/area.ts';
import { OperationForm } from '../../ui/schema-form/operation-form.tsx';
import { labelOf } from '../../ui/schema-form/words.ts';
import { canAuthorize } from './authorization.ts';
import { codePart } from './code-part.tsx';
import { useApps, useScope, type AppName, type AppOption } from './scope.ts';
import { texts } from './texts.ts';
import { words } from '../../ui/words.texts.ts';

/** A new connection: its app, then its credentials. */
export function NewConnection() {
  const apps = useApps();
  return (
    <Creation
      what={texts.connection}
      types={apps}
      typeOf={({ app, name, missingSetting }) => ({ id: app, name, missingSetting })}
    >
      {(app, close) => <ConnectionForm app={app} onClose={close} />}
    </Creation>
  );
}

function ConnectionForm({
  app: { app, name, methods, oauthClientId, unavailable },
  onClose,
}: {
  readonly app: AppOption;
  readonly onClose: () => void;
}) {
  const { owner, path } = useScope();
  const navigate = useNavigate();
  const parts = useAuthorizationPart(app, name, oauthClientId);
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
    >
      {unavailable.map(({ method, missingSetting }) => (
        <p key={method}>{texts.methodNeedsSetting(labelOf(method), missingSetting)}</p>
      ))}
    </OperationForm>
  );
}

/** The code of an authorization is fetched, where the console knows how. */
const useAuthorizationPart = (app: string, name: string, clientId: string | undefined) =>
  useMemo(
    () =>
      clientId !== undefined && canAuthorize(app) ? { 'credentials.code': codePart(app, name, clientId) } : undefined,
    [app, name, clientId],
  );
