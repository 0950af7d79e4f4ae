import { useVirtualizer } from '@tanstack/react-virtual';
import { useRef, useState, type KeyboardEvent, type RefObject } from 'react';
import { Cell } from './cell.tsx';
import { useDraftedKeys } from './drafted-keys.ts';
import { draftKey, type Drafts } from './drafts.ts';
import { FolderRow } from './folder-row.tsx';
import styles from './grid.module.css';
import { useKeys, type KeyRow, type Overview } from './pages.ts';
import { useGo, type Place } from './place.ts';
import { Selection, type Selected } from './selection.tsx';
import { words } from '../../ui/words.texts.ts';

const ROW_PX = 40;

/** The cell that the keyboard is at. */
interface Focused {
  readonly row: number;
  readonly column: number;
}

interface GridProps {
  readonly place: Place;
  readonly overview: Overview;
  readonly drafts: Drafts;
  readonly selected: Selected;
  readonly onSelect: (next: Selected) => void;
}

/**
 * Keys down, environments across. Only the rows in view are in the page. Arrow keys move between cells; the keys of a cell are in
 * its tool tips.
 */
export function Grid({ place, overview, drafts, selected, onSelect }: GridProps) {
  const scroll = useRef<HTMLDivElement>(null);
  const [focused, setFocused] = useState<Focused>({ row: 0, column: 0 });
  const { environments, folders, totalCount } = overview;
  const added = useDraftedKeys(drafts, place, overview);
  const before = folders.length + added.length;
  const count = before + totalCount;
  const virtual = useVirtualizer({
    count,
    getScrollElement: () => scroll.current,
    estimateSize: () => ROW_PX,
    overscan: 8,
  });
  const items = virtual.getVirtualItems();
  const keyAt = useKeys(place, overview, (items[0]?.index ?? 0) - before, (items.at(-1)?.index ?? 0) - before);
  const rowAt = (index: number): KeyRow | undefined => {
    const name = added[index - folders.length];
    return name === undefined ? keyAt(index - before) : draftedRow(name, environments);
  };
  const columns = { gridTemplateColumns: `minmax(12rem, 17rem) repeat(${environments.length}, minmax(13rem, 1fr))` };
  const move = useArrowKeys({
    scroll,
    focused,
    setFocused,
    rows: count,
    columns: environments.length,
    scrollTo: virtual.scrollToIndex,
  });
  return (
    <div ref={scroll} className={styles['scroll']}>
      <div
        role="grid"
        aria-label={words.secrets}
        aria-rowcount={count + 1}
        aria-colcount={environments.length + 1}
        className={styles['grid']}
        onKeyDown={move}
      >
        <div role="row" aria-rowindex={1} className={styles['head']} style={columns}>
          <span role="columnheader">{words.key}</span>
          {environments.map(({ slug, name }) => (
            <span key={slug} role="columnheader" title={slug}>
              {name}
            </span>
          ))}
        </div>
        <div role="rowgroup" className={styles['body']} style={{ height: virtual.getTotalSize() }}>
          {items.map(({ index, start }) => {
            const style = { ...columns, transform: `translateY(${start}px)` };
            const folder = folders[index];
            const row = rowAt(index);
            return (
              <div
                key={folder ? `folder ${folder.name}` : row ? `key ${row.secretKey}` : `row ${index}`}
                role="row"
                aria-rowindex={index + 2}
                data-row={index}
                className={styles['row']}
                style={style}
              >
                {folder ? (
                  <FolderRow {...{ place, folder, environments, selected, onSelect }} />
                ) : row ? (
                  <SecretCells
                    {...{ place, row, environments, drafts, index, focused, setFocused, selected, onSelect }}
                  />
                ) : (
                  <span role="rowheader" className={styles['key']}>
                    …
                  </span>
                )}
              </div>
            );
          })}
        </div>
      </div>
    </div>
  );
}

/** A key that is a draft only. */
const draftedRow = (secretKey: string, environments: Overview['environments']): KeyRow => ({
  ...{ secretKey, environments: [], imported: [] },
  mayCreateIn: environments.flatMap(({ slug, may }) => (may.createSecrets ? slug : [])),
});

interface ArrowKeys {
  readonly scroll: RefObject<HTMLDivElement | null>;
  readonly focused: Focused;
  readonly setFocused: (next: Focused) => void;
  readonly rows: number;
  readonly columns: number;
  readonly scrollTo: (row: number) => void;
}

/** Arrow keys move the focus between cells, also to rows that are not in the page yet. */
function useArrowKeys({ scroll, focused, setFocused, rows, columns, scrollTo }: ArrowKeys) {
  return (event: KeyboardEvent) => {
    const step = STEPS[event.key];
    // A dialog of a row has its own keys, as its fields have.
    if (!step || (event.target as HTMLElement).closest('textarea, dialog')) return;
    event.preventDefault();
    const next = {
      row: Math.min(rows - 1, Math.max(0, focused.row + step.row)),
      column: Math.min(columns - 1, Math.max(0, focused.column + step.column)),
    };
    setFocused(next);
    scrollTo(next.row);
    requestAnimationFrame(() => {
      const row = scroll.current?.querySelector(`[data-row="${next.row}"]`);
      (row?.querySelector<HTMLElement>(`[data-column="${next.column}"]`) ?? row?.querySelector('button'))?.focus();
    });
  };
}

const STEPS: Readonly<Record<string, { row: number; column: number }>> = {
  ArrowUp: { row: -1, column: 0 },
  ArrowDown: { row: 1, column: 0 },
  ArrowLeft: { row: 0, column: -1 },
  ArrowRight: { row: 0, column: 1 },
  PageDown: { row: 10, column: 0 },
  PageUp: { row: -10, column: 0 },
};

interface CellsProps {
  readonly place: Place;
  readonly row: KeyRow;
  readonly environments: Overview['environments'];
  readonly drafts: Drafts;
  readonly index: number;
  readonly focused: Focused;
  readonly setFocused: (next: Focused) => void;
  readonly selected: Selected;
  readonly onSelect: (next: Selected) => void;
}

function SecretCells({ place, row, environments, drafts, index, focused, setFocused, selected, onSelect }: CellsProps) {
  const go = useGo();
  const { secretKey } = row;
  const { projectId, path: secretPath } = place;
  return (
    <>
      <span role="rowheader" className={styles['key']}>
        <Selection what={{ key: row }} selected={selected} onSelect={onSelect} />
        <span className={styles['name']} title={secretKey}>
          {secretKey}
        </span>
      </span>
      {environments.map(({ slug: environment }, column) => {
        const entry = row.environments.find((one) => one.environment === environment);
        return (
          <Cell
            key={environment}
            {...{ projectId, environment, secretPath, secretKey }}
            column={column}
            entry={entry}
            imported={row.imported.find((one) => one.environment === environment)}
            isWritable={entry ? entry.mayEdit : row.mayCreateIn.includes(environment)}
            draft={drafts.get(draftKey({ environment, secretPath, secretKey }))}
            isFocusable={focused.row === index && focused.column === column}
            onFocus={() => setFocused({ row: index, column })}
            onOpen={() => go({ env: environment, key: secretKey })}
          />
        );
      })}
    </>
  );
}
