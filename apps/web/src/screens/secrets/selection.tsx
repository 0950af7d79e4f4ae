interface SelectionProps {
  readonly name: string;
  readonly selected: ReadonlySet<string>;
  readonly onSelect: (next: ReadonlySet<string>) => void;
}

/** Selects a key, for what is done to many at once. */
export const Selection = ({ name, selected, onSelect }: SelectionProps) => (
  <input
    type="checkbox"
    aria-label={`Select ${name}`}
    checked={selected.has(name)}
    onChange={({ target }) => {
      const next = new Set(selected);
      if (target.checked) next.add(name);
      else next.delete(name);
      onSelect(next);
    }}
  />
);
