import { useEffect, useId, useRef, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Row } from '../../ui/field.tsx';
import { explain } from '../../ui/error.tsx';
import styles from './cell.module.css';
import { stage } from './drafts.ts';
import { placeOf, type SecretProps } from './secret-props.ts';
import { readValue } from './value.ts';

/** Edits a value in its place. What is typed becomes a draft; Ctrl+Enter takes it over, Escape drops it. */
export function Editor({ onClose, ...props }: SecretProps & { readonly onClose: () => void }) {
  const { projectId, entry, draft, secretKey, environment } = props;
  const [text, setText] = useState(draft?.value ?? '');
  const [note, setNote] = useState('');
  const [base, setBase] = useState(entry?.version);
  const box = useRef<HTMLTextAreaElement>(null);
  const id = useId();
  useEffect(() => {
    box.current?.focus();
    if (!entry || draft?.value !== undefined) return;
    readValue(projectId, props)
      .then(({ value, version, isHidden }) => {
        setBase(version);
        if (isHidden) return setNote('You may not read the present value. What you type replaces it.');
        setText(value);
      })
      .catch((error: unknown) => setNote(explain(error)));
    // Read once, when the editor opens.
  }, []);
  const close = () => {
    onClose();
    (box.current?.closest('[role=gridcell]') as HTMLElement | null)?.focus();
  };
  const take = () => {
    const kind = entry ? 'update' : 'create';
    stage(projectId, [{ ...placeOf(props), kind, value: text, ...(entry && { expectedVersion: base }) }]);
    close();
  };
  return (
    <div className={styles['editor']}>
      {note && <p className={styles['hint']}>{note}</p>}
      <textarea
        ref={box}
        id={id}
        aria-label={`Value of ${secretKey} in ${environment}`}
        spellCheck={false}
        autoComplete="off"
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          event.stopPropagation();
          if (event.key === 'Escape') close();
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) take();
        }}
      />
      <Row>
        <Button kind="primary" onClick={take}>
          Keep
        </Button>
        <Button onClick={close}>Cancel</Button>
        <span className={styles['hint']}>Saved together, after a review</span>
      </Row>
    </div>
  );
}
