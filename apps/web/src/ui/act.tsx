import { useState, type ReactNode } from 'react';
import { Button } from './button.tsx';
import { Actions, Dialog } from './dialog.tsx';
import { ErrorNote } from './error.tsx';
import { useForm } from './form.ts';
import { toast, toastError } from './toast.tsx';
import { words } from './words.texts.ts';

interface Question {
  /** Names the thing: `Delete the connection reporting?` */
  readonly title: string;
  readonly children?: ReactNode;
}

interface ActProps {
  readonly label: string;
  readonly kind?: 'primary' | 'danger' | 'quiet';
  readonly isDisabled?: boolean;
  readonly run: () => Promise<unknown>;
  /** What is said once it is done. */
  readonly done?: string;
  /** What is asked first. */
  readonly ask?: Question;
}

/** A button that does something, at once or after one question, and says how it went. */
export function Act({ label, kind, isDisabled = false, run, done, ask }: ActProps) {
  const [isBusy, setBusy] = useState(false);
  const [isAsking, setAsking] = useState(false);
  const work = async () => {
    await run();
    if (done) toast(done);
  };
  const start = () => {
    if (ask) return setAsking(true);
    setBusy(true);
    work()
      .catch(toastError)
      .finally(() => setBusy(false));
  };
  return (
    <>
      <Button {...(kind && { kind })} isBusy={isBusy} disabled={isDisabled} onClick={start}>
        {label}
      </Button>
      {ask && isAsking && (
        <Asked {...ask} action={label} isDanger={kind === 'danger'} run={work} onClose={() => setAsking(false)} />
      )}
    </>
  );
}

interface AskedProps extends Question {
  readonly action: string;
  readonly isDanger: boolean;
  readonly run: () => Promise<void>;
  readonly onClose: () => void;
}

function Asked({ title, children, action, isDanger, run, onClose }: AskedProps) {
  const { submit, isBusy, error } = useForm(async () => {
    await run();
    onClose();
  });
  return (
    <Dialog title={title} onClose={onClose}>
      <form onSubmit={submit}>
        {children}
        {error !== undefined && <ErrorNote error={error} />}
        <Actions>
          <Button onClick={onClose}>{words.cancel}</Button>
          <Button kind={isDanger ? 'danger' : 'primary'} type="submit" isBusy={isBusy}>
            {action}
          </Button>
        </Actions>
      </form>
    </Dialog>
  );
}
