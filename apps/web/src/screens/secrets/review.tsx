import { CofferError } from '@coffer/client';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ask, queryClient } from '../../app/ask.ts';
import { Button } from '../../ui/button.tsx';
import { classes } from '../../ui/classes.ts';
import { Facts } from '../../ui/detail.tsx';
import { Actions, Dialog } from '../../ui/dialog.tsx';
import { ErrorNote } from '../../ui/error.tsx';
import { CheckField, TextField } from '../../ui/field.tsx';
import { useForm } from '../../ui/form.ts';
import { Badge, Note } from '../../ui/note.tsx';
import { toastOutcome } from '../../ui/requested.tsx';
import { toastError } from '../../ui/toast.tsx';
import { BrokenReferences } from './broken-references.tsx';
import { useIsCovered } from './covered.ts';
import { detailFacts } from './detail-words.ts';
import { discard, draftKey, stage, type Draft } from './drafts.ts';
import styles from './save-bar.module.css';
import { save } from './save.ts';
import { readValue } from './value.ts';
import { texts } from './texts.ts';
import { words } from '../../ui/words.texts.ts';

interface ReviewProps {
  readonly projectId: string;
  readonly drafts: readonly Draft[];
  readonly onClose: () => void;
}

/** Changes that are listed: an import may have thousands. */
const SHOWN = 200;

/** Others have changed, created or deleted some of these secrets since. */
const isConflict = (error: unknown) => error instanceof CofferError && [400, 404, 409].includes(error.status);

/** A draft on what is stored now; `undefined` if it has nothing to do any more. */
async function rebased(projectId: string, draft: Draft): Promise<Draft | undefined> {
  try {
    const { version } = await readValue(projectId, draft);
    return { ...draft, kind: draft.kind === 'create' ? 'update' : draft.kind, expectedVersion: version };
  } catch (error) {
    if (!(error instanceof CofferError) || error.status !== 404) throw error;
    return draft.kind === 'delete' ? undefined : { ...draft, kind: 'create', expectedVersion: undefined };
  }
}

/** One readable difference, and one save for all. */
export function Review({ projectId, drafts, onClose }: ReviewProps) {
  const [message, setMessage] = useState('');
  const [isShown, setShown] = useState(false);
  const isCovered = useIsCovered(projectId, drafts);
  const form = useForm(async () => {
    toastOutcome(projectId, [await save(projectId, drafts, message)], texts.changesSaved(drafts.length));
    onClose();
  });
  const rebase = async () => {
    for (const draft of drafts) {
      const next = await rebased(projectId, draft);
      if (next) stage(projectId, [next]);
      else discard(projectId, [draft]);
    }
    await queryClient.invalidateQueries({ queryKey: ['secrets'] });
  };
  return (
    <Dialog
      title={isCovered ? texts.requestChanges(drafts.length) : texts.saveChanges(drafts.length)}
      look="wide"
      onClose={onClose}
    >
      <form onSubmit={form.submit}>
        {form.error !== undefined && <ErrorNote error={form.error} />}
        {isConflict(form.error) && (
          <p>
            {texts.somebodyElseHasChanged}{' '}
            <Button onClick={() => void rebase().catch(toastError)}>{texts.baseMyEditsOnNewest}</Button>
          </p>
        )}
        {isCovered && <Note>{texts.changePolicyWillCoverThis}</Note>}
        <CheckField label={texts.showValues} checked={isShown} onChange={({ target }) => setShown(target.checked)} />
        {drafts.slice(0, SHOWN).map((draft) => (
          <Change key={draftKey(draft)} projectId={projectId} draft={draft} drafts={drafts} isShown={isShown} />
        ))}
        {drafts.length > SHOWN && <p>{texts.andChanges(drafts.length - SHOWN)}</p>}
        <TextField
          label={texts.message}
          hint={texts.forHistory}
          maxLength={1000}
          value={message}
          onChange={(event) => setMessage(event.target.value)}
        />
        <Actions>
          <Button onClick={onClose}>{texts.back}</Button>
          <Button kind="primary" type="submit" isBusy={form.isBusy}>
            {isCovered ? texts.requestApproval : texts.saveAll}
          </Button>
        </Actions>
      </form>
    </Dialog>
  );
}

const KINDS = {
  create: { kind: 'good', label: texts.new },
  update: { kind: 'warn', label: texts.changed },
  delete: { kind: 'bad', label: texts.deleted },
} as const;

function Change({
  projectId,
  draft,
  drafts,
  isShown,
}: {
  readonly projectId: string;
  readonly draft: Draft;
  readonly drafts: readonly Draft[];
  readonly isShown: boolean;
}) {
  const { kind, label } = KINDS[draft.kind];
  const tags = useQuery({ ...ask('tags', 'list', { projectId }), enabled: draft.details?.tagIds !== undefined });
  return (
    <div className={styles['change']}>
      <span className={styles['name']}>
        {draft.environment} {draft.secretPath === '/' ? '' : draft.secretPath} {draft.secretKey}
      </span>
      <span>
        <Badge kind={kind}>{label}</Badge>{' '}
        <Button kind="quiet" onClick={() => discard(projectId, [draft])}>
          {texts.takeBack}
        </Button>
      </span>
      {draft.details && <Facts of={detailFacts(draft.details, tags.data?.workspaceTags ?? [])} />}
      {draft.kind === 'delete' && <BrokenReferences projectId={projectId} draft={draft} drafts={drafts} />}
      {isShown && draft.kind !== 'create' && <Before projectId={projectId} draft={draft} />}
      {isShown && draft.value !== undefined && (
        <pre className={classes(styles['value'], styles['after'])} aria-label={words.after}>
          {draft.value}
        </pre>
      )}
    </div>
  );
}

/** The stored value: one read, which the server records. */
function Before({ projectId, draft }: { readonly projectId: string; readonly draft: Draft }) {
  const [value, setValue] = useState<string>();
  if (value === undefined)
    return (
      <span>
        <Button
          kind="quiet"
          onClick={() =>
            void readValue(projectId, draft)
              .then((read) => setValue(read.isHidden ? texts.youMayNotReadInBrackets : read.value))
              .catch(() => setValue(texts.itCannotBeReadInBrackets))
          }
        >
          {texts.showPresentValue}
        </Button>
      </span>
    );
  return (
    <pre className={classes(styles['value'], styles['before'])} aria-label={words.before}>
      {value}
    </pre>
  );
}
