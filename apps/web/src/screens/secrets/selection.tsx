import type { KeyRow, Overview } from './pages.ts';
import { texts } from './texts.ts';

type FolderRow = Overview['folders'][number];

/** The selected keys, with where they are: they may be on other pages than the first; and the selected folders. */
export interface Selected {
  readonly keys: ReadonlyMap<string, KeyRow>;
  readonly folders: ReadonlyMap<string, FolderRow>;
}

export const NOTHING: Selected = { keys: new Map(), folders: new Map() };

/** `2 keys, 1 folder`; empty without any. */
export const selectedText = ({ keys, folders }: Selected): string =>
  [keys.size > 0 && texts.keyCount(keys.size), folders.size > 0 && texts.folderCount(folders.size)]
    .filter(Boolean)
    .join(', ');

interface SelectionProps {
  readonly what: { readonly key: KeyRow } | { readonly folder: FolderRow };
  readonly selected: Selected;
  readonly onSelect: (next: Selected) => void;
}

/** Selects a key or a folder, for what is done to many at once. */
export function Selection({ what, selected, onSelect }: SelectionProps) {
  const name = 'key' in what ? what.key.secretKey : what.folder.name;
  const isSelected = 'key' in what ? selected.keys.has(name) : selected.folders.has(name);
  const toggle = (isIn: boolean) =>
    onSelect(
      'key' in what
        ? { ...selected, keys: toggled(selected.keys, name, what.key, isIn) }
        : { ...selected, folders: toggled(selected.folders, name, what.folder, isIn) },
    );
  return (
    <input
      type="checkbox"
      aria-label={texts.selectName(name)}
      checked={isSelected}
      onChange={({ target }) => toggle(target.checked)}
    />
  );
}

function toggled<Row>(all: ReadonlyMap<string, Row>, name: string, row: Row, isIn: boolean): ReadonlyMap<string, Row> {
  const next = new Map(all);
  if (isIn) next.set(name, row);
  else next.delete(name);
  return next;
}
