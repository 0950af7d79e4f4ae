import { useState } from 'react';
import { useShortcut } from '../../app/shortcuts.tsx';
import { Button } from '../../ui/button.tsx';
import { count } from '../../ui/count.ts';
import { discard, type Drafts } from './drafts.ts';
import { Review } from './review.tsx';
import styles from './save-bar.module.css';

/** What is not saved yet, in all folders and environments of the project. */
export function SaveBar({ projectId, drafts }: { readonly projectId: string; readonly drafts: Drafts }) {
  const [isOpen, setOpen] = useState(false);
  const environments = new Set([...drafts.values()].map(({ environment }) => environment)).size;
  useShortcut({ keys: 'Ctrl+S', label: 'Review and save', run: () => setOpen(true) });
  return (
    <div className={styles['bar']} role="region" aria-label="Unsaved changes">
      <span>
        {count(drafts.size, 'change')} in {count(environments, 'environment')}, not saved yet
      </span>
      <Button onClick={() => discard(projectId)}>Discard all</Button>
      <Button kind="primary" onClick={() => setOpen(true)}>
        Review and save
      </Button>
      {isOpen && <Review projectId={projectId} drafts={[...drafts.values()]} onClose={() => setOpen(false)} />}
    </div>
  );
}
