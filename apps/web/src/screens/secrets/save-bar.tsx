import { useState } from 'react';
import { useShortcut } from '../../app/shortcuts.ts';
import { Button } from '../../ui/button.tsx';
import { Actions, Dialog } from '../../ui/dialog.tsx';
import { byPlace, discard, type Drafts } from './drafts.ts';
import { Review } from './review.tsx';
import styles from './save-bar.module.css';
import { texts } from './texts.ts';
import { words } from '../../ui/words.texts.ts';

/** What is not saved yet, in all folders and environments of the project. */
export function SaveBar({ projectId, drafts }: { readonly projectId: string; readonly drafts: Drafts }) {
  const [isOpen, setOpen] = useState(false);
  const [isDiscarding, setDiscarding] = useState(false);
  const environments = new Set([...drafts.values()].map(({ environment }) => environment)).size;
  useShortcut({ keys: 'Ctrl+S', label: texts.reviewAndSave, run: () => setOpen(true) });
  return (
    <div className={styles['bar']} role="region" aria-label={texts.unsavedChanges} data-save-bar>
      <span>{texts.changesInEnvironmentsNotSaved(drafts.size, environments)}</span>
      <Button onClick={() => setDiscarding(true)}>{texts.discardAll}</Button>
      <Button kind="primary" onClick={() => setOpen(true)}>
        {texts.reviewAndSave}
      </Button>
      {isOpen && (
        <Review projectId={projectId} drafts={[...drafts.values()].toSorted(byPlace)} onClose={() => setOpen(false)} />
      )}
      {isDiscarding && (
        <Dialog title={texts.discardChanges(drafts.size)} onClose={() => setDiscarding(false)}>
          <p>{texts.theyAreKeptNowhereElse}</p>
          <Actions>
            <Button onClick={() => setDiscarding(false)}>{words.cancel}</Button>
            <Button kind="danger" onClick={() => discard(projectId)}>
              {texts.discardAll}
            </Button>
          </Actions>
        </Dialog>
      )}
    </div>
  );
}
