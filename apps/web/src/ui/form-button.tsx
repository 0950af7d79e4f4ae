import { useState, type ReactNode } from 'react';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { toast } from './toast.tsx';

interface FormButtonProps {
  readonly label: string;
  /** Of the dialog. */
  readonly title: string;
  readonly children: (close: () => void) => ReactNode;
}

/** A button that opens a dialog with a form. */
export function FormButton({ label, title, children }: FormButtonProps) {
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  return (
    <>
      <Button onClick={() => setOpen(true)}>{label}</Button>
      {isOpen && (
        <Dialog look="wide" title={title} onClose={close}>
          {children(close)}
        </Dialog>
      )}
    </>
  );
}

/** The end of such a form: it says what is done, and closes. */
export const formEnd = (close: () => void, text: string) => ({
  onCancel: close,
  onDone: () => {
    toast(text);
    close();
  },
});
