import { Copy } from 'lucide-react';
import { Button, IconButton } from './button.tsx';
import { copy } from './copy.ts';
import { Facts } from './detail.tsx';
import { Actions, Dialog } from './dialog.tsx';
import { Note } from './note.tsx';
import { texts } from './texts.ts';
import { words } from './words.texts.ts';

interface ShownOnceProps {
  readonly title: string;
  readonly note: string;
  /** The values by name. They are in this dialog only. */
  readonly values: readonly (readonly [name: string, value: string])[];
  readonly onClose: () => void;
}

/** Secrets that are shown as long as the dialog is open. */
export function ShownOnce({ title, note, values, onClose }: ShownOnceProps) {
  return (
    <Dialog title={title} onClose={onClose}>
      <Note kind="warn">{note}</Note>
      <Facts
        of={values.map(([name, value]) => [
          name,
          <span key={name}>
            <code>{value}</code>{' '}
            <IconButton label={texts.copyName(name)} onClick={() => copy(value, name)}>
              <Copy size={14} />
            </IconButton>
          </span>,
        ])}
      />
      <Actions>
        <Button kind="primary" onClick={onClose}>
          {words.done}
        </Button>
      </Actions>
    </Dialog>
  );
}
