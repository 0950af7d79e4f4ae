import { Copy, Eye, EyeOff, History, Pencil, Plus, Trash2, Undo2 } from 'lucide-react';
import { Link } from '@tanstack/react-router';
import { useState, type KeyboardEvent } from 'react';
import { canCopy } from '../../app/clipboard.ts';
import { hide, reveal, useRevealed } from '../../app/reveal.ts';
import { IconButton } from '../../ui/button.tsx';
import { classes } from '../../ui/classes.ts';
import { copy } from '../../ui/copy.ts';
import { toast, toastError } from '../../ui/toast.tsx';
import styles from './cell.module.css';
import { discard, stage, type Draft } from './drafts.ts';
import { Editor } from './editor.tsx';
import type { Entry, ImportedEntry } from './pages.ts';
import { placeOf, type SecretProps } from './secret-props.ts';
import { readValue, valueName } from './value.ts';
import { texts } from './texts.ts';

interface CellProps extends SecretProps {
  /** Counted from 0, without the one of the keys. */
  readonly column: number;
  readonly isFocusable: boolean;
  readonly onFocus: () => void;
}

/** A secret of one environment in the table: masked, with what can be done about it. */
export function Cell({ column, isFocusable, onFocus, ...props }: CellProps) {
  const { entry, imported, draft, secretKey, environment, isWritable } = props;
  const [isEditing, setEditing] = useState(false);
  const actions = useActions(props, () => {
    if (isWritable) setEditing(true);
  });
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    if (event.target !== event.currentTarget) return;
    const action = KEYS[event.key];
    if (!action || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    actions[action]();
  };
  return (
    <div
      role="gridcell"
      aria-colindex={column + 2}
      aria-label={texts.keyInIs(secretKey, environment, stateOf(entry, imported, draft))}
      aria-readonly={!isWritable}
      tabIndex={isFocusable ? 0 : -1}
      data-column={column}
      className={classes(styles['cell'], draft && (draft.kind === 'delete' ? styles['deleted'] : styles['changed']))}
      onFocus={onFocus}
      onKeyDown={onKeyDown}
      onDoubleClick={actions.edit}
    >
      <Content {...props} />
      <Tools {...props} actions={actions} />
      {isEditing && <Editor {...props} onClose={() => setEditing(false)} />}
    </div>
  );
}

/** What the keys do in a cell; the tool tips of its buttons name them. */
const KEYS: Readonly<Record<string, keyof Actions>> = {
  Enter: 'edit',
  F2: 'edit',
  ' ': 'toggle',
  c: 'copy',
  Delete: 'remove',
  o: 'open',
};

interface Actions {
  readonly edit: () => void;
  readonly toggle: () => void;
  readonly copy: () => void;
  readonly remove: () => void;
  readonly undo: () => void;
  readonly open: () => void;
}

function useActions(props: SecretProps, edit: () => void): Actions {
  const { projectId, entry, imported, draft, onOpen } = props;
  const name = valueName(projectId, props);
  const isShown = useRevealed(name) !== undefined;
  const withValue = (use: (value: string) => void) => {
    if (!entry && !imported) return;
    readValue(projectId, props, { includeImports: !entry })
      .then(({ value, isHidden }) => (isHidden ? toast(texts.youMaySeeThatItExists) : use(value)))
      .catch(toastError);
  };
  return {
    edit,
    toggle: () => (isShown ? hide(name) : withValue((value) => reveal(name, value))),
    copy: () =>
      withValue((value) => {
        // To be selected.
        if (!canCopy()) reveal(name, value);
        copy(value, props.secretKey);
      }),
    remove: () => {
      if (draft?.kind === 'create') return discard(projectId, [props]);
      if (entry?.mayDelete) stage(projectId, [{ ...placeOf(props), kind: 'delete', expectedVersion: entry.version }]);
    },
    undo: () => discard(projectId, [props]),
    open: () => {
      if (entry) onOpen();
    },
  };
}

