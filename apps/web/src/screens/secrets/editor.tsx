import { useEffect, useId, useRef, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Row } from '../../ui/field.tsx';
import { explain } from '../../ui/error.tsx';
import styles from './cell.module.css';
import { amend } from './drafts.ts';
import { ReferenceField } from './reference-field.tsx';
import { placeOf, type SecretProps } from './secret-props.ts';
import { readValue } from './value.ts';
import { texts } from './texts.ts';
import { words } from '../../ui/words.texts.ts';

/** The text of a value that is edited: the stored one first, then what is typed, which `keep` makes a draft. */
function useText(props: SecretProps) {
  const { projectId, entry, draft } = props;
  const isRead = !entry || draft?.value !== undefined;
  const [text, setText] = useState(draft?.value ?? '');
  const [isReady, setReady] = useState(isRead);
  const [note, setNote] = useState('');
  const [base, setBase] = useState(entry?.version);
  const [hasCrlf, setHasCrlf] = useState(false);
  const isEdited = useRef(false);
  useEffect(() => {
    if (isRead) return;
    readValue(projectId, props)
      .then(({ value, version, isHidden }) => {
        setBase(version);
        if (isHidden) setNote(texts.youMayNotReadPresent);
        else setText(value);
        setHasCrlf(!isHidden && value.includes('\r\n'));
        setReady(true);
      })
      .catch((error: unknown) => setNote(explain(error)));
    // Read once, when the editor opens.
  }, []);
  const keep = () => {
    if (!isEdited.current) return;
    isEdited.current = false;
    // A text area has line feeds only.
    const value = hasCrlf ? text.replaceAll('\n', '\r\n') : text;
    const kind = entry ? 'update' : 'create';
    amend(projectId, [{ ...placeOf(props), kind, value, ...(entry && { expectedVersion: base }) }]);
  };
  // What was typed is kept where its row leaves the page: by scrolling, by the lock, by another address.
  const keepLast = useRef(keep);
  useEffect(() => {
    keepLast.current = keep;
  });
  useEffect(() => () => keepLast.current(), []);
  return { text, setText, isReady, note, isEdited, keep };
}

/** Edits a value in its place. What is typed becomes a draft; Ctrl+Enter takes it over, Escape drops it. */
export function Editor({ onClose, ...props }: SecretProps & { readonly onClose: () => void }) {
  const { entry, secretKey, environment } = props;
  const { text, setText, isReady, note, isEdited, keep } = useText(props);
  const box = useRef<HTMLTextAreaElement>(null);
  const id = useId();
  useEffect(() => box.current?.focus(), []);
  const close = () => {
    onClose();
    (box.current?.closest('[role=gridcell]') as HTMLElement | null)?.focus();
  };
  const take = () => {
    if (!isReady) return;
    isEdited.current ||= !entry;
    keep();
    close();
  };
  const drop = () => {
    isEdited.current = false;
    close();
  };
  return (
    <div className={styles['editor']}>
      {note && <p className={styles['hint']}>{note}</p>}
      <ReferenceField
        projectId={props.projectId}
        origin={props}
        ref={box}
        id={id}
        aria-label={texts.valueOfIn(secretKey, environment)}
        readOnly={!isReady}
        value={text}
        onValue={(value) => {
          isEdited.current = true;
          setText(value);
        }}
        onKeyDown={(event) => {
          event.stopPropagation();
          if (event.key === 'Escape') drop();
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) take();
        }}
      />
      <Row>
        <Button kind="primary" disabled={!isReady} onClick={take}>
          {texts.keep}
        </Button>
        <Button onClick={drop}>{words.cancel}</Button>
        <span className={styles['hint']}>{texts.savedTogetherAfterReview}</span>
      </Row>
    </div>
  );
}
