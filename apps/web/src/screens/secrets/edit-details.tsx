import type { Outputs } from '@coffer/client';
import { useState } from 'react';
import { coffer } from '../../app/session.ts';
import { Button } from '../../ui/button.tsx';
import { Actions } from '../../ui/dialog.tsx';
import { TextArea, TextField } from '../../ui/field.tsx';
import { toast, toastError } from '../../ui/toast.tsx';
import { amend, type Details, type Draft } from './drafts.ts';
import { MetadataField } from './metadata-field.tsx';
import { TagChoice } from './tag-choice.tsx';
import { texts } from './texts.ts';
import { words } from '../../ui/words.texts.ts';

type Secret = Outputs['secrets']['get']['secret'];
type At = Pick<Draft, 'environment' | 'secretPath' | 'secretKey'>;

interface EditDetailsProps {
  readonly projectId: string;
  readonly at: At;
  readonly secret: Secret;
  readonly draft: Draft | undefined;
}

const MAX_DAYS = 365;

/** As edits have them. */
export const storedDetails = (secret: Secret) => ({
  newSecretName: secret.secretKey,
  secretComment: secret.secretComment,
  tagIds: secret.tags.map(({ id }) => id),
  secretMetadata: secret.secretMetadata,
  secretReminderNote: secret.secretReminderNote,
  secretReminderRepeatDays: secret.secretReminderRepeatDays,
  secretReminderRecipients: secret.secretReminderRecipients ?? [],
});

/** What a secret has besides its value. It becomes part of its draft, saved with all others after a review. */
export function EditDetails({ projectId, at, secret, draft }: EditDetailsProps) {
  const [edited, setEdited] = useState<Details>({});
  const now = { ...storedDetails(secret), ...draft?.details, ...edited };
  const set = (change: Details) => setEdited({ ...edited, ...change });
  const keep = () => {
    const { secretMetadata, ...rest } = edited;
    const pairs = secretMetadata?.filter(({ key }) => key.trim() !== '');
    const details = { ...rest, ...(pairs && { secretMetadata: pairs }) };
    amend(projectId, [{ ...at, kind: 'update', details, expectedVersion: secret.version }]);
    setEdited({});
    toast(texts.keptAsEdit);
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        keep();
      }}
    >
      <TextField
        label={words.name}
        isMono
        required
        maxLength={255}
        pattern="[^:\/]+"
        title={texts.nameCannotContain}
        hint={texts.referencesToItFollow}
        value={now.newSecretName}
        onChange={({ target }) => set({ newSecretName: target.value })}
      />
      <TextArea
        label={words.comment}
        rows={2}
        value={now.secretComment}
        onChange={({ target }) => set({ secretComment: target.value })}
      />
      <TagChoice
        projectId={projectId}
        label={words.tags}
        isOpen
        chosen={now.tagIds}
        onChange={(tagIds) => set({ tagIds: [...tagIds] })}
      />
      <Metadata
        projectId={projectId}
        at={at}
        edited={edited.secretMetadata ?? draft?.details?.secretMetadata}
        stored={secret.secretMetadata}
        onChange={(secretMetadata) => set({ secretMetadata })}
      />
      <Reminder now={now} onChange={set} />
      <Actions>
        <Button kind="primary" type="submit" disabled={Object.keys(edited).length === 0}>
          {texts.keepEdit}
        </Button>
      </Actions>
    </form>
  );
}

interface ReminderProps {
  readonly now: Pick<Required<Details>, 'secretReminderNote' | 'secretReminderRepeatDays' | 'secretReminderRecipients'>;
  readonly onChange: (change: Details) => void;
}

/** Who hears of it when the secret has not been changed for long. */
const Reminder = ({ now, onChange }: ReminderProps) => (
  <>
    <TextField
      label={texts.remindAfterDays}
      type="number"
      min={1}
      max={MAX_DAYS}
      hint={texts.withoutChangeForSoLong}
      value={now.secretReminderRepeatDays ?? ''}
      onChange={({ target }) => onChange({ secretReminderRepeatDays: target.value ? Number(target.value) : null })}
    />
    {now.secretReminderRepeatDays !== null && (
      <>
        <TextField
          label={texts.whatReminderSays}
          maxLength={1024}
          value={now.secretReminderNote ?? ''}
          onChange={({ target }) => onChange({ secretReminderNote: target.value || null })}
        />
        <TextField
          label={texts.whoIsReminded}
          hint={texts.eMailAddressesOrUser}
          value={now.secretReminderRecipients.join(',')}
          onChange={({ target }) => onChange({ secretReminderRecipients: namesIn(target.value) })}
        />
      </>
    )}
  </>
);

/** While it is typed, the end may be empty. */
const namesIn = (text: string): string[] => (text === '' ? [] : text.split(',').map((name) => name.trim()));

interface MetadataProps {
  readonly projectId: string;
  readonly at: At;
  readonly edited: Details['secretMetadata'];
  readonly stored: Secret['secretMetadata'];
  readonly onChange: (pairs: NonNullable<Details['secretMetadata']>) => void;
}

/** Encrypted values are not here until they are wanted: that is one read, which the server records. */
function Metadata({ projectId, at, edited, stored, onChange }: MetadataProps) {
  if (edited || !stored.some(({ isEncrypted }) => isEncrypted))
    return <MetadataField pairs={edited ?? stored} onChange={onChange} />;
  const read = () => {
    const { environment, secretPath, secretKey: secretName } = at;
    coffer.secrets.get
      .query({ projectId, environment, secretPath, secretName })
      .then(({ secret }) => (secret.secretValueHidden ? toast(texts.youMayNotRead) : onChange(secret.secretMetadata)))
      .catch(toastError);
  };
  return (
    <p>
      {texts.metadataStored(stored.map(({ key }) => key).join(', '))}{' '}
      <Button onClick={read}>{texts.readAndEditMetadata}</Button>
    </p>
  );
}