function stateOf(entry: Entry | undefined, imported: ImportedEntry | undefined, draft: Draft | undefined): string {
  if (draft && isOrphan(entry, draft)) return texts.deletedByOthersEdited;
  if (draft)
    return { create: texts.newNotSaved, update: texts.changedNotSaved, delete: texts.toBeDeletedNotSaved }[draft.kind];
  if (entry) return texts.set;
  return imported ? texts.importedFrom(sourceOf(imported)) : texts.notSet;
}

const sourceOf = ({ from }: ImportedEntry): string => `${from.environment} ${from.secretPath}`;

/** Others have deleted what it was an edit of. */
const isOrphan = (entry: Entry | undefined, draft: Draft): boolean => !entry && draft.kind !== 'create';

function Content(props: SecretProps) {
  const { projectId, entry, imported, draft } = props;
  const shown = useRevealed(valueName(projectId, props));
  if (imported && !entry && !draft)
    return (
      <>
        <Value>{shown}</Value>
        <Link
          className={styles['source']}
          to="/projects/$projectId/secrets"
          params={{ projectId }}
          search={{ path: imported.from.secretPath }}
          tabIndex={-1}
          title={texts.importedReadOnly(sourceOf(imported))}
        >
          {sourceOf(imported)}
        </Link>
      </>
    );
  if (!entry && !draft) return <span className={classes(styles['value'], styles['gap'])}>{texts.notSet}</span>;
  if (draft && isOrphan(entry, draft))
    return <span className={classes(styles['value'], styles['gap'])}>{texts.deletedByOthers}</span>;
  if (draft?.value !== undefined) return <span className={styles['value']}>{texts.notSaved}</span>;
  return <Value>{shown}</Value>;
}

/** Masked, or as it is: whole while the cell is pointed at or has the focus. */
const Value = ({ children: shown }: { readonly children: string | undefined }) =>
  shown === undefined ? (
    <span className={styles['value']}>••••••</span>
  ) : (
    <span data-shown className={classes(styles['value'], styles['shown'])}>
      {shown}
    </span>
  );

function Tools({
  projectId,
  entry,
  imported,
  draft,
  isWritable,
  actions,
  ...at
}: SecretProps & { readonly actions: Actions }) {
  const stored = entry ?? imported;
  const isShown = useRevealed(valueName(projectId, at)) !== undefined;
  const quiet = { tabIndex: -1 };
  return (
    <span className={styles['tools']}>
      {draft && (
        <IconButton label={texts.takeEditBack} {...quiet} onClick={actions.undo}>
          <Undo2 size={14} />
        </IconButton>
      )}
      {stored && !stored.secretValueHidden && (
        <>
          <IconButton label={isShown ? texts.hideSpace : texts.revealSpace} {...quiet} onClick={actions.toggle}>
            {isShown ? <EyeOff size={14} /> : <Eye size={14} />}
          </IconButton>
          <IconButton label={texts.copyC} {...quiet} onClick={actions.copy}>
            <Copy size={14} />
          </IconButton>
        </>
      )}
      {isWritable && (
        <IconButton label={entry ? texts.editEnter : setLabel(imported)} {...quiet} onClick={actions.edit}>
          {entry ? <Pencil size={14} /> : <Plus size={14} />}
        </IconButton>
      )}
      {entry && (
        <IconButton label={texts.detailsO} {...quiet} onClick={actions.open}>
          <History size={14} />
        </IconButton>
      )}
      {entry?.mayDelete && draft?.kind !== 'delete' && (
        <IconButton label={texts.deleteDel} {...quiet} onClick={actions.remove}>
          <Trash2 size={14} />
        </IconButton>
      )}
    </span>
  );
}

/** A value of its own comes before an imported one. */
const setLabel = (imported: ImportedEntry | undefined): string =>
  imported ? texts.setValueHereWhichCounts : texts.setValueEnter;
