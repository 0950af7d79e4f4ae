import type { KeyRow } from './pages.ts';

/** The selected keys, with where they are: they may be on other pages than the first. */
export type Selected = ReadonlyMap<string, KeyRow>;

interface SelectionProps {
  readonly row: KeyRow;
  readonly selected: Selected;
  readonly onSelect: (next: Selected) => void;
}

/** Selects a key, for what is done to many at once. */
export const Selection = ({ row, selected, onSelect }: SelectionProps) => (
  <input
    type="checkbox"
    aria-label={`Select ${row.secretKey}`}
    checked={selected.has(row.secretKey)}
    onChange={({ target }) => {
      const next = new Map(selected);
      if (target.checked) next.set(row.secretKey, row);
      else next.delete(row.secretKey);
      onSelect(next);
    }}
  />
);
