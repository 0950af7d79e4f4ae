import { useState } from 'react';
import { useShortcut } from '../../app/shortcuts.tsx';
import { Button } from '../../ui/button.tsx';
import { discard, type Drafts } from './drafts.ts';
import { Review } from './review.tsx';
import styles from './save-bar.module.css';
import { texts } from './texts.ts';

/** What is not saved yet, in all folders and environments of the project. */
export function SaveBar({ projectId, drafts }: { readonly projectId: string; readonly drafts: Drafts }) {
  const [isOpen, setOpen] = useState(false);
  const environments = new Set([...drafts.values()].map(({ environment }) => environment)).size;
  useShortcut({ keys: 'Ctrl+S', label: texts.reviewAndSave, run: () => setOpen(true) });
  return (
    <div className={styles['bar']} role="region" aria-label={texts.unsavedChanges}>
      <span>{texts.changesInEnvironmentsNotSaved(drafts.size, environments)}</span>
      <Button onClick={() => discard(projectId)}>{texts.discardAll}</Button>
      <Button kind="primary" onClick={() => setOpen(true)}>
        {texts.reviewAndSave}
      </Button>
      {isOpen && <Review projectId={projectId} drafts={[...drafts.values()]} onClose={() => setOpen(false)} />}
    </div>
  );
}
