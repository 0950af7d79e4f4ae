import { useBlocker } from '@tanstack/react-router';
import { useCallback, useEffect, useRef, useState, type ReactNode } from 'react';
import { Button } from './button.tsx';
import { Actions, Dialog } from './dialog.tsx';
import { onTaken } from './taken.ts';
import { texts } from './texts.ts';
import { words } from './words.texts.ts';

/** Secrets by name. */
export type Secrets = readonly (readonly [name: string, value: string])[];

/** Line ends differ between a text, its file and its selection. */
const withoutSpace = (text: string): string => text.replaceAll(/\s/g, '');

/** The names of the secrets that nobody has copied or downloaded. */
function useUntaken(secrets: Secrets): readonly string[] {
  const [found, setFound] = useState<readonly string[]>([]);
  useEffect(() => onTaken((text) => setFound((before) => [...before, withoutSpace(text)])), []);
  return secrets
    .filter(([, value]) => value !== '' && !found.some((text) => text.includes(withoutSpace(value))))
    .map(([name]) => name);
}

interface OnceProps {
  /** What is shown once. */
  readonly of: Secrets;
  /** Not given for a part of a page, which only navigation closes. */
  readonly onClose?: () => void;
  readonly children: (close: () => void) => ReactNode;
}

/** Asks before what is shown once is closed or left, as long as any of it was neither copied nor downloaded. */
export function Once({ of: secrets, onClose, children }: OnceProps) {
  const untaken = useUntaken(secrets);
  const isUntaken = useRef(false);
  isUntaken.current = untaken.length > 0;
  const hasLeft = useRef(false);
  // A new number is a new question, above a dialog that the browser has closed and that is open again.
  const [asking, setAsking] = useState<number>();
  const questions = useRef(0);
  const shouldAsk = useCallback(() => isUntaken.current && !hasLeft.current, []);
  const left = useBlocker({ shouldBlockFn: shouldAsk, enableBeforeUnload: shouldAsk, withResolver: true });
  const close = () => (untaken.length > 0 ? setAsking(++questions.current) : onClose?.());
  const stay = () => {
    setAsking(undefined);
    left.reset?.();
  };
  const leave = () => {
    hasLeft.current = true;
    setAsking(undefined);
    if (left.proceed) left.proceed();
    else onClose?.();
  };
  return (
    <>
      {children(close)}
      {(asking !== undefined || left.status === 'blocked') && (
        <Dialog key={asking} title={texts.closeWithoutCopyQuestion} onClose={stay}>
          <p>{texts.neitherCopiedNorDownloaded(untaken.join(', '))}</p>
          <Actions>
            <Button onClick={stay}>{texts.goBack}</Button>
            <Button kind="danger" onClick={leave}>
              {texts.closeWithoutCopy}
            </Button>
          </Actions>
        </Dialog>
      )}
    </>
  );
}

interface OnceDialogProps {
  readonly title: string;
  readonly look?: 'wide';
  /** What is shown once. */
  readonly of: Secrets;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** A dialog with secrets that are shown as long as it is open. */
export const OnceDialog = ({ title, look, of: secrets, onClose, children }: OnceDialogProps) => (
  <Once of={secrets} onClose={onClose}>
    {(close) => (
      <Dialog title={title} {...(look && { look })} onClose={close}>
        {children}
        <Actions>
          <Button kind="primary" onClick={close}>
            {words.done}
          </Button>
        </Actions>
      </Dialog>
    )}
  </Once>
);
