import { Dialog } from '../ui/dialog.tsx';
import { Table } from '../ui/table.tsx';
import { shortcuts } from './shortcuts.ts';
import { useStore } from './store.ts';
import { texts } from './palette.texts.ts';
import { words } from '../ui/words.texts.ts';

/** The list of shortcuts, by `?`. */
export function ShortcutHelp({ onClose }: { readonly onClose: () => void }) {
  return (
    <Dialog title={texts.keyboardShortcuts} onClose={onClose}>
      <Table
        label={texts.keyboardShortcuts}
        rows={useStore(shortcuts)}
        keyOf={({ keys }) => keys}
        empty={texts.noShortcut}
        columns={[
          { title: words.key, cell: ({ keys }) => <kbd>{keys}</kbd> },
          { title: texts.whatItDoes, cell: ({ label }) => label },
        ]}
      />
    </Dialog>
  );
}
