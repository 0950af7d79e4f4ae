import { Copy, Plus } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { Button, IconButton } from './button.tsx';
import { copy } from './copy.ts';
import { Facts } from './detail.tsx';
import { Actions, Dialog } from './dialog.tsx';
import { ErrorNote } from './error.tsx';
import { useForm } from './form.ts';
import { Note } from './note.tsx';
import { OnceDialog, type Secrets } from './once.tsx';
import { texts } from './texts.ts';
import { words } from './words.texts.ts';

interface ShownOnceProps {
  readonly title: string;
  readonly note: string;
  /** The values by name. They are in this dialog only. */
  readonly values: Secrets;
  /** Whether it can be shown again: then it may be closed without a copy. */
  readonly isRepeatable?: boolean;
  readonly onClose: () => void;
}

/** Secrets that are shown as long as the dialog is open. */
export function ShownOnce({ title, note, values, isRepeatable = false, onClose }: ShownOnceProps) {
  return (
    <OnceDialog title={title} of={isRepeatable ? [] : values} onClose={onClose}>
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
    </OnceDialog>
  );
}

interface CreateButtonProps {
  /** `Create an API key`. */
  readonly label: string;
  readonly children: (close: () => void) => ReactNode;
}

/** A button that opens a `CreatedOnce`, which begins anew each time. */
export function CreateButton({ label, children }: CreateButtonProps) {
  const [isCreating, setCreating] = useState(false);
  return (
    <>
      <p>
        <Button onClick={() => setCreating(true)}>
          <Plus size={16} aria-hidden /> {label}
        </Button>
      </p>
      {isCreating && children(() => setCreating(false))}
    </>
  );
}

interface CreatedOnceProps {
  /** Of the form. */
  readonly title: string;
  /** What is created: `API key`. */
  readonly name: string;
  /** What to do with it. */
  readonly note: string;
  /** Its value. */
  readonly create: () => Promise<string>;
  readonly onClose: () => void;
  /** The fields. */
  readonly children: ReactNode;
}

/** A form that creates a secret, which is shown once afterwards. */
export function CreatedOnce({ title, name, note, create, onClose, children }: CreatedOnceProps) {
  const [created, setCreated] = useState<string>();
  const form = useForm(async () => setCreated(await create()));
  if (created !== undefined)
    return (
      <ShownOnce title={name} note={texts.shownNowAndNeverAgain(note)} values={[[name, created]]} onClose={onClose} />
    );
  return (
    <Dialog title={title} onClose={onClose}>
      <form onSubmit={form.submit}>
        {children}
        {form.error !== undefined && <ErrorNote error={form.error} />}
        <Actions>
          <Button onClick={onClose}>{words.cancel}</Button>
          <Button kind="primary" type="submit" isBusy={form.isBusy}>
            {words.create}
          </Button>
        </Actions>
      </form>
    </Dialog>
  );
}
