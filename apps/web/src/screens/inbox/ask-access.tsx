import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useAddress } from '../../app/address.ts';
import { ask, useChange } from '../../app/ask.ts';
import { Button } from '../../ui/button.tsx';
import { Choose } from '../../ui/choose.tsx';
import { Actions, Dialog } from '../../ui/dialog.tsx';
import { ErrorNote } from '../../ui/error.tsx';
import { EnvironmentField } from '../../ui/environment-field.tsx';
import { TextArea, TextField } from '../../ui/field.tsx';
import { linkToast } from '../../ui/toast.tsx';
import { WindowFields } from '../access/window-fields.tsx';
import { FOREVER, isGoodWindow, type Window } from '../access/window.ts';
import { useCatalogue } from '../rules/catalogue.ts';
import { texts } from './texts.ts';
import { words } from '../../ui/words.texts.ts';

interface AskAccessProps {
  readonly projectId: string;
  readonly projectSlug: string;
  readonly onClose: () => void;
}

interface Wish {
  readonly environment: string;
  readonly path: string;
  readonly name: string;
  readonly actions: readonly string[];
  readonly window: Window;
  readonly note: string;
}

/** Asks for access to secrets. What it begins with is in the address: a refusal leads here. */
export function AskAccess({ projectId, projectSlug, onClose }: AskAccessProps) {
  const [{ environment = '', path = '/', name = '', actions = 'describeSecret,readValue' }] = useAddress();
  const [wish, setWish] = useState<Wish>({
    ...{ environment, path, name, note: '' },
    actions: actions.split(','),
    window: { ...FOREVER, isTemporary: true },
  });
  const { data } = useQuery(ask('projects', 'get', { projectId }));
  const request = useChange('accessApprovals', 'request');
  const environments = data?.project.environments ?? [];
  const whole = { ...wish, environment: wish.environment || (environments[0]?.slug ?? '') };
  const send = () =>
    request.mutate(toRequest(projectSlug, whole), {
      onSuccess: ({ approval: { id } }) => {
        linkToast((close) => (
          <>
            {texts.yourRequestWaitsForApproval}{' '}
            <Link
              to="/projects/$projectId/inbox"
              params={{ projectId }}
              search={{ tab: 'access', request: id }}
              onClick={close}
            >
              {texts.openRequest}
            </Link>
          </>
        ));
        onClose();
      },
    });
  return (
    <Dialog title={texts.askForAccess} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          send();
        }}
      >
        <Fields projectId={projectId} environments={environments} value={whole} onChange={setWish} />
        {request.error && <ErrorNote error={request.error} />}
        <Actions>
          <Button onClick={onClose}>{words.cancel}</Button>
          <Button
            kind="primary"
            type="submit"
            disabled={whole.actions.length === 0 || !whole.environment || !isGoodWindow(whole.window)}
            isBusy={request.isPending}
          >
            {texts.ask}
          </Button>
        </Actions>
      </form>
    </Dialog>
  );
}

const toRequest = (projectSlug: string, { environment, path, name, actions, window, note }: Wish) => ({
  projectSlug,
  permissions: [
    {
      subject: 'secrets',
      action: [...actions],
      conditions: { environment, secretPath: path, ...(name && { secretName: name }) },
    },
  ],
  isTemporary: window.isTemporary,
  ...(window.isTemporary && { temporaryRange: window.range.trim() }),
  ...(note.trim() && { note: note.trim() }),
});

interface FieldsProps {
  readonly projectId: string;
  readonly environments: readonly { readonly slug: string; readonly name: string }[];
  readonly value: Wish;
  readonly onChange: (value: Wish) => void;
}

function Fields({ projectId, environments, value, onChange }: FieldsProps) {
  const known = useCatalogue(projectId).get('secrets')?.actions ?? [];
  const set = (change: Partial<Wish>) => onChange({ ...value, ...change });
  return (
    <>
      <EnvironmentField
        environments={environments}
        value={value.environment}
        onChange={(environment) => set({ environment })}
      />
      <TextField
        label={words.folder}
        isMono
        required
        value={value.path}
        onChange={(event) => set({ path: event.target.value })}
      />
      <TextField
        label={words.secret}
        isMono
        hint={texts.emptyAllSecretsOfFolder}
        value={value.name}
        onChange={(event) => set({ name: event.target.value })}
      />
      <Choose
        label={texts.whatYouWantToDo}
        options={known.filter((one) => one !== 'read').map((id) => ({ id, label: id }))}
        chosen={value.actions}
        onChange={(actions) => set({ actions })}
        empty="…"
      />
      <WindowFields of={texts.access} hasStart={false} value={value.window} onChange={(window) => set({ window })} />
      <TextArea
        label={words.reason}
        rows={2}
        hint={texts.forThoseWhoApprove}
        value={value.note}
        onChange={(event) => set({ note: event.target.value })}
      />
    </>
  );
}
