import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { ask, useChange } from '../../app/ask.ts';
import { Act } from '../../ui/act.tsx';
import { Button } from '../../ui/button.tsx';
import { Detail, Facts, Part } from '../../ui/detail.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Queried } from '../../ui/query.tsx';
import { areaOf } from '../../ui/schema-form/area.ts';
import { OperationForm } from '../../ui/schema-form/operation-form.tsx';
import { labelOf, valueText } from '../../ui/schema-form/words.ts';
import { Time } from '../../ui/time.tsx';
import { toast } from '../../ui/toast.tsx';
import { CheckStatus } from './check-status.tsx';
import { useAppName, useRightsOn, useScope, type AppConnection, type AppName } from './scope.ts';
import { Usage } from './usage.tsx';
import { texts } from './texts.ts';
import { words } from '../../ui/words.texts.ts';

/** One connection: what it is, whether it works, and what uses it. */
export function Screen() {
  const { app = '', connectionId = '' } = useParams({ strict: false });
  const ref = { app: app as AppName, connectionId };
  const found = useQuery(ask('appConnections', 'get', ref));
  return <Queried query={found}>{({ appConnection }) => <Connection of={appConnection} />}</Queried>;
}

function Connection({ of: connection }: { readonly of: AppConnection }) {
  const { id, name, app, method, description, credentials, version, createdAt, updatedAt } = connection;
  const { owner, path } = useScope();
  const may = useRightsOn(connection);
  const [isUpdating, setUpdating] = useState(false);
  const navigate = useNavigate();
  const check = useChange('appConnections', 'check');
  const remove = useChange('appConnections', 'delete');
  const appName = useAppName();
  const toList = () => navigate({ to: path, params: owner });
  return (
    <Detail
      title={name}
      events={{ about: { connectionId: id } }}
      back={{ label: texts.appConnections, to: path, params: owner }}
      actions={
        <>
          {may('app-connections', 'connect') && (
            <Act
              label={texts.checkNow}
              run={async () => {
                const { isAccepted } = await check.mutateAsync({ app, connectionId: id });
                toast(isAccepted ? texts.nameWorks(name) : texts.appDoesNotAccept(name));
              }}
            />
          )}
          {may('app-connections', 'edit') && <Button onClick={() => setUpdating(true)}>{words.update}</Button>}
          {may('app-connections', 'delete') && (
            <Act
              label={words.delete}
              kind="danger"
              run={() => remove.mutateAsync({ app, connectionId: id }).then(toList)}
              done={texts.connectionIsDeleted(name)}
              ask={{ title: texts.deleteConnection(name), children: <Usage app={app} connectionId={id} isAsked /> }}
            />
          )}
        </>
      }
    >
      <Part title={appName(app)}>
        <Facts
          of={[
            [texts.lastCheck, <CheckStatus key="check" of={connection} />],
            [words.description, description],
            [words.method, labelOf(method)],
            ...Object.entries(credentials).map(([field, value]) => [labelOf(field), valueText(value)] as const),
            [texts.versionOfCredentials, version],
            [words.created, <Time key="created" at={createdAt} />],
            [texts.changed, <Time key="changed" at={updatedAt} />],
          ]}
        />
      </Part>
      <Part title={texts.usedBy}>
        <Usage app={app} connectionId={id} />
      </Part>
      {isUpdating && <UpdateConnection of={connection} onClose={() => setUpdating(false)} />}
    </Detail>
  );
}

function UpdateConnection({ of: connection, onClose }: { readonly of: AppConnection; readonly onClose: () => void }) {
  const { app, id, name } = connection;
  return (
    <Dialog look="wide" title={texts.updateName(name)} onClose={onClose}>
      <OperationForm
        area={areaOf(app, 'Connections')}
        procedure="update"
        given={{ connectionId: id }}
        only={{ method: [connection.method] }}
        update={{ current: connection, partial: ['credentials'] }}
        like="create"
        affects={['appConnections']}
        submit={words.checkAndSave}
        onCancel={onClose}
        onDone={() => {
          toast(texts.isUpdated(name));
          onClose();
        }}
      />
    </Dialog>
  );
}
